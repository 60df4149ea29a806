package fieldnotes

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Redacted is what stands in a trace where a secret was.
const Redacted = "[redacted]"

// Redact returns a copy of fields as JSON knows them, in which every field named token or secret, in upper or lower case,
// has the value Redacted: at every depth, in maps, lists and whatever else JSON makes objects of. What JSON cannot write
// is an error.
func Redact(fields map[string]any) (map[string]any, error) {
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	plain := map[string]any{}
	if err := decoder.Decode(&plain); err != nil {
		return nil, err
	}
	if plain == nil { // fields was nil
		plain = map[string]any{}
	}
	redact(plain)
	return plain, nil
}

func redact(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if secret(name) {
				value[name] = Redacted
			} else {
				redact(inner)
			}
		}
	case []any:
		for _, inner := range value {
			redact(inner)
		}
	}
}

func secret(name string) bool {
	return strings.EqualFold(name, "token") || strings.EqualFold(name, "secret")
}
