package handoff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/handoff"
	"fieldbook/handoff/canonical"
)

func vectorReceipt() handoff.Receipt {
	r := vectorRecord()
	return handoff.Receipt{
		Handoff: handoff.Digest([]byte("handoff")), Exercise: r.Exercise, Unit: r.Unit, Edition: r.Edition, Runtime: r.Runtime, Probes: r.Probes,
		Signer: handoff.Digest([]byte("key")), Student: "Zoë <zoe@example.org>", Identity: handoff.ByRoster,
		Holdouts: handoff.Digest([]byte("holdouts")), Seed: 7, Seeds: 2,
		Result:  json.RawMessage(`{"holdouts":[{"result":"none","verdict":"NEEDS_WORK"}],"of":3,"points":0}`),
		Verdict: "NEEDS_WORK", Engine: r.Engine, Tools: r.Tools, Sandbox: r.Sandbox, Environment: r.Environment,
	}
}

func mustReceipt(t testing.TB, r handoff.Receipt) []byte {
	t.Helper()
	data, err := handoff.SignReceipt(r, otherKey())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// receiptRefusal wants a refusal of kind Invalid that speaks of a receipt.
func receiptRefusal(t testing.TB, data []byte) *handoff.Error {
	t.Helper()
	_, err := handoff.ReadReceipt(data)
	var refused *handoff.Error
	if !errors.As(err, &refused) || refused.Kind != handoff.Invalid {
		t.Fatalf("not refused: %v", err)
	}
	if !strings.HasPrefix(refused.Code, "receipt_") || refused.Hint == "" || strings.Contains(refused.Message, "\n") {
		t.Fatalf("a refusal that cannot be shown: %+v", refused)
	}
	return refused
}

func TestReceiptIsReadAsItWasWritten(t *testing.T) {
	want := vectorReceipt()
	data := mustReceipt(t, want)
	got, err := handoff.ReadReceipt(data)
	if err != nil {
		t.Fatal(err)
	}
	if got.Handoff != want.Handoff || got.Student != want.Student || got.Seed != 7 || string(got.Result) != string(want.Result) {
		t.Errorf("read %+v", got.Receipt)
	}
	if got.KeyID != handoff.KeyID(got.PublicKey) || got.Digest != handoff.Digest(data) || !handoff.IsReceipt(data) {
		t.Errorf("key %s, digest %s", got.KeyID, got.Digest)
	}
	again, err := handoff.SignReceipt(got.Receipt, otherKey())
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("signed again it has other bytes: %v", err)
	}
}

func TestReceiptAndHandoffAreNotTakenForEachOther(t *testing.T) {
	receipt, data := mustReceipt(t, vectorReceipt()), mustSign(t, vectorRecord(), vectorKey())
	if refused := receiptRefusal(t, data); refused.Code != "receipt_other_type" {
		t.Errorf("a handoff read as a receipt: %+v", refused)
	}
	var refused *handoff.Error
	if _, err := handoff.Read(receipt); !errors.As(err, &refused) || refused.Code != handoff.CodeOtherType {
		t.Errorf("a receipt read as a handoff: %v", err)
	}
	if handoff.IsReceipt(data) || handoff.IsReceipt([]byte("{}")) || handoff.IsReceipt(nil) {
		t.Error("something else is taken for a receipt")
	}
}

func TestEveryByteOfAReceipt(t *testing.T) {
	data := mustReceipt(t, vectorReceipt())
	for at := range data {
		for _, flip := range []byte{1, 32, 128} {
			changed := slices.Clone(data)
			changed[at] ^= flip
			_ = receiptRefusal(t, changed)
		}
		_ = receiptRefusal(t, data[:at])
	}
}

