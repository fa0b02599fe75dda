package reports

import (
	"io"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/history"
	"evalctl/eval/number"
)

// Trend shows how a metric went from run to run.
type Trend struct {
	history.Trend

	Width  int  `json:"-"` // as of a Report, and the next two
	Colour bool `json:"-"`
	ASCII  bool `json:"-"`
}

// Write renders the trend in the given format. It writes once, when all is rendered.
func (t Trend) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "trend", func() ([]byte, error) {
		switch format {
		case Table:
			return drawn(t.document(t.Width), t.Width, t.Colour, t.ASCII)
		case Markdown:
			return paged(t.document(0)), nil
		case LaTeX:
			return latexOf(source{text: "evalctl runs trend"}, t.document(0)), nil
		case JSON:
			return jsonText(t)
		case CSV:
			return t.csv()
		}
		return nil, unfit(format, "trend")
	})
}

func (t Trend) document(width int) []block {
	b := block{level: 2, heading: "Trend of " + t.Metric}
	g := grid{keys: 2, columns: []column{{head: "suite"}, {head: "variant"}, {head: "fault"}, {head: "runs", right: true}, {head: "trend"},
		{head: "newest [95 %]"}, {head: "change"}, {head: "against"}}}
	broken := false
	for i, s := range t.Series {
		last := s.Points[len(s.Points)-1]
		row := []cell{{text: s.Suite}, {text: s.Variant}, {text: s.Fault}, {text: grouped(int64(len(s.Points)))}, {text: sparkline(s.Points)}, {text: unmeasured}, {text: unmeasured}, {}}
		if i > 0 && t.Series[i-1].Suite == s.Suite {
			row[0].text = ""
		}
		if s.Fault == eval.NoFault {
			row[2].text = ""
		}
		if known(last.Estimate.Value) {
			row[5].text = gate.FormEstimate(t.Metric, last.Estimate)
		}
		if s.Change != nil {
			row[6], row[7].text = t.change(*s.Change), s.Change.Against
		}
		broken = broken || slices.ContainsFunc(s.Points, func(p history.Point) bool { return !p.IsJoined() })
		g.rows = append(g.rows, row)
	}
	g.leave(width, "fault", "against", "runs", "change")
	b.grid = g
	b.lines = t.remarks(broken)
	return []block{b}
}

// remarks say how to read the table.
func (t Trend) remarks(broken bool) (list []line) {
	list = append(list, line{mark: "·", text: "A line of bars is drawn from the lowest end of its intervals to the highest."})
	if broken {
		list = append(list, line{mark: "·", text: "│ stands before a run with other cases, settings or prompts than the one before it."})
	}
	var why []string
	for _, s := range t.Series {
		if c := s.Change; c != nil && !c.Paired && !slices.Contains(why, c.Why) {
			why = append(why, c.Why)
		}
	}
	for _, text := range why[:min(len(why), shownReasons)] {
		list = append(list, line{mark: "·", text: "Unpaired, so that nothing is proven: " + text + "."})
	}
	return list
}

// shownReasons is how many reasons are told why runs cannot be held against each other.
const shownReasons = 3

// change is what the last run changed; ~ stands before what is not told from chance.
func (t Trend) change(c history.Change) cell {
	v := c.Contrast.Value
	if !known(v) {
		return cell{text: unmeasured}
	}
	show := func(v float64) string { return plusMinus(v, func(v float64) string { return gate.Form(t.Metric, v) }) }
	switch {
	case gate.IsShare(t.Metric):
		show = number.Points
	case c.Ratio:
		show = func(v float64) string { return "× " + number.Factor(v) }
	}
	switch {
	case c.State == eval.Alike:
		return cell{text: "= alike"}
	case !c.Paired:
		return cell{text: show(*v) + " unpaired"}
	case !c.Told:
		return cell{text: "~ " + show(*v) + span(c.Contrast.Lo, c.Contrast.Hi, show)}
	case c.State == eval.Better:
		return cell{text: show(*v) + span(c.Contrast.Lo, c.Contrast.Hi, show), tone: good}
	case c.State == eval.Worse:
		return cell{text: show(*v) + span(c.Contrast.Lo, c.Contrast.Hi, show), tone: bad}
	}
	return cell{text: show(*v) + span(c.Contrast.Lo, c.Contrast.Hi, show), tone: strong}
}

// plusMinus writes a difference with its sign.
func plusMinus(v float64, show func(float64) string) string {
	switch {
	case v < 0:
		return "−" + show(-v)
	case v > 0:
		return "+" + show(v)
	}
	return "0"
}

func (t Trend) csv() ([]byte, error) {
	rows := [][]string{{"metric", "suite", "variant", "fault", "run", "started", "partial", "value", "lo", "hi", "n", "missing", "other_cases", "other_settings"}}
	for _, s := range t.Series {
		for _, p := range s.Points {
			rows = append(rows, []string{guarded(t.Metric), guarded(s.Suite), guarded(s.Variant), guarded(s.Fault), guarded(p.Run), p.Started.UTC().Format("2006-01-02T15:04:05Z"),
				strconv.FormatBool(p.Partial), plainNumber(p.Estimate.Value), plainNumber(p.Estimate.Lo), plainNumber(p.Estimate.Hi), strconv.FormatInt(p.Estimate.N, 10),
				strconv.FormatInt(p.Estimate.Missing, 10), strconv.FormatBool(p.Cases), strconv.FormatBool(p.Settings)})
		}
	}
	return csvOf(rows)
}
