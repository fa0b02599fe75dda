package reports

import (
	"regexp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// bareWord needs no quotes in a shell.
var bareWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)

// ShellQuote is a word as a POSIX shell takes it, whatever is in it.
func ShellQuote(word string) string {
	if bareWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// showCommand looks at a case of a variant. What begins with a dash is no flag.
func showCommand(dir, id, variant string) []string {
	if strings.HasPrefix(id, "-") || strings.HasPrefix(dir, "-") {
		return []string{"evalctl", "show", "--variant=" + variant, "--", dir, id}
	}
	return []string{"evalctl", "show", dir, id, "--variant", variant}
}

// command is to be copied into a shell, behind a lead. Where it is too long it is
// broken between words, and the shell reads on. There is none where a word is
// still too long, or has signs that no terminal shows as they are.
func command(lead string, words []string, width int) (lines []string) {
	if slices.ContainsFunc(words, func(w string) bool { return clean(w) != w || w == "" }) {
		return nil
	}
	indent := strings.Repeat(" ", columnsOf(lead))
	const on = ` \`
	line := lead
	for i, w := range words {
		w = ShellQuote(w)
		switch {
		case i == 0:
		case columnsOf(line+" "+w)+len(on) <= width, i == len(words)-1 && columnsOf(line+" "+w) <= width:
			w = " " + w
		default:
			lines, line = append(lines, line+on), indent
		}
		line += w
		if columnsOf(line)+len(on) > width && i < len(words)-1 || columnsOf(line) > width {
			return nil
		}
	}
	return append(lines, line)
}

// mostComparisons is how many commands compare variants at the end of a screen.
const mostComparisons = 3

// comparisons list what is behind gained and lost: of each suite the variant that
// the others are held against, and the best that differs from it.
func comparisons(dir string, suites []eval.SuiteSummary) (list [][]string) {
	for _, s := range suites {
		first := finding.BaselineVariant(s)
		ranked := finding.Ranked(s)
		i := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool {
			d, ok := finding.Difference(s, c.Name, first)
			return ok && d.State != eval.InsufficientData && d.Fixed+d.Broken > 0
		})
		if dir == "" || i < 0 || len(list) == mostComparisons {
			continue
		}
		words := compareCommand(dir, first, ranked[i].Name)
		if !slices.ContainsFunc(list, func(other []string) bool { return slices.Equal(other, words) }) {
			list = append(list, words)
		}
	}
	return list
}

// compareCommand holds a variant against another. What begins with a dash is no flag.
func compareCommand(dir, first, second string) []string {
	if strings.HasPrefix(dir, "-") || strings.HasPrefix(first, "-") || strings.HasPrefix(second, "-") {
		return []string{"evalctl", "compare", "--variant=" + first, "--variant=" + second, "--", dir}
	}
	return []string{"evalctl", "compare", dir, "--variant", first, "--variant", second}
}

// ShowCommand is the command that looks at a trial of the run in dir, for a shell.
func ShowCommand(dir string, r eval.Result) string {
	words := showCommand(dir, r.Case, r.Variant)
	if r.Fault != eval.NoFault {
		words = slices.Insert(words, 2, "--fault="+r.Fault)
	}
	for i, w := range words {
		words[i] = ShellQuote(w)
	}
	return strings.Join(words, " ")
}
