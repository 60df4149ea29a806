package units

import (
	"go.yaml.in/yaml/v4"

	"fieldbook/exercises/strict"
	"fieldbook/runtime/world"
)

// StepKind says how a step is left.
type StepKind string

// The kinds of steps. A step of kind Read is a page; what else it offers follows from its parts.
const (
	Read      StepKind = "read"
	Predict   StepKind = "predict"   // write a prediction before anything runs
	Construct StepKind = "construct" // write the exercise until its visible probe passes
	Connect   StepKind = "connect"   // see what the passing run shows, and what it does not
	Choose    StepKind = "choose"    // choose the handoff to start from
	Baseline  StepKind = "baseline"  // run it unchanged
	Inject    StepKind = "inject"    // break it; see the consequence
	Diagnose  StepKind = "diagnose"  // say what was changed before seeing the edit
	Repair    StepKind = "repair"    // mend it until the visible probe passes
	Submit    StepKind = "submit"
)

func kinds() []StepKind {
	return []StepKind{Read, Predict, Construct, Connect, Choose, Baseline, Inject, Diagnose, Repair, Submit}
}

// Step is one step of a unit: a text, and the parts with which a student works in it.
type Step struct {
	ID    string   `yaml:"id"`
	Title string   `yaml:"title"`
	Kind  StepKind `yaml:"kind"`
	// Minutes are planned, an estimate. A step without minutes is part of another one's (Within), or outside the unit's
	// minutes: set-up, an optional page.
	Minutes  int    `yaml:"minutes"`
	Within   string `yaml:"within"`
	Optional bool   `yaml:"optional"` // may be left out; never part of a verdict
	Text     string `yaml:"text"`     // its Markdown file in the folder
	// Exercise is what this step works on when that is not the unit's own exercise, and Handoff the file that a passing run of
	// it is written to. Fault is what this step injects when that is not the unit's own fault.
	Exercise string `yaml:"exercise"`
	Handoff  string `yaml:"handoff"`
	Fault    string `yaml:"fault"`
	// Schedule divides the minutes of a long step.
	Schedule []Slot `yaml:"schedule"`

	Pages   string `yaml:"pages"`   // file of the pages that the step is read in; empty: the text alone
	Rereads string `yaml:"rereads"` // step of the continued unit whose pages open again here, once the prompts are answered
	// Examples belong to the step's own text.
	Examples []Example `yaml:"examples"`
	// Prompts are the questions that the student answers in writing. Closed: no other page opens until they are answered.
	Prompts []Prompt `yaml:"prompts"`
	Closed  bool     `yaml:"closed"`
	Notes   string   `yaml:"notes"` // file in the workspace that holds the answers as text; empty: the record of progress alone
	// Revision is asked for after the run, only where a predicted value differs from the observed one.
	Revision string `yaml:"revision"`

	Demonstration *Demonstration `yaml:"demonstration"` // a supplied function that the visible probe drives
	Find          *Find          `yaml:"find"`          // a line that the student names
	Gaps          []Gap          `yaml:"gaps"`          // what the visible probe never asked; the student picks one
	Challenges    []Challenge    `yaml:"challenges"`    // supplied probes that the student's function meets
	OwnProbe      bool           `yaml:"own_probe"`     // the student edits a copy of the visible probe and runs it as MY_TRANSFER
	CrashQuestion string         `yaml:"crash"`         // asked before the crash matrix shows
	Transfer      *Transfer      `yaml:"transfer"`      // another exercise, solved here
	Impostors     string         `yaml:"impostors"`     // exercise whose impostors the student's own cases must reject
	Keeps         []string       `yaml:"keeps"`         // cases that must be kept before the step is done: valid, refused
	Exhibits      []Exhibit      `yaml:"exhibits"`      // supplied tables beside the text
}

// Slot is a part of a step's minutes.
type Slot struct {
	Minutes int    `yaml:"minutes"`
	For     string `yaml:"for"`
}

// Prompt asks for one text.
type Prompt struct {
	ID  string `yaml:"id"`
	Ask string `yaml:"ask"`
}

// Demonstration is a supplied version of the exercise's function, with what the visible probe observes of it.
type Demonstration struct {
	Source   string  `yaml:"source"` // Go file in the folder, of the package it is installed in
	Observed []Field `yaml:"observed"`
}

// Field is a field of an observation with its value, true and 1 and "1" apart.
type Field struct {
	Field   string      `yaml:"field"`
	Value   world.Value `yaml:"-"`
	Meaning string      `yaml:"meaning"` // one sentence for the reader
	// Artifact and Query read the field from a database that the run left; the result, one value cast to the kind of Value,
	// wins over what the probe says of itself. Empty: only the probe knows.
	Artifact string `yaml:"artifact"`
	Query    string `yaml:"query"`
}

// UnmarshalYAML reads a field with its typed value under value.
func (f *Field) UnmarshalYAML(n *yaml.Node) error {
	type plain Field
	var doc struct {
		plain `yaml:",inline"`
		Value yaml.Node `yaml:"value"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	*f = Field(doc.plain)
	var err error
	f.Value, err = strict.Value(&doc.Value)
	return err
}

// Find asks for the file and line of a call in the exercise's visible probe.
type Find struct {
	Ask  string `yaml:"ask"`
	Call string `yaml:"call"` // the text of the call as far as it is unique: "assistant.Restore("
}

// Gap is something that a passing visible probe has not shown.
type Gap struct {
	ID   string `yaml:"id"`
	Text string `yaml:"text"`
	Look string `yaml:"look"` // where it would show
}

// Challenge is a supplied probe and what it must observe of a right function. The student predicts the fields first.
type Challenge struct {
	ID     string  `yaml:"id"`
	Title  string  `yaml:"title"`
	Ask    string  `yaml:"ask"`
	Probe  string  `yaml:"probe"` // Go file in the folder; package probe, func Probe
	Expect []Field `yaml:"expect"`
}

// Transfer is an exercise that asks for the same thought elsewhere.
type Transfer struct {
	Exercise string `yaml:"exercise"`
	Folder   string `yaml:"folder"` // of the last passing run's world: the digests of its files are the student's own data
	Memory   bool   `yaml:"memory"` // solved again, with the first solution closed
}

// Exhibit is a supplied table, always labelled SUPPLIED.
type Exhibit struct {
	Title string `yaml:"title"`
	File  string `yaml:"file"` // CSV with a line of headings
}
