package reports

import (
	"regexp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

var bareWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)

// ShellQuote puts a word in single quotes if a POSIX shell would not read it unchanged.
func ShellQuote(word string) string {
	if bareWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// showCommand returns the evalctl command that shows a case. If an argument starts with a dash, the
// command contains "--", so that evalctl does not read the argument as a flag.
func showCommand(dir, id, variant string) []string {
	if strings.HasPrefix(id, "-") || strings.HasPrefix(dir, "-") {
		return []string{"evalctl", "show", "--variant=" + variant, "--", dir, id}
	}
	return []string{"evalctl", "show", dir, id, "--variant", variant}
}

// command formats a shell command that follows the text lead on a line. It continues a long command
// on the next line with a backslash. It returns nil if the command cannot be copied from a
// terminal: if there is no word, or one is empty, wider than the line, or contains control characters.
func command(lead string, words []string, width int) (lines []string) {
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return clean(w) != w || w == "" }) {
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
		words[i] = ShellQuote(w)
	}
	return strings.Join(words, " ")
}
