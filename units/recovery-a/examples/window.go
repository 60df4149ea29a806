//go:build exercise

package main

import (
	"fmt"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/world"
)

func main() {
	w, err := world.New(world.Options{Root: "."})
	check(err)
	scenario, _ := fieldnotes.ScenarioNamed("crash", 3)
	notes, err := fieldnotes.Open(w.Path("notes"), scenario.Options)
	check(err)

	now, err := notes.Load(scenario.Task)
	check(err)
	now.Phase = fieldnotes.Prepared
	check(notes.Save(now))
	check(notes.WriteEffects(map[string]fieldnotes.Effect{
		now.IdempotencyKey: scenario.Task.Wanted(),
	}))
	fmt.Println("process:", notes.AfterEffect())
	now.Phase = fieldnotes.EffectObserved
	fmt.Println("save after:", notes.Save(now) == nil)

	// Another process opens the same folder.
	notes, err = fieldnotes.Open(w.Path("notes"), fieldnotes.Options{})
	check(err)
	found, err := notes.Load(scenario.Task)
	check(err)
	effects, err := notes.Effects()
	check(err)
	fmt.Println("phase found:", found.Phase)
	fmt.Println("effects found:", len(effects))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
