package reports

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// widthFixes contains texts whose width the table writer computes wrongly. It adds up characters,
// but an emoji sequence, a flag or a character with a variation selector is one symbol. Such texts
// are replaced by blanks of the right width and restored after alignment.
type widthFixes []string

// placeholder starts the placeholder of a text. It has no width, and clean removes it from all
// texts.
const placeholder = "\x00"

// replace must be called in the order in which the texts occur in the table.
func (o *widthFixes) replace(text string) string {
	width := columnsOf(text)
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
		table = after[columnsOf(text):]
	}
	return out.String() + table
}
