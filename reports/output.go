package reports

import (
	"cmp"
	"fmt"
	"io"
)

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
