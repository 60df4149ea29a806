package author

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

// JUnit writes a result as other programs read it: a suite for each subject, a test for each item. Control characters, which
// XML cannot carry, are shown as what they are.
func JUnit(w io.Writer, r Result) error {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type test struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Failure *failure `xml:"failure,omitempty"`
		Error   *failure `xml:"error,omitempty"`
		Out     string   `xml:"system-out,omitempty"`
	}
	type suite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Time     string `xml:"time,attr"`
		Cases    []test `xml:"testcase"`

		elapsed time.Duration
	}
	var suites []*suite
	for _, i := range r.Items {
		if len(suites) == 0 || suites[len(suites)-1].Name != i.Subject {
			suites = append(suites, &suite{Name: i.Subject})
		}
		s := suites[len(suites)-1]
		t := test{Class: "proctor.check." + i.Subject, Name: i.Name, Time: seconds(i.Elapsed), Out: printable(i.Saw)}
		if !i.Passed {
			lines := i.Lines()
			f := &failure{Message: printable(lines[0]), Text: printable(strings.Join(lines, "\n"))}
			if i.Void {
				t.Error = f
				s.Errors++
			} else {
				t.Failure = f
				s.Failures++
			}
		}
		s.Tests++
		s.elapsed += i.Elapsed
		s.Time = seconds(s.elapsed)
		s.Cases = append(s.Cases, t)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []*suite `xml:"testsuite"`
	}{Suites: suites}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// printable shows control characters as Go would write them, line feeds and tabs left out.
func printable(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == unicode.ReplacementChar {
			fmt.Fprintf(&out, "\\u%04x", r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}
