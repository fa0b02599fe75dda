package reports

import (
	"regexp"
	"slices"
	"strings"
)

// bareWord needs no quotes in a shell.
var bareWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)

// quoted is a word as a POSIX shell takes it, whatever is in it.
func quoted(word string) string {
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
		w = quoted(w)
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
