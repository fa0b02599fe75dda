package document

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twcache"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// alignedWriter renders tables as text with aligned columns. One writer renders all tables of a
// report, because creating one is expensive.
type alignedWriter struct {
	out    bytes.Buffer
	writer *tablewriter.Table
}

// newAlignedWriter returns a writer that aligns columns without borders. It does not wrap lines,
// because the wrapping of the table library is wrong for Chinese text.
func newAlignedWriter() *alignedWriter {
	c := &alignedWriter{}
	c.writer = tablewriter.NewTable(&c.out,
		tablewriter.WithEastAsian(tw.Off), // the result must not depend on the locale of the environment
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbolCustom("gap").WithColumn(strings.Repeat(" ", Gap)),
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.Separators{
				ShowHeader:     tw.Off,
				ShowFooter:     tw.Off,
				BetweenRows:    tw.Off,
				BetweenColumns: tw.On,
			}},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off), tablewriter.WithTrimTab(tw.Off), tablewriter.WithTrimLine(tw.Off),
		tablewriter.WithPadding(tw.PaddingNone),
		// The default cache of the table library is recreated at every Reset. That costs more than
		// the rendering itself.
		tablewriter.WithStringerCacheCustom(twcache.NewLRU[reflect.Type, reflect.Value](1)),
	)
	return c
}

// draw renders the rows as aligned text, starting with the column heads. Callers must wrap the cell
// texts to the column widths before.
func (c *alignedWriter) draw(layouts []layout, rows [][]string) (string, error) {
	widths := tw.NewMapper[int, int]()
	aligns := make(tw.Alignment, len(layouts))
	for i, l := range layouts {
		widths.Set(i, l.width)
		aligns[i] = tw.AlignLeft
		if l.right && l.textWidth == 0 {
			aligns[i] = tw.AlignRight
		}
	}
	c.out.Reset()
	c.writer.Reset()
	c.writer.Options(tablewriter.WithColumnWidths(widths), tablewriter.WithAlignment(aligns))
	c.writer.Header(rows[0])
	if err := c.writer.Bulk(rows[1:]); err != nil {
		return "", err
	}
	err := c.writer.Render()
	return c.out.String(), err
}
