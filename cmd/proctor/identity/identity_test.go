package identity_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/cmd/proctor/identity"
	"fieldbook/grader"
	"fieldbook/handoff"
)

func publicKey(n byte) ed25519.PublicKey {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	return ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
}

func encoded(n byte) string { return base64.StdEncoding.EncodeToString(handoff.SPKI(publicKey(n))) }

func mustRoster(t *testing.T, text string) *identity.Roster {
	t.Helper()
	r, err := identity.ParseRoster("roster.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// roster has every form in which a key can be written, a student with two keys, and a column of its own.
func roster() string {
	return "\ufeffStudent , group,public_key\r\n" +
		"ada,1," + encoded(1) + "\r\n" +
		"\"Zoë, née X\",2,\"" + string(handoff.PublicPEM(publicKey(2))) + "\"\r\n" +
		"ada,1," + handoff.KeyID(publicKey(3)) + "\r\n"
}

func TestRosterBinds(t *testing.T) {
	r := mustRoster(t, roster())
	if r.Len() != 2 {
		t.Errorf("%d students", r.Len())
	}
	for name, test := range map[string]struct {
		key           byte
		student, want string
		refused       string
	}{
		"Listed":             {1, "", "ada", ""},
		"ListedAndNamed":     {1, "ada", "ada", ""},
		"SecondKey":          {3, "ada", "ada", ""},
		"PEM":                {2, "", "Zoë, née X", ""},
		"OtherStudentsKey":   {2, "ada", "", "the handoff of ada is signed with the key of Zoë"},
		"UnlistedKey":        {9, "", "", ""},
		"UnlistedKeyOfNamed": {9, "ada", "", "which the roster has beside no name"},
		"UnlistedStudent":    {9, "eve", "", `has no student "eve"`},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := r.Bind(handoff.KeyID(publicKey(test.key)), test.student)
			var refused *grader.Error
			switch {
			case test.refused != "":
				if !errors.As(err, &refused) || refused.Exit != grader.ExitInvalid || !strings.Contains(refused.Message, test.refused) {
					t.Fatalf("error %v", err)
				}
			case err != nil:
				t.Fatal(err)
			case b.Student != test.want:
				t.Errorf("bound to %q", b.Student)
			case (b.How == handoff.ByRoster) != (test.want != ""):
				t.Errorf("how: %s", b.How)
			}
		})
	}
}

func TestRostersThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"Empty":         {"", "roster.csv: it is empty"},
		"NoColumn":      {"student,key\nada,x\n", "roster.csv:1: there is no column public_key"},
		"NoName":        {"student,public_key\n , " + encoded(1) + "\n", "roster.csv:2: student is empty"},
		"NoKey":         {"student,public_key\nada,\n", "roster.csv:2: public_key is empty"},
		"NotAKey":       {"student,public_key\nada,hello\n", "roster.csv:2: the public key of ada is neither"},
		"PrivateKey":    {"student,public_key\nada,\"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n\"\n", `a PEM block "PRIVATE KEY"`},
		"OtherKind":     {"student,public_key\nada,AAAA\n", "not the SubjectPublicKeyInfo"},
		"TwoOwners":     {"student,public_key\nada," + encoded(1) + "\nbob," + encoded(1) + "\n", "roster.csv:3: bob has the key of ada"},
		"TooManyCells":  {"student,public_key\nada," + encoded(1) + ",x\n", "roster.csv:2: wrong number of fields"},
		"QuoteOpen":     {"student,public_key\n\"ada," + encoded(1) + "\n", "roster.csv:"},
		"NotUTF8":       {"student,public_key\n\xff," + encoded(1) + "\n", "it is not UTF-8"},
		"Escape":        {"student,public_key\n\x1b[31m," + encoded(1) + "\n", "cannot be a student's name"},
		"ReservedName":  {"student,public_key\nnone," + encoded(1) + "\n", `"none" cannot be`},
		"LongName":      {"student,public_key\n" + strings.Repeat("x", 201) + "," + encoded(1) + "\n", "cannot be a student's name"},
		"CarriageAlone": {"student,public_key\rada,x", "there is no column"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := identity.ParseRoster("roster.csv", []byte(test.text))
			var refused *grader.Error
			if !errors.As(err, &refused) || refused.Exit != grader.ExitUsage || !strings.Contains(refused.Message, test.want) {
				t.Errorf("error %v; want one with %q", err, test.want)
			}
		})
	}
}

func TestFirstUseRemembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.csv")
	now := time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC)
	open := func() *identity.FirstUse {
		f, err := identity.OpenFirstUse(context.Background(), path, func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	ada, eve := handoff.KeyID(publicKey(1)), handoff.KeyID(publicKey(2))
	f := open()
	if b, err := f.Bind(ada, "ada"); err != nil || b != (identity.Binding{Student: "ada", How: handoff.ByFirstUse, Since: "2026-03-02", New: true}) {
		t.Fatalf("%+v, %v", b, err)
	}
	if b, err := f.Bind(eve, ""); err != nil || b.How != handoff.None {
		t.Fatalf("a key without a name: %+v, %v", b, err)
	}
	f.Close()

	now = now.AddDate(0, 1, 0)
	f = open()
	defer f.Close()
	for _, student := range []string{"ada", ""} {
		if b, err := f.Bind(ada, student); err != nil || b != (identity.Binding{Student: "ada", How: handoff.ByFirstUse, Since: "2026-03-02"}) {
			t.Errorf("%+v, %v", b, err)
		}
	}
	for name, test := range map[string]struct{ id, student string }{"OtherKeyOfTheName": {eve, "ada"}, "OtherNameOfTheKey": {ada, "eve"}} {
		_, err := f.Bind(test.id, test.student)
		var refused *grader.Error
		if !errors.As(err, &refused) || refused.Code != "other_student" || refused.Exit != grader.ExitInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	data, err := os.ReadFile(path)
	if want := "student,key_id,first_seen\nada," + ada + ",2026-03-02\n"; err != nil || string(data) != want {
		t.Errorf("the file holds %q, %v", data, err)
	}
}

func TestFirstUseRefusesDamage(t *testing.T) {
	for name, text := range map[string]string{
		"NoDay":   "student,key_id,first_seen\nada," + handoff.KeyID(publicKey(1)) + ",soon\n",
		"Twice":   "student,key_id,first_seen\nada," + handoff.KeyID(publicKey(1)) + ",2026-03-02\nada," + handoff.KeyID(publicKey(2)) + ",2026-03-02\n",
		"NoKeyID": "student,key_id,first_seen\nada,x,2026-03-02\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "keys.csv")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := identity.OpenFirstUse(context.Background(), path, time.Now)
			var refused *grader.Error
			if !errors.As(err, &refused) || refused.Exit != grader.ExitUsage {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestWordsSayWhatIsNotProved(t *testing.T) {
	for _, b := range []identity.Binding{
		{Student: "ada", How: handoff.ByRoster}, {Student: "ada", How: handoff.ByFirstUse, Since: "2026-03-02"},
		{Student: "ada", How: handoff.ByFirstUse, Since: "2026-03-02", New: true},
	} {
		if words := b.Words(); !strings.HasPrefix(words, "ada, by ") || !strings.Contains(words, "does not say") {
			t.Errorf("%+v: %s", b, words)
		}
	}
}

// FuzzRoster holds that a roster is read, or refused with a message of one line.
func FuzzRoster(f *testing.F) {
	f.Add([]byte(roster()))
	f.Add([]byte("student,public_key\n\"a\"b,c\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := identity.ParseRoster("roster.csv", data)
		var refused *grader.Error
		if err != nil && (!errors.As(err, &refused) || strings.Contains(refused.Message, "\n")) {
			t.Fatalf("error %q", err)
		}
		if err == nil {
			_, _ = r.Bind(handoff.KeyID(publicKey(1)), "")
		}
	})
}
