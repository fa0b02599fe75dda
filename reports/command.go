package reports

import (
	"regexp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// bareWord matches words that need no shell quotes.
var bareWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)

// ShellQuote quotes a word for a POSIX shell, if necessary.
func ShellQuote(word string) string {
	if bareWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// showCommand returns the command that shows a case. A leading dash in an argument is not parsed as
// a flag.
func showCommand(dir, id, variant string) []string {
	if strings.HasPrefix(id, "-") || strings.HasPrefix(dir, "-") {
		return []string{"evalctl", "show", "--variant=" + variant, "--", dir, id}
	}
	return []string{"evalctl", "show", dir, id, "--variant", variant}
}

// command formats a shell command after a lead. A command that is too long is continued on the next
// line with a backslash. It returns nil if a word does not fit, is empty, or contains characters
// that a terminal does not show unchanged.
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

// maxCompareCommands is the maximum number of compare commands at the end of a screen.
const maxCompareCommands = 3

// compareCommands returns, for each suite, the command that compares the baseline variant with the
// best variant that differs from it.
func compareCommands(dir string, suites []eval.SuiteSummary) (list [][]string) {
	for _, s := range suites {
		first := finding.BaselineVariant(s)
		ranked := finding.Ranked(s)
		i := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool {
			d, ok := finding.Difference(s, c.Name, first)
			return ok && d.State != eval.InsufficientData && d.Fixed+d.Broken > 0
		})
		if dir == "" || i < 0 || len(list) == maxCompareCommands {
			continue
		}
		words := compareCommand(dir, first, ranked[i].Name)
		if !slices.ContainsFunc(list, func(other []string) bool { return slices.Equal(other, words) }) {
			list = append(list, words)
		}
	}
	return list
}

// compareCommand returns the command that compares two variants. A leading dash in an argument is
// not parsed as a flag.
func compareCommand(dir, first, second string) []string {
	if strings.HasPrefix(dir, "-") || strings.HasPrefix(first, "-") || strings.HasPrefix(second, "-") {
		return []string{"evalctl", "compare", "--variant=" + first, "--variant=" + second, "--", dir}
	}
	return []string{"evalctl", "compare", dir, "--variant", first, "--variant", second}
}

// ShowCommand returns the shell command that shows a trial of the run in dir.
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
