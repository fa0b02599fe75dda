package document

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// widthFixes holds texts whose display width the table library computes wrongly. The library adds
// up characters, but an emoji sequence, a flag or a character with a variation selector is one
// symbol. Such texts are replaced by blanks of the right width and restored after alignment.
type widthFixes []string

// placeholder marks the start of blanks that replace a text. It has no width, and no text of a
// report contains it, because clean removes it.
const placeholder = "\x00"

// replace returns blanks for a text with a wrong width, and otherwise the text itself. It must be
// called in the order in which the texts occur in the table.
func (o *widthFixes) replace(text string) string {
	width := displayWidth(text)
	if twwidth.WidthWithOptions(text, twwidth.Options{}) == width {
		return text
	}
	*o = append(*o, text)
	return placeholder + strings.Repeat(" ", width)
}

func (o widthFixes) restore(table string) string {
	var out strings.Builder
	for _, text := range o {
		before, after, _ := strings.Cut(table, placeholder)
		out.WriteString(before + text)
		table = after[displayWidth(text):]
	}
	return out.String() + table
}
