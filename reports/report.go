// Package reports shows what a run found: the same summary as a table for the
// terminal, as Markdown, JSON or CSV, and a single trial as a timeline.
package reports

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"evalctl/eval"
)

// Report is a run's summary with what only its reader needs to know.
type Report struct {
	Summary eval.Summary
	Title   string        // "" is "evalctl run"
	Dir     string        // where the run's files are; "" if nowhere
	Took    time.Duration // by the wall clock; 0 is not shown
	Notes   []string      // what stands above the numbers, one remark each

	Width  int  // columns of the table format; 0: unlimited, 1 to 39: 40
	Colour bool // colours the table format, unless NO_COLOR is set
	Detail bool // shows classes, confusions and nodes of the cells with a fault, too
}

// Write renders the report in the given format. It writes once, when all is
// rendered, so that an error leaves no half of a report behind.
func Write(w io.Writer, format Format, r Report) error {
	text, err := render(format, r)
	if err != nil {
		return err
	}
	if _, err := bytes.NewReader(text).WriteTo(w); err != nil {
		return fmt.Errorf("write %s report: %w", format, err)
	}
	return nil
}

func render(format Format, r Report) ([]byte, error) {
	switch format {
	case Table:
		return table(r), nil
	case Markdown:
		return markdown(r), nil
	case JSON:
		return jsonText(r.Summary)
	case CSV:
		return csvText(r.Summary)
	default:
		return nil, unknown(string(format))
	}
}
