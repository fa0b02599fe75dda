package reports

import (
	"cmp"
	"fmt"
	"io"
)

// document is what a report shows, for every format. Terminal, Markdown and LaTeX show the blocks.
type document struct {
	command string // command that writes the report, as the first line of a LaTeX file
	partial bool   // the run did not end
	blocks  []block
	data    any   // data of the JSON format
	rows    *grid // rows of the CSV format; nil: the format is not supported
}

// target is what a document is laid out for.
type target struct {
	width    int  // width of a line in columns
	terminal bool // a terminal; otherwise a Markdown or LaTeX page
}

// pageTarget is the target of Markdown and LaTeX, which have no limit of width.
var pageTarget = target{width: unlimited}

// Options state how a terminal shows a report.
type Options struct {
	// line width in columns; 0: the default of the report, which is unlimited or 100 columns; 1 to 39: 40
	Width int  `json:"-"`
	Color bool `json:"-"` // use colors, unless NO_COLOR is set
	ASCII bool `json:"-"` // use only ASCII symbols
}

// screen is a report for which every format is rendered from a document.
type screen struct {
	noun   string                // names the report in errors
	width  int                   // default width of a line in columns; 0: unlimited
	layOut func(target) document // returns the document for a target
}

// write renders the report in the given format. It calls w.Write once, after rendering, so an error
// while rendering leaves no partial report.
func (s screen) write(w io.Writer, format Format, o Options) error {
	text, err := s.render(format, o)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s %s: %w", format, s.noun, err)
	}
	return nil
}

func (s screen) render(format Format, o Options) ([]byte, error) {
	switch of, ok := formatNamed(format); {
	case !ok:
		return nil, unknown(string(format))
	case of.document == nil:
		return nil, unsupportedFormat(format, s.noun)
	default:
		return of.document(s, o)
	}
}

func (s screen) text(o Options) ([]byte, error) {
	o.Width = cmp.Or(o.Width, s.width)
	return renderText(s.layOut(target{width: lineWidth(o.Width), terminal: true}).blocks, o)
}

func (s screen) markdown(Options) ([]byte, error) {
	return markdownOf(s.layOut(pageTarget).blocks), nil
}

func (s screen) latex(Options) ([]byte, error) { return latexOf(s.layOut(pageTarget)), nil }

func (s screen) json(Options) ([]byte, error) { return jsonText(s.layOut(pageTarget).data) }

func (s screen) csv(Options) ([]byte, error) {
	d := s.layOut(pageTarget)
	if d.rows == nil {
		return nil, unsupportedFormat(CSV, s.noun)
	}
	return tableCSV(*d.rows)
}
