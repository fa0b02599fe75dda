package reports

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// widthFixes are texts that the table writer takes to be wider or narrower than
// they are: it adds up characters, where a family of emoji, a flag or a sign
// with a variation selector is one picture. In their place it gets blanks of
// the same width, and they come back when all is aligned.
type widthFixes []string

// blank begins what stands for a text. It takes no column, and clean lets no
// text have it.
const blank = "\x00"

// replace is called in the order in which the texts will stand in the table.
func (o *widthFixes) replace(text string) string {
	width := columnsOf(text)
	if twwidth.WidthWithOptions(text, twwidth.Options{}) == width {
		return text
	}
	*o = append(*o, text)
	return blank + strings.Repeat(" ", width)
}

func (o widthFixes) restore(table string) string {
	var out strings.Builder
	for _, text := range o {
		before, after, _ := strings.Cut(table, blank)
		out.WriteString(before + text)
		table = after[columnsOf(text):]
	}
	return out.String() + table
}
