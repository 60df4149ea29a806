package units

import (
	"io/fs"
	"strings"

	"fieldbook/exercises/strict"
)

// Card is what a student looks up with one key: the terms of the unit, the calls of the runtime, the usual slips.
type Card struct {
	Epochs []Epoch `yaml:"epochs"` // the short epochs that every text uses
	Terms  []Term  `yaml:"terms"`
	Calls  []Call  `yaml:"calls"`
	Slips  []Slip  `yaml:"slips"`
	// Covers are the supplied packages of which every function is among the calls.
	Covers []Cover `yaml:"covers"`
}

// Cover is a supplied package and the type whose methods are among the calls as well; "" for none.
type Cover struct {
	Package string `yaml:"package"`
	Handle  string `yaml:"handle"`
}

// Epoch is a short form of an epoch and which history it stands for, the same in every text.
type Epoch struct {
	Short string `yaml:"short"` // "7c1e…"
	Names string `yaml:"names"`
}

// Term is a word that the unit defines, once.
type Term struct {
	Term    string   `yaml:"term"`
	Card    bool     `yaml:"card"`    // stands on the card; every term can be looked up
	Means   string   `yaml:"means"`   // "which history"
	Lies    string   `yaml:"lies"`    // where its value is: "assistant_control.epoch, and in each claim"
	Checked []string `yaml:"checked"` // what is checked by which function: "AssertCurrent: the claim's epoch is the marker's"
	// Step and Page say where the paragraph is that defines it; the word stands emphasised there.
	Step string `yaml:"step"`
	Page string `yaml:"page"`
}

// Call is a call of the runtime with an example of two lines.
type Call struct {
	Call    string `yaml:"call"` // "files.Regular"
	Does    string `yaml:"does"`
	Example string `yaml:"example"`
}

// Slip is a message that a usual mistake ends in, and what to write instead.
type Slip struct {
	Sees  string `yaml:"sees"` // part of the message
	Means string `yaml:"means"`
	Write string `yaml:"write"`
}

// Card is the unit's card; a unit that breaks has the card of the unit that it continues.
func (u *Unit) Card() Card {
	if u.CardFile == "" && u.before != nil {
		return u.before.Card()
	}
	return u.card
}

// Paragraph is the paragraph that defines a term of the unit's card, as Markdown; "" when it is not there.
func (u *Unit) Paragraph(t Term) string {
	for ; u != nil; u = u.before {
		step := u.Step(t.Step)
		if u.CardFile == "" || step == nil {
			continue
		}
		text := u.Text(step)
		for _, p := range u.pages[t.Step] {
			if p.ID == t.Page {
				text = u.text(p.Text)
			}
		}
		at := Definition(text, t.Term)
		if at < 0 {
			return ""
		}
		paragraph, _, _ := strings.Cut(text[at:], "\n\n")
		return paragraph
	}
	return ""
}

func (c *check) readCard() {
	if c.unit.CardFile == "" {
		return
	}
	text, err := fs.ReadFile(c.unit.files, c.unit.CardFile)
	if err != nil {
		c.complain(at("card"), "the card %q cannot be read", c.unit.CardFile)
		return
	}
	doc, err := strict.Decode(c.place(c.unit.CardFile), text, &c.unit.card)
	if err != nil {
		c.add(err)
		return
	}
	inside := check{unit: c.unit, folder: c.folder, file: c.place(c.unit.CardFile), doc: doc}
	inside.card(c.unit.card)
	c.found = append(c.found, inside.found...)
}

func (c *check) card(card Card) {
	for i, e := range card.Epochs {
		if blank(e.Short) || blank(e.Names) {
			c.complain(at("epochs", i), "an epoch needs short and names")
		}
	}
	terms := map[string]bool{}
	for i, t := range card.Terms {
		if blank(t.Term) || blank(t.Means) || terms[t.Term] {
			c.complain(at("terms", i), "the term %q has no meaning or is there twice", t.Term)
		}
		terms[t.Term] = true
		c.definition(i, t)
	}
	calls := map[string]bool{}
	for i, call := range card.Calls {
		if blank(call.Call) || blank(call.Does) || blank(call.Example) || calls[call.Call] {
			c.complain(at("calls", i), "the call %q needs does and example, and is there once", call.Call)
		}
		calls[call.Call] = true
	}
	for i, slip := range card.Slips {
		if blank(slip.Sees) || blank(slip.Means) || blank(slip.Write) {
			c.complain(at("slips", i), "a slip needs sees, means and write")
		}
	}
}

// definition checks that the paragraph that defines a term is there.
func (c *check) definition(i int, t Term) {
	step := c.unit.Step(t.Step)
	if step == nil {
		c.complain(at("terms", i, "step"), "the term %q is defined in step %q, which is not there", t.Term, t.Step)
		return
	}
	file := step.Text
	if t.Page != "" {
		file = ""
		for _, p := range c.unit.pages[t.Step] {
			if p.ID == t.Page {
				file = p.Text
			}
		}
	}
	if file == "" {
		c.complain(at("terms", i, "page"), "the term %q is defined in page %q of step %q, which is not there", t.Term, t.Page, t.Step)
		return
	}
	text, err := fs.ReadFile(c.unit.files, file)
	if err == nil && Definition(string(text), t.Term) < 0 {
		c.complain(at("terms", i, "term"), "%s does not define %q: no paragraph has *%s*", file, t.Term, t.Term)
	}
}

// Definition is where a Markdown text defines a term: the offset of the paragraph in which it stands emphasised; -1 when
// there is none.
func Definition(text, term string) int {
	i := strings.Index(strings.ToLower(text), "*"+strings.ToLower(term)+"*")
	if i < 0 {
		return -1
	}
	if paragraph := strings.LastIndex(text[:i], "\n\n"); paragraph >= 0 {
		return paragraph + len("\n\n")
	}
	return 0
}
