package reports

import (
	"bytes"

	"evalctl/eval/suggest"
)

// View is one side of a run, looked at alone.
type View string

// ByConfidence is how far the confidence of the deciding models can be believed.
const ByConfidence View = "confidence"

// Views lists all of them.
func Views() []View { return []View{ByConfidence} }

// ParseView finds a view by its name.
func ParseView(name string) (View, error) {
	return View(name), suggest.Known("view", View(name), Views())
}

// viewed renders the view that is asked for.
func viewed(format Format, r Report) ([]byte, error) {
	if err := suggest.Known("view", r.By, Views()); err != nil {
		return nil, err
	}
	switch format {
	case Table:
		width := lineWidth(r.Width)
		s := &sheet{terminal: terminal{width: width, colour: colours(r)}, columns: newColumns()}
		err := s.blocks(confidenceDocument(r, min(width, widestView), true))
		return signs(s.out.Bytes(), r.ASCII), err
	case Markdown:
		var out bytes.Buffer
		for i, b := range confidenceDocument(r, pipeWidth, false) {
			if i > 0 {
				out.WriteByte('\n')
			}
			b.markdown(&out)
		}
		return out.Bytes(), nil
	case JSON:
		return jsonText(confidenceSummary(r.Summary))
	case CSV:
		return confidenceCSV(r.Summary)
	default:
		return nil, unknown(string(format))
	}
}

// widestView is as wide as plots become.
const widestView = 140
