package reports

import (
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
	Width int  `json:"-"` // line width in columns; 0: unlimited, 1 to 39: 40
	Color bool `json:"-"` // use colors, unless NO_COLOR is set
	ASCII bool `json:"-"` // use only ASCII symbols
}

// writeDocument renders a document in the given format. It calls w.Write once, after rendering, so
// an error while rendering leaves no partial report. The noun names the document in errors.
func writeDocument(w io.Writer, format Format, noun string, o Options, layOut func(target) document) error {
	text, err := renderDocument(format, noun, o, layOut)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s %s: %w", format, noun, err)
	}
	return nil
}

func renderDocument(format Format, noun string, o Options, layOut func(target) document) ([]byte, error) {
	switch format {
	case Table:
		return renderText(layOut(target{width: lineWidth(o.Width), terminal: true}).blocks, o)
	case Markdown:
		return markdownOf(layOut(pageTarget).blocks), nil
	case LaTeX:
		return latexOf(layOut(pageTarget)), nil
	case JSON:
		return jsonText(layOut(pageTarget).data)
	case CSV:
		if d := layOut(pageTarget); d.rows != nil {
			return tableCSV(*d.rows)
		}
	}
	return nil, unsupportedFormat(format, noun)
}
