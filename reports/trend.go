package reports

import (
	"fmt"
	"io"
	"slices"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/history"
	"evalctl/eval/number"
)

// TrendReport is the report of `evalctl runs trend`: a metric over several runs.
type TrendReport struct {
	history.Trend

	Options
}

// Write renders the trend in the given format.
func (t TrendReport) Write(w io.Writer, format Format) error {
	return screen{noun: "trend", layOut: t.document}.write(w, format, t.Options)
}

func (t TrendReport) document(to target) document {
	b := block{
		level:   2,
		heading: "Trend of " + t.Metric,
		lines:   t.remarks(),
		grid:    t.grid(false),
	}
	if b.grid.withoutRanked(to.width).width() > to.width {
		b.grid = t.grid(true)
	}
	return document{
		command: "evalctl runs trend",
		blocks:  []block{b},
		data:    t,
		rows:    t.rows(),
	}
}

// grid returns the table of the trend, with one row for each condition. With brief, it omits the
// confidence intervals of changes.
func (t TrendReport) grid(brief bool) grid {
	g := grid{keys: 2, columns: []column{{head: "suite"}, {head: "variant"}, {head: "fault", rank: 1},
		{head: "runs", right: true, rank: 3}, {head: "trend"},
		{head: "newest [95 %]"}, {head: "change"}, {head: "compared with", rank: 2}}}
	if brief {
		g.columns[6].rank = 4
	}
	for i, s := range t.Series {
		last := s.Points[len(s.Points)-1]
		row := []cell{{text: s.Suite}, {text: s.Variant}, {text: s.Fault}, {text: thousands(int64(len(s.Points)))},
			{text: sparkline(s.Points)}, {text: noValue}, {text: noValue}, {}}
		if i > 0 && t.Series[i-1].Suite == s.Suite {
			row[0].text = ""
		}
		if s.Fault == eval.NoFault {
			row[2].text = ""
		}
		if isKnown(last.Estimate.Value) {
			row[5].text = gate.FormatEstimate(t.Metric, last.Estimate)
		}
		if s.Change != nil {
			row[6], row[7].text = t.change(*s.Change, brief), s.Change.ComparedWith
		}
		g.addRow(row)
	}
	return g
}

// remarks returns sentences that explain how to read the table.
func (t TrendReport) remarks() (list []line) {
	list = append(list, line{mark: "·", text: "Each trend is scaled from its lowest to its highest interval bound."})
	if slices.ContainsFunc(t.Series, isParted) {
		list = append(list, line{mark: "·",
			text: "│ marks a run whose cases, settings or prompts differ from the previous run."})
	}
	if slices.ContainsFunc(t.Series, func(s history.TrendSeries) bool { return len(s.Points) > maxSpark }) {
		list = append(list, line{mark: "·",
			text: fmt.Sprintf("A trend shows the newest %d runs; --format csv and --html contain all.", maxSpark)})
	}
	var why []string
	for _, s := range t.Series {
		if c := s.Change; c != nil && !c.Paired && !slices.Contains(why, c.UnpairedReason) {
			why = append(why, c.UnpairedReason)
		}
	}
	for _, text := range why[:min(len(why), maxUnpairedReasons)] {
		list = append(list, line{mark: "·", text: "Unpaired, so significance is not tested: " + text + "."})
	}
	return list
}

// isParted reports whether the series contains a run that is not comparable with the run before.
func isParted(s history.TrendSeries) bool {
	return slices.ContainsFunc(s.Points[1:], func(p history.TrendPoint) bool { return !p.IsComparable() })
}

const maxUnpairedReasons = 3

// change formats how the metric changed from the previous run. It marks a change that is not
// significant with "~".
func (t TrendReport) change(c history.TrendChange, brief bool) cell {
	v, show := c.Contrast.Value, t.difference(c.Ratio)
	if !isKnown(v) {
		return cell{text: noValue}
	}
	text := show(*v)
	if !brief {
		text += span(c.Contrast.Lo, c.Contrast.Hi, show)
	}
	switch {
	case c.State == eval.Identical:
		return cell{text: "= identical"}
	case !c.Paired && brief:
		return cell{text: "? " + text}
	case !c.Paired:
		return cell{text: text + " unpaired"}
	case !c.Significant:
		return cell{text: "~ " + text}
	case c.State == eval.Better:
		return cell{text: text, tone: good}
	case c.State == eval.Worse:
		return cell{text: text, tone: bad}
	}
	return cell{text: text, tone: strong}
}

// difference returns the function that formats a change of the metric. With ratio, the change is a
// factor.
func (t TrendReport) difference(ratio bool) func(float64) string {
	switch {
	case gate.IsShareMetric(t.Metric):
		return number.PercentagePoints
	case ratio:
		return func(v float64) string { return "× " + number.Ratio(v) }
	}
	return func(v float64) string {
		return plusMinus(v, func(v float64) string { return gate.FormatValue(t.Metric, v) })
	}
}

func plusMinus(v float64, show func(float64) string) string {
	switch {
	case v < 0:
		return "−" + show(-v)
	case v > 0:
		return "+" + show(v)
	}
	return "0"
}

func (t TrendReport) rows() *grid {
	g := valueTable("metric", "suite", "variant", "fault", "run", "started", "partial", "value", "lo", "hi", "n",
		"missing", "cases_changed", "settings_changed")
	for _, s := range t.Series {
		for _, p := range s.Points {
			e := p.Estimate
			g.addValues(t.Metric, s.Suite, s.Variant, s.Fault, p.Run, utc(p.Started), p.Partial,
				e.Value, e.Lo, e.Hi, e.N,
				e.Missing, p.CasesChanged, p.SettingsChanged)
		}
	}
	return g
}
