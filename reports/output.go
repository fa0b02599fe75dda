package reports

import (
	"cmp"
	"fmt"
	"io"

	"evalctl/reports/document"
)

// screen is a report for which every format is rendered from a document.
type screen struct {
	noun   string                                  // names the report in errors
	width  int                                     // default width of a line in columns; 0: unlimited
	layOut func(document.Target) document.Document // returns the document for a target
}

// write renders the report in the given format. It calls w.Write once, after rendering, so an error
// while rendering leaves no partial report.
func (s screen) write(w io.Writer, format Format, o document.Options) error {
	text, err := s.render(format, o)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s %s: %w", format, s.noun, err)
	}
	return nil
}

func (s screen) render(format Format, o document.Options) ([]byte, error) {
	switch of, ok := formatNamed(format); {
	case !ok:
		return nil, unknown(string(format))
	case of.document == nil:
		return nil, unsupportedFormat(format, s.noun)
	default:
		return of.document(s, o)
	}
}

func (s screen) text(o document.Options) ([]byte, error) {
	o.Width = cmp.Or(o.Width, s.width)
	return document.Text(s.layOut(document.Target{Width: document.LineWidth(o.Width), Terminal: true}).Blocks, o)
}

func (s screen) markdown(document.Options) ([]byte, error) {
	return document.Markdown(s.layOut(document.PageTarget).Blocks), nil
}

func (s screen) latex(document.Options) ([]byte, error) {
	return document.LaTeX(s.layOut(document.PageTarget)), nil
}

func (s screen) json(document.Options) ([]byte, error) {
	return document.JSON(s.layOut(document.PageTarget).Data)
}

func (s screen) csv(document.Options) ([]byte, error) {
	d := s.layOut(document.PageTarget)
	if d.Rows == nil {
		return nil, unsupportedFormat(CSV, s.noun)
	}
	return document.CSV(*d.Rows)
}
