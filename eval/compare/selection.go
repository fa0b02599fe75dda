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
	// names of variants; V=W compares V of the first run with W of the second, and so on for more
	// runs; for a single run, the variants to compare with each other
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
	faults := c.Faults
	if faults == nil {
		faults = []string{eval.NoFault}
	}
	rows, err := variantsToCompare(sources, of, c.Variants, faults)
	if err != nil {
		return nil, err
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

// variantsToCompare returns the variants of each set of sides: one per run, or several of one run.
func variantsToCompare(sources []RunData, of []eval.SuiteSummary, wanted, faults []string) ([][]string, error) {
	if len(sources) == 1 {
		return variantsOfOneRun(sources[0], of[0], wanted, faults)
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
	for _, v := range variantsOf(of[0]) {
		if isInAll(of, v) {
			list = append(list, slices.Repeat([]string{v}, len(of)))
		}
	}
	if single, ok := singleVariants(of); ok && (list == nil || haveSeveralTargets(of)) {
		list = append([][]string{single}, list...)
	}
	if list == nil {
		return nil, fmt.Errorf("no variant of suite %s is in all runs: %s has %s, %s has %s; pair them with --variant %s",
			of[0].Name, sources[0].Name, suggest.JoinWords(variantsOf(of[0])), sources[1].Name,
			suggest.JoinWords(variantsOf(of[1])), pairExample(len(of)))
	}
	return list, nil
}

func isInAll(of []eval.SuiteSummary, variant string) bool {
	return !slices.ContainsFunc(of, func(s eval.SuiteSummary) bool { return !slices.Contains(variantsOf(s), variant) })
}

// singleVariants returns the only variant of each run that is not in all of them. Baseline models
// count only in a run that has nothing else. ok is false if a run has several such variants, or none.
func singleVariants(of []eval.SuiteSummary) (names []string, ok bool) {
	for _, s := range of {
		rest := slices.DeleteFunc(variantsOf(s), func(v string) bool { return isInAll(of, v) })
		agents := slices.DeleteFunc(slices.Clone(rest), s.IsBaselineModel)
		if len(agents) > 0 {
			rest = agents
		}
		if len(rest) != 1 {
			return nil, false
		}
		names = append(names, rest[0])
	}
	return names, true
}

// haveSeveralTargets reports whether the runs are known to have evaluated different targets.
func haveSeveralTargets(of []eval.SuiteSummary) bool {
	return slices.ContainsFunc(of, func(s eval.SuiteSummary) bool {
		return s.Target != "" && of[0].Target != "" && s.Target != of[0].Target
	})
}

// variantsOfOneRun returns the variants of a single run to compare: the requested ones, or else all
// that ran under the faults. The first is the baseline variant. There must be at least two.
func variantsOfOneRun(s RunData, of eval.SuiteSummary, wanted, faults []string) ([][]string, error) {
	for _, v := range wanted {
		if err := suggest.CheckKnown("variant", v, variantsOf(of)); err != nil {
			return nil, fmt.Errorf("--variant: %w", err)
		}
	}
	if len(wanted) == 0 {
		if wanted = variantsUnder(of, faults); len(wanted) < 2 {
			wanted = variantsOf(of) // the caller reports the fault that they lack
		}
		if i := slices.Index(wanted, of.BaselineVariant); i > 0 {
			wanted = slices.Insert(slices.Delete(wanted, i, i+1), 0, of.BaselineVariant)
		}
	}
	switch n := len(wanted); {
	case n < 2:
		return nil, fmt.Errorf("%s is one run: %w (%s)", s.Name, errOneVariant, suggest.JoinWords(variantsOf(of)))
	case n > maxSides:
		return nil, fmt.Errorf("%d variants are more than %d to compare at once: choose some with --variant (%s)",
			n, maxSides, suggest.JoinWords(variantsOf(of)))
	}
	return [][]string{wanted}, nil
}

var errOneVariant = errors.New("name another, or two of its variants with --variant")

// variantsUnder returns the variants that ran under each of the faults.
func variantsUnder(of eval.SuiteSummary, faults []string) []string {
	return slices.DeleteFunc(variantsOf(of), func(v string) bool {
		ran := faultsOf(of, v)
		return slices.ContainsFunc(faults, func(f string) bool { return !slices.Contains(ran, f) })
	})
}

// parseVariantPair parses V, or V=W with a variant of each run, into one variant name per run. Names
// may contain "=".
func parseVariantPair(sources []RunData, of []eval.SuiteSummary, text string) ([]string, error) {
	if isInAll(of, text) {
		return slices.Repeat([]string{text}, len(of)), nil
	}
	if names, ok := splitVariants(of, text); ok {
		return names, nil
	}
	names := strings.Split(text, "=")
	switch {
	case len(names) == 1 || slices.Contains(variantsOf(of[0]), text):
		names = slices.Repeat([]string{text}, len(of))
	case len(names) != len(of):
		return nil, fmt.Errorf("--variant %s: names %d variants for %d runs: write %s", text, len(names), len(of),
			pairExample(len(of)))
	}
	for i, s := range slices.Backward(of) {
		if !slices.Contains(variantsOf(s), names[i]) {
			return nil, fmt.Errorf("--variant: %s: %w", sources[i].Name,
				suggest.UnknownWordError("variant", names[i], variantsOf(s)))
		}
	}
	return names, nil
}

// splitVariants splits a text at "=" into one variant of each run. ok is false if it is not possible.
func splitVariants(of []eval.SuiteSummary, text string) (names []string, ok bool) {
	if len(of) == 1 {
		return []string{text}, slices.Contains(variantsOf(of[0]), text)
	}
	for _, v := range variantsOf(of[0]) {
		if rest, found := strings.CutPrefix(text, v+"="); found {
			if names, ok = splitVariants(of[1:], rest); ok {
				return append([]string{v}, names...), true
			}
		}
	}
	return nil, false
}

// pairExample returns how to write one variant of each of this many runs: V=W for two.
func pairExample(runs int) string {
	if runs > 3 {
		return "V=W=X=…"
	}
	return "V=W=X"[:2*runs-1]
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
