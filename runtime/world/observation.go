package world

import "encoding/json"

// Observation is what a probe saw: named values that carry their kinds. The zero Observation is empty and ready to use.
// A probe sets each field once; setting it again replaces it.
type Observation struct {
	fields map[string]Value
}

// Set stores any value.
func (o *Observation) Set(name string, v Value) {
	if o.fields == nil {
		o.fields = map[string]Value{}
	}
	o.fields[name] = v
}

// Bool stores a truth value.
func (o *Observation) Bool(name string, v bool) { o.Set(name, BoolValue(v)) }

// Int stores a whole number.
func (o *Observation) Int(name string, v int64) { o.Set(name, IntValue(v)) }

// Float stores a floating-point number.
func (o *Observation) Float(name string, v float64) { o.Set(name, FloatValue(v)) }

// String stores text.
func (o *Observation) String(name string, v string) { o.Set(name, StringValue(v)) }

// Null stores null.
func (o *Observation) Null(name string) { o.Set(name, NullValue()) }

// List stores a list.
func (o *Observation) List(name string, v ...Value) { o.Set(name, ListValue(v...)) }

// Map stores a map with text keys.
func (o *Observation) Map(name string, v map[string]Value) { o.Set(name, MapValue(v)) }

// Value returns a field, Absent when it was never set.
func (o Observation) Value(name string) Value { return o.fields[name] }

// Fields returns a copy of all fields.
func (o Observation) Fields() map[string]Value {
	m := make(map[string]Value, len(o.fields))
	for k, v := range o.fields {
		m[k] = v
	}
	return m
}

// MarshalJSON writes an object of tagged values, keys sorted.
func (o Observation) MarshalJSON() ([]byte, error) { return json.Marshal(o.Fields()) }

// UnmarshalJSON reads what MarshalJSON writes and replaces every field.
func (o *Observation) UnmarshalJSON(data []byte) error {
	var fields map[string]Value
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	o.fields = fields
	return nil
}
