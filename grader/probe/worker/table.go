package worker

import (
	"fmt"
	"reflect"

	"fieldbook/grader"
	"fieldbook/runtime/exercise"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// table calls the program's entry once for each argument list. Arguments are made twice, and the second set is compared
// with the first after the call, so that a function that changes what it was given is found out. Once the function has
// said that it is unfinished, every later row is unfinished too.
func table(program Program, calls [][]world.Value) ([]Row, *grader.Crash, error) {
	var function reflect.Value
	var err error
	crash := guard(program, func() { function, err = program.Function() }) // package variables run here
	if err != nil {
		return nil, nil, fmt.Errorf("find the function: %w", err)
	}
	if crash != nil {
		return nil, crash, nil
	}
	rows := make([]Row, 0, len(calls))
	for i, values := range calls {
		given, err := arguments(function.Type(), values)
		if err != nil {
			return nil, nil, fmt.Errorf("case %d: %w", i+1, err)
		}
		untouched, err := arguments(function.Type(), values)
		if err != nil {
			return nil, nil, fmt.Errorf("case %d: %w", i+1, err)
		}
		row, err := call(program, function, given)
		if err != nil {
			return nil, nil, fmt.Errorf("case %d: %w", i+1, err)
		}
		for j := range given {
			row.Changed = row.Changed || !reflect.DeepEqual(given[j].Interface(), untouched[j].Interface())
		}
		rows = append(rows, row)
	}
	return rows, nil, nil
}

func call(program Program, function reflect.Value, arguments []reflect.Value) (Row, error) {
	var row Row
	var err error
	row.Crash = guard(program, func() { row.Value, row.Raises, err = results(function.Call(arguments)) })
	if exercise.Reached() {
		return Row{Unfinished: true}, nil
	}
	return row, err
}

// arguments makes the argument list of a function of the given type.
func arguments(function reflect.Type, values []world.Value) ([]reflect.Value, error) {
	if function.Kind() != reflect.Func || function.IsVariadic() || function.NumIn() != len(values) {
		return nil, fmt.Errorf("%d arguments do not fit %s", len(values), function)
	}
	list := make([]reflect.Value, len(values))
	for i, v := range values {
		list[i] = reflect.New(function.In(i)).Elem()
		if err := fill(list[i], v); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return list, nil
}

// fill stores a value in a place of a fitting type. Kinds never convert: an Int does not fit a float64.
func fill(place reflect.Value, v world.Value) error {
	misfit := fmt.Errorf("%s (%s) does not fit %s", v, v.Kind(), place.Type())
	switch kind := place.Kind(); {
	case v.Kind() == world.Null && (kind == reflect.Map || kind == reflect.Slice || kind == reflect.Pointer):
		return nil
	case v.Kind() == world.Bool && kind == reflect.Bool:
		b, _ := v.AsBool()
		place.SetBool(b)
	case v.Kind() == world.String && kind == reflect.String:
		s, _ := v.AsString()
		place.SetString(s)
	case v.Kind() == world.Float && (kind == reflect.Float64 || kind == reflect.Float32):
		f, _ := v.AsFloat()
		place.SetFloat(f)
	case v.Kind() == world.Int && place.CanInt():
		n, _ := v.AsInt()
		if place.OverflowInt(n) {
			return misfit
		}
		place.SetInt(n)
	case v.Kind() == world.Int && place.CanUint():
		n, _ := v.AsInt()
		if n < 0 || place.OverflowUint(uint64(n)) {
			return misfit
		}
		place.SetUint(uint64(n))
	case v.Kind() == world.List && kind == reflect.Slice:
		elements, _ := v.AsList()
		place.Set(reflect.MakeSlice(place.Type(), len(elements), len(elements)))
		for i, e := range elements {
			if err := fill(place.Index(i), e); err != nil {
				return err
			}
		}
	case v.Kind() == world.Map && kind == reflect.Map && place.Type().Key().Kind() == reflect.String:
		entries, _ := v.AsMap()
		place.Set(reflect.MakeMapWithSize(place.Type(), len(entries)))
		for k, e := range entries {
			element := reflect.New(place.Type().Elem()).Elem()
			if err := fill(element, e); err != nil {
				return err
			}
			place.SetMapIndex(reflect.ValueOf(k).Convert(place.Type().Key()), element)
		}
	default:
		return misfit
	}
	return nil
}

// results turns what a call returned into a value, or into the name of its error when its last result is one. Several
// values become a list.
func results(list []reflect.Value) (value world.Value, raises string, err error) {
	if n := len(list); n > 0 && list[n-1].Type() == reflect.TypeFor[error]() {
		if failure, _ := list[n-1].Interface().(error); failure != nil {
			return world.Value{}, shop.Refusal(failure), nil
		}
		list = list[:n-1]
	}
	values := make([]world.Value, len(list))
	for i := range list {
		if values[i], err = read(list[i]); err != nil {
			return world.Value{}, "", err
		}
	}
	if len(values) == 1 {
		return values[0], "", nil
	}
	return world.ListValue(values...), "", nil
}

// read is the inverse of fill.
func read(v reflect.Value) (world.Value, error) {
	switch kind := v.Kind(); {
	case kind == reflect.Bool:
		return world.BoolValue(v.Bool()), nil
	case kind == reflect.String:
		return world.StringValue(v.String()), nil
	case v.CanFloat():
		return world.FloatValue(v.Float()), nil
	case v.CanInt():
		return world.IntValue(v.Int()), nil
	case v.CanUint() && v.Uint() <= 1<<63-1:
		return world.IntValue(int64(v.Uint())), nil
	case kind == reflect.Slice && v.IsNil(), kind == reflect.Map && v.IsNil():
		return world.NullValue(), nil
	case kind == reflect.Slice:
		elements := make([]world.Value, v.Len())
		for i := range elements {
			var err error
			if elements[i], err = read(v.Index(i)); err != nil {
				return world.Value{}, err
			}
		}
		return world.ListValue(elements...), nil
	case kind == reflect.Map && v.Type().Key().Kind() == reflect.String:
		entries := map[string]world.Value{}
		for _, key := range v.MapKeys() {
			element, err := read(v.MapIndex(key))
			if err != nil {
				return world.Value{}, err
			}
			entries[key.String()] = element
		}
		return world.MapValue(entries), nil
	default:
		return world.Value{}, fmt.Errorf("a result of type %s cannot be compared", v.Type())
	}
}
