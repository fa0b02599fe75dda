package fault_test

import (
	"slices"
	"strings"
	"testing"

	"evalctl/mocks/fault"
)

// FuzzParse checks that every fault spec that Parse accepts can be formatted and parsed again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"router:timeout", "chat:slow=2s@3+image:task_failed%12.5", "a:b", "router:timeout%1e-7",
		"+", "search:reset@", "poll:slow=1h%3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		faults, err := fault.Parse(spec, nil)
		if err != nil {
			return
		}
		var words []string
		for _, x := range faults {
			if err := x.Validate(nil); err != nil {
				t.Fatalf("%q gives an invalid fault: %v", spec, err)
			}
			words = append(words, x.String())
		}
		again, err := fault.Parse(strings.Join(words, "+"), nil)
		if err != nil || !slices.Equal(again, faults) {
			t.Fatalf("%q is written as %q, read as %v, %v", spec, words, again, err)
		}
	})
}
