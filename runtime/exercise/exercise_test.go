package exercise_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"fieldbook/runtime/exercise"
)

// The mark is state of a process, so each case runs in a process of its own: this test binary, started again.
const childVariable = "FIELDBOOK_EXERCISE_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		children[name]()
		fmt.Printf("reached %v\n", exercise.Reached())
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var children = map[string]func(){
	"nothing": func() {},
	"recovered": func() {
		defer func() {
			if _, ok := recover().(exercise.UnfinishedError); !ok {
				fmt.Println("another value was raised")
			}
		}()
		exercise.Unfinished()
	},
	"imitated": func() {
		defer func() { _ = recover() }()
		panic(exercise.UnfinishedError{})
	},
	"goroutine": func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { _ = recover() }()
			exercise.Unfinished()
		}()
		<-done
	},
}

func TestReached(t *testing.T) {
	for name, want := range map[string]string{
		"nothing":   "reached false\n",
		"recovered": "reached true\n",
		"imitated":  "reached false\n",
		"goroutine": "reached true\n",
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childVariable+"="+name)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("the child failed: %v\n%s", err, stderr.String())
			}
			if got := string(out); got != want {
				t.Errorf("the child printed %q, want %q", got, want)
			}
		})
	}
}
