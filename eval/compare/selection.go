package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// Selection states which suites, variants and faults of the runs to compare. The zero Selection
// compares everything that the runs have in common, without a fault.
type Selection struct {
	Suites []string // nil: all suites that the runs have in common
	// names of variants; V=W compares V of the first run with W of the second; for a single run,
	// the variants to compare with each other
	Variants    []string
	Faults      []string // nil: compare only trials without a fault
	CommonCases bool     // if the runs have different cases, compare only the common ones instead of returning an error
}

// sideSet is a set of sides to compare under one fault: one variant of each run, or several
// variants of one run.
type sideSet []sideKey

// sideSetsOf returns the sets of sides to compare in one suite, one set for each fault and variant.
// suites contains the name of the suite in each run.
func sideSetsOf(sources []RunData, suites []string, c Selection) (list []sideSet, err error) {
	var of []eval.SuiteSummary
	for i, s := range sources {
		one, _ := s.suite(suites[i])
		of = append(of, one)
	}
	rows, err := variantsToCompare(sources, of, c.Variants)
	if err != nil {
		return nil, err
	}
	faults := c.Faults
	if faults == nil {
		faults = []string{eval.NoFault}
	}
	for _, fault := range faults {
		for _, variants := range rows {
			var l sideSet
			for i, v := range variants {
				at := i % len(sources)
				if !slices.Contains(faultsOf(of[at], v), fault) {
					return nil, fmt.Errorf("%s: suite %s, variant %s: %w", sources[at].Name, suites[at], v,
						suggest.UnknownWordError("fault", fault, faultsOf(of[at], v)))
				}
				l = append(l, sideKey{source: at, suite: suites[at], condition: condition{variant: v, fault: fault}})
			}
			list = append(list, l)
		}
	}
	return list, nil
}

// variantsToCompare returns the names of the variants that are compared with each other: one per
// run, or several of one run.
func variantsToCompare(sources []RunData, of []eval.SuiteSummary, wanted []string) ([][]string, error) {
	if len(sources) == 1 {
		return variantsOfOneRun(sources[0], of[0], wanted)
	}
	var list [][]string
	for _, text := range wanted {
		variants, err := parseVariantPair(sources, of, text)
		if err != nil {
			return nil, err
		}
		list = append(list, variants)
	}
	if list != nil {
		return list, nil
	}
	single := make([]string, len(of))
	for i, s := range of {
		if names := variantsOf(s); len(names) == 1 {
			single[i] = names[0]
		}
	}
	for _, v := range variantsOf(of[0]) {
		if !slices.ContainsFunc(of, func(s eval.SuiteSummary) bool { return !slices.Contains(variantsOf(s), v) }) {
			list = append(list, slices.Repeat([]string{v}, len(of)))
		}
	}
	if list == nil && !slices.Contains(single, "") {
		list = [][]string{single}
	}
	if list == nil {
		return nil, fmt.Errorf("no variant of suite %s is in all runs: %s has %s, %s has %s; --variant V=W pairs two",
			of[0].Name,
			sources[0].Name, suggest.Join(variantsOf(of[0])), sources[1].Name, suggest.Join(variantsOf(of[1])))
	}
	return list, nil
}

// variantsOfOneRun checks the requested variants of a single run; there must be at least two.
func variantsOfOneRun(s RunData, of eval.SuiteSummary, wanted []string) ([][]string, error) {
	for _, v := range wanted {
		if err := suggest.CheckKnown("variant", v, variantsOf(of)); err != nil {
			return nil, fmt.Errorf("--variant: %w", err)
		}
	}
	if len(wanted) < 2 {
		return nil, fmt.Errorf("%s is one run: name another, or two of its variants with --variant (%s)", s.Name,
			suggest.Join(variantsOf(of)))
	}
	return [][]string{wanted}, nil
}

var errPairs = errors.New("V=W is for two runs")

// parseVariantPair parses V or V=W into one variant name per run. Names may contain "=".
func parseVariantPair(sources []RunData, of []eval.SuiteSummary, text string) ([]string, error) {
	known := func(i int, v string) bool { return slices.Contains(variantsOf(of[i]), v) }
	missing := -1
	for i := range of {
		if !known(i, text) {
			missing = i
		}
	}
	if missing < 0 {
		return slices.Repeat([]string{text}, len(of)), nil
	}
	for at, sign := range text {
		if sign == '=' && len(of) == 2 && known(0, text[:at]) && known(1, text[at+1:]) {
			return []string{text[:at], text[at+1:]}, nil
		}
	}
	if v, w, pair := strings.Cut(text, "="); pair && !known(0, text) {
		switch {
		case len(of) != 2:
			return nil, fmt.Errorf("--variant %s: %w", text, errPairs)
		case !known(0, v):
			return nil, fmt.Errorf("--variant: %s: %w", sources[0].Name,
				suggest.UnknownWordError("variant", v, variantsOf(of[0])))
		}
		return nil, fmt.Errorf("--variant: %s: %w", sources[1].Name,
			suggest.UnknownWordError("variant", w, variantsOf(of[1])))
	}
	return nil, fmt.Errorf("--variant: %s: %w", sources[missing].Name,
		suggest.UnknownWordError("variant", text, variantsOf(of[missing])))
}

// notCompared returns the suites and variants that exist in only some runs.
func notCompared(sources []RunData, compared map[sideKey]bool) (names []string) {
	used := map[string]bool{}
	for p := range compared {
		used[p.suite], used[p.suite+"/"+p.variant] = true, true
	}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, s := range sources {
		for _, one := range s.Suites {
			if !used[one.Name] {
				add("suite " + one.Name)
				continue
			}
			for _, v := range variantsOf(one) {
				if !used[one.Name+"/"+v] {
					add("variant " + v + " of " + one.Name)
				}
			}
		}
	}
	return names
}
