package reports

import (
	"strings"
	"unicode"

	"evalctl/reports/finding"
)

// prose is a sentence as lines that hang under its mark.
func (t *terminal) prose(s finding.Sentence) []string {
	mark, as := "·", plain
	if s.IsWarning() {
		mark, as = "!", warn
	}
	var text strings.Builder
	var bold []bool // of each sign of the text that is no blank
	for _, p := range s.Shown(true) {
		piece := spoken(p)
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
		lines = append(lines, lead+t.emphasised(line, &bold))
		lead = "  "
	}
	return lines
}

// spoken is a part of a sentence, harmless and of a length to be read.
func spoken(p finding.Part) string {
	if p.Role == finding.Variant || p.Role == finding.Name {
		return named(p.Text)
	}
	return p.Text
}

// emphasised paints the signs of a line that are said to be bold, and takes them
// off the list.
func (t *terminal) emphasised(line string, bold *[]bool) string {
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
	blanks := "" // between words that are bold they are, too
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
