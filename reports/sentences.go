package reports

import (
	"strings"
	"unicode"

	"evalctl/reports/finding"
)

// prose wraps a sentence into lines with a hanging indent after its mark.
func (t *terminal) prose(s finding.Sentence) []string {
	mark, as := "·", plain
	if s.IsWarning() {
		mark, as = "!", warn
	}
	var text strings.Builder
	var bold []bool // for each non-blank character of the text
	for _, p := range s.Shown(true) {
		piece := partText(p)
		for _, r := range piece {
			if !unicode.IsSpace(r) {
				bold = append(bold, p.Role == finding.Variant)
			}
		}
		text.WriteString(piece)
	}
	var lines []string
	lead := t.paint(mark, as) + " "
	for _, line := range wrap(text.String(), t.width-2) {
		lines = append(lines, lead+t.paintBold(line, &bold))
		lead = "  "
	}
	return lines
}

// partText returns a part of a sentence. Names are escaped and shortened.
func partText(p finding.Part) string {
	if p.Role == finding.Variant || p.Role == finding.Name {
		return named(p.Text)
	}
	return p.Text
}

// paintBold formats the bold characters of a line and removes the used entries from the list.
func (t *terminal) paintBold(line string, bold *[]bool) string {
	var out, run strings.Builder
	strongly := false
	flush := func() {
		as := plain
		if strongly {
			as = strong
		}
		out.WriteString(t.paint(run.String(), as))
		run.Reset()
	}
	blanks := "" // blanks between bold words are bold, too
	for _, r := range line {
		if unicode.IsSpace(r) {
			blanks += string(r)
			continue
		}
		if (*bold)[0] != strongly {
			if strongly {
				flush()
			}
			strongly = false
			run.WriteString(blanks)
			blanks = ""
			if (*bold)[0] {
				flush()
				strongly = true
			}
		}
		*bold = (*bold)[1:]
		run.WriteString(blanks + string(r))
		blanks = ""
	}
	flush()
	return out.String()
}
