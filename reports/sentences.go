package reports

import (
	"strings"
	"unicode"

	"evalctl/reports/finding"
)

// prose returns the lines of a finding, wrapped to the width, with its variant names in bold. The
// mark is "!" for a warning and otherwise "·".
func (t *terminal) prose(s finding.Sentence) []string {
	mark, as := "·", plain
	if s.IsWarning() {
		mark, as = "!", warn
	}
	var text strings.Builder
	var bold []bool // whether each character of the text is bold, without blanks
	for _, p := range s.ShownParts(true) {
		piece := partText(p)
		for _, r := range piece {
			if !unicode.IsSpace(r) {
				bold = append(bold, p.Role == finding.VariantName)
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

func partText(p finding.SentencePart) string {
	if p.Role == finding.VariantName || p.Role == finding.OtherName {
		return named(p.Text)
	}
	return p.Text
}

// paintBold makes the characters of a line bold for which the list bold is true. It removes the
// used entries from the list.
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
	blanks := "" // blanks between two bold words are bold, too
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
