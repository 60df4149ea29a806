package sandbox

import (
	"context"
	"testing"

	"fieldbook/grader"
)

func TestEcho(t *testing.T) {
	p, err := NewPool(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for range 3 {
		r, err := p.Run(context.Background(), Job{Request: []byte("echo\nhello"), Profile: Scratch})
		if err != nil {
			t.Fatalf("%+v", err)
		}
		if r.Outcome != grader.Observed || string(r.Reply) != "hello" {
			t.Fatalf("%+v", r)
		}
		for _, l := range r.Layers {
			t.Log(l)
		}
		t.Log(r.Level, r.Usage)
		r.Artifacts.Close()
	}
}