func TestReceiptsThatCannotBe(t *testing.T) {
	for name, change := range map[string]func(*handoff.Receipt){
		"NoHandoff":           func(r *handoff.Receipt) { r.Handoff = "" },
		"UpperCaseDigest":     func(r *handoff.Receipt) { r.Holdouts = strings.ToUpper(r.Holdouts) },
		"NoVerdict":           func(r *handoff.Receipt) { r.Verdict = "" },
		"UnknownIdentity":     func(r *handoff.Receipt) { r.Identity = "passport" },
		"StudentWithoutProof": func(r *handoff.Receipt) { r.Identity = handoff.None },
		"ProofWithoutStudent": func(r *handoff.Receipt) { r.Student = handoff.None },
		"EscapeInName":        func(r *handoff.Receipt) { r.Student = "\x1b[31mred" },
		"NameNotUTF8":         func(r *handoff.Receipt) { r.Student = "\xff" },
		"LongName":            func(r *handoff.Receipt) { r.Student = strings.Repeat("x", 201) },
		"NegativeSeed":        func(r *handoff.Receipt) { r.Seed = -1 },
		"SeedTooLarge":        func(r *handoff.Receipt) { r.Seed = canonical.MaxInteger + 1 },
		"ResultIsAList":       func(r *handoff.Receipt) { r.Result = json.RawMessage(`[]`) },
		"ResultNotCanonical":  func(r *handoff.Receipt) { r.Result = json.RawMessage(`{"b":1,"a":2}`) },
		"NoResult":            func(r *handoff.Receipt) { r.Result = nil },
		"YearTenThousand":     func(r *handoff.Receipt) { r.Environment.Created = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
	} {
		t.Run(name, func(t *testing.T) {
			r := vectorReceipt()
			change(&r)
			_, err := handoff.SignReceipt(r, otherKey())
			var refused *handoff.Error
			if !errors.As(err, &refused) || refused.Code != "receipt_record" || refused.Kind != handoff.Machine {
				t.Fatalf("signed, or another error: %v", err)
			}
		})
	}
}

// TestSignedChangesOfReceipts holds that a rightly signed statement with another content than the format has is refused.
func TestSignedChangesOfReceipts(t *testing.T) {
	payload := string(open(t, mustReceipt(t, vectorReceipt())).payload(t))
	for name, change := range map[string]struct{ old, new, code string }{
		"UnknownKey":      {`"exercise":"restore"`, `"exercise":"restore","extra":1`, "receipt_statement"},
		"MissingKey":      {`"unit":"ch19-a",`, ``, "receipt_statement"},
		"AnotherSubject":  {`"name":"handoff"`, `"name":"implementation"`, "receipt_statement"},
		"AnotherVersion":  {"receipt/v1", "receipt/v2", "receipt_other_type"},
		"Handoff":         {"https://fieldbook.example/receipt/v1", "https://fieldbook.example/handoff/v1", "receipt_other_type"},
		"NullStudent":     {`"student":"Zoë <zoe@example.org>"`, `"student":null`, "receipt_statement"},
		"UnsortedKeys":    {`"seed":7,"seeds":2`, `"seeds":2,"seed":7`, "receipt_not_canonical"},
		"TwoSubjects":     {`"subject":[{`, `"subject":[{"digest":{"sha256":"` + handoff.Digest(nil) + `"},"name":"handoff"},{`, "receipt_statement"},
		"AnotherOwnKey":   {`"public_key":"`, `"public_key":"A`, "receipt_key"},
		"WhiteSpace":      {`"seed":7`, `"seed": 7`, "receipt_not_canonical"},
		"IdentityUnknown": {`"identity":"roster"`, `"identity":"rooster"`, "receipt_statement"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(payload, change.old, change.new, 1)
			if changed == payload {
				t.Fatalf("the payload does not hold %s", change.old)
			}
			if refused := receiptRefusal(t, sealed(t, []byte(changed), otherKey())); refused.Code != change.code {
				t.Errorf("%s: %s", refused.Code, refused.Message)
			}
		})
	}
}

// FuzzReceipt signs whatever the fuzzer makes of a statement. What is accepted must mean what it says.
func FuzzReceipt(f *testing.F) {
	f.Add(open(f, mustReceipt(f, vectorReceipt())).payload(f))
	f.Add(vectorPayload(f))
	f.Fuzz(func(t *testing.T, payload []byte) {
		if len(payload) > handoff.MaxSize/2 {
			return
		}
		data := sealed(t, payload, otherKey())
		r, err := handoff.ReadReceipt(data)
		if err != nil {
			_ = receiptRefusal(t, data)
			return
		}
		if again := mustReceipt(t, r.Receipt); !bytes.Equal(again, data) {
			t.Fatalf("read %+v, which is written as %q", r.Receipt, again)
		}
	})
}
