package reports

import "evalctl/eval/suggest"

// viewed renders the view that is asked for.
func viewed(format Format, r Report) ([]byte, error) {
	if err := suggest.Known("view", r.By, Views()); err != nil {
		return nil, err
	}
	switch format {
	case Table:
		return drawn(confidenceDocument(r, min(lineWidth(r.Width), widestView), true), r.Width, r.Colour, r.ASCII)
	case Markdown:
		return paged(confidenceDocument(r, pipeWidth, false)), nil
	case JSON:
		return jsonText(confidenceSummary(r.Summary))
	case CSV:
		return confidenceCSV(r.Summary)
	default:
		return nil, unfit(format, "single view")
	}
}

// widestView is as wide as plots become.
const widestView = 140
