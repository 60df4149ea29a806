package object

import "reflect"

// Case is one case of a select statement.
type Case struct {
	reflect.SelectCase
	into reflect.Value // where a receive stores
}

// SendCase sends what p points to.
func SendCase(ch, p any) *Case {
	return &Case{SelectCase: reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(ch), Send: reflect.ValueOf(p).Elem()}}
}

// ReceiveCase receives into what p points to.
func ReceiveCase(ch, p any) *Case {
	return &Case{SelectCase: reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ch)}, into: reflect.ValueOf(p).Elem()}
}

// Select runs a select statement: the number of the case that was chosen, -1 for default, and whether a receive got a
// value that was sent.
func Select(hasDefault bool, cases ...*Case) (chosen int, ok bool) {
	if len(cases) == 0 && !hasDefault {
		select {}
	}
	list := make([]reflect.SelectCase, len(cases), len(cases)+1)
	for i, c := range cases {
		list[i] = c.SelectCase
	}
	if hasDefault {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	chosen, v, ok := reflect.Select(list)
	if chosen == len(cases) {
		return -1, false
	}
	if c := cases[chosen]; c.into.IsValid() {
		c.into.Set(v)
	}
	return chosen, ok
}
