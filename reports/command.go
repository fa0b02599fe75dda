package reports

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// showCommand returns the evalctl command that shows a case. If an argument starts with a dash, the
// command contains "--", so that evalctl does not read the argument as a flag.
func showCommand(dir, id, variant string) []string {
	if strings.HasPrefix(id, "-") || strings.HasPrefix(dir, "-") {
		return []string{"evalctl", "show", "--variant=" + variant, "--", dir, id}
	}
	return []string{"evalctl", "show", dir, id, "--variant", variant}
}

const maxCompareCommands = 3

// compareCommands returns the compare commands that a report suggests. For each suite, the command
// compares the baseline variant with the best variant whose decisions differ from it.
func compareCommands(dir string, suites []eval.SuiteSummary) (list [][]string) {
	for _, s := range suites {
		first := finding.BaselineVariant(s)
		ranked := finding.RankedByAccuracy(s)
		i := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool {
			d, ok := finding.Difference(s, c.Variant, first)
			return ok && d.State != eval.InsufficientData && d.Fixed+d.Broken > 0
		})
		if dir == "" || i < 0 || len(list) == maxCompareCommands {
			continue
		}
		words := compareCommand(dir, first, ranked[i].Variant)
		if !slices.ContainsFunc(list, func(other []string) bool { return slices.Equal(other, words) }) {
			list = append(list, words)
		}
	}
	return list
}

// compareCommand returns the evalctl command that compares two variants. If an argument starts with
// a dash, the command contains "--", so that evalctl does not read the argument as a flag.
func compareCommand(dir, first, second string) []string {
	if strings.HasPrefix(dir, "-") || strings.HasPrefix(first, "-") || strings.HasPrefix(second, "-") {
		return []string{"evalctl", "compare", "--variant=" + first, "--variant=" + second, "--", dir}
	}
	return []string{"evalctl", "compare", dir, "--variant", first, "--variant", second}
}

// ShowCommand returns the quoted shell command that shows the trial r of the run in directory dir.
func ShowCommand(dir string, r eval.Result) string {
	words := showCommand(dir, r.Case, r.Variant)
	if r.Fault != eval.NoFault {
		words = slices.Insert(words, 2, "--fault="+r.Fault)
	}
	for i, w := range words {
		words[i] = document.ShellQuote(w)
	}
	return strings.Join(words, " ")
}
