package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/eval/metric"
	"evalctl/reports/document"
)

// TrendReport is the report of `evalctl runs trend`: a metric over several runs.
type TrendReport struct {
	history.Trend

	document.Options
}

// Write renders the trend in the given format.
func (t TrendReport) Write(w io.Writer, format Format) error {
	return screen{noun: "trend", layOut: t.document}.write(w, format, t.Options)
}

func (t TrendReport) document(to document.Target) document.Document {
	b := document.Block{
		Level:   2,
		Heading: "Trend of " + t.Metric,
		Lines:   t.remarks(),
		Table:   t.grid(false),
	}
	if b.Table.WithoutRanked(to.Width).Width() > to.Width {
		b.Table = t.grid(true)
	}
	return document.Document{
		Source: "evalctl runs trend",
		Blocks: []document.Block{b},
		Data:   t,
		Rows:   t.rows,
	}
}

// grid returns the table of the trend, with one row for each condition. With brief, it omits the
// confidence intervals of changes.
func (t TrendReport) grid(brief bool) document.Table {
	g := document.Table{Keys: 2, Columns: []document.Column{{Head: "suite"}, {Head: "variant"},
		{Head: "fault", Rank: 1},
		{Head: "runs", Right: true, Rank: 3}, {Head: "trend"},
		{Head: "newest [95 %]"}, {Head: "change"}, {Head: "compared with", Rank: 2}}}
	if brief {
		g.Columns[6].Rank = 4
	}
	for i, s := range t.Series {
		last := s.Points[len(s.Points)-1]
		row := []document.Cell{{Text: s.Suite}, {Text: s.Variant}, {Text: s.Fault},
			{Text: thousands(int64(len(s.Points)))}, {Text: sparkline(s.Points)}, {Text: noValue}, {Text: noValue}, {}}
		if i > 0 && t.Series[i-1].Suite == s.Suite {
			row[0].Text = ""
		}
		if s.Fault == eval.NoFault {
			row[2].Text = ""
		}
		if isKnown(last.Estimate.Value) {
			row[5].Text = metric.FindOrCustom(t.Metric).FormatEstimate(last.Estimate)
		}
		if s.Change != nil {
			row[6], row[7].Text = t.change(*s.Change, brief), s.Change.ComparedWith
		}
		g.AddRow(row)
	}
	return g
}

// remarks returns sentences that explain how to read the table.
func (t TrendReport) remarks() (list []document.Line) {
	list = append(list, document.Line{
		Mark: "·", Text: "Each trend is scaled from its lowest to its highest interval bound."})
	if slices.ContainsFunc(t.Series, isParted) {
		list = append(list, document.Line{Mark: "·",
			Text: "│ marks a run whose cases, settings or prompts differ from the previous run."})
	}
	if slices.ContainsFunc(t.Series, func(s history.TrendSeries) bool { return len(s.Points) > maxSpark }) {
		list = append(list, document.Line{Mark: "·",
			Text: fmt.Sprintf("A trend shows the newest %d runs; --format csv and --html contain all.", maxSpark)})
	}
	var why []string
	for _, s := range t.Series {
		if c := s.Change; c != nil && !c.Paired && !slices.Contains(why, c.UnpairedReason) {
			why = append(why, c.UnpairedReason)
		}
	}
	for _, text := range why[:min(len(why), maxUnpairedReasons)] {
		list = append(list, document.Line{Mark: "·", Text: "Unpaired, so significance is not tested: " + text + "."})
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
func (t TrendReport) change(c history.TrendChange, brief bool) document.Cell {
	v, show := c.Contrast.Value, t.difference(c.Ratio)
	if !isKnown(v) {
		return document.Cell{Text: noValue}
	}
	text := show(*v)
	if !brief {
		text += span(c.Contrast.Lo, c.Contrast.Hi, show)
	}
	switch {
	case c.State == eval.Identical:
		return document.Cell{Text: "= identical"}
	case !c.Paired && brief:
		return document.Cell{Text: "? " + text}
	case !c.Paired:
		return document.Cell{Text: text + " unpaired"}
	case !c.Significant:
		return document.Cell{Text: "~ " + text}
	case c.State == eval.Better:
		return document.Cell{Text: text, Tone: document.Good}
	case c.State == eval.Worse:
		return document.Cell{Text: text, Tone: document.Bad}
	}
	return document.Cell{Text: text, Tone: document.Strong}
}

// difference returns the function that formats a change of the metric. With ratio, the change is a
// factor.
func (t TrendReport) difference(ratio bool) func(float64) string {
	switch {
	case metric.FindOrCustom(t.Metric).Unit == metric.Share:
		return metric.FormatPoints
	case ratio:
		return func(v float64) string { return "× " + metric.FormatRatio(v) }
	}
	return func(v float64) string {
		return plusMinus(v, func(v float64) string { return metric.FindOrCustom(t.Metric).Format(v) })
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

func (t TrendReport) rows() *document.Table {
	g := document.ValueTable("metric", "suite", "variant", "fault", "run", "started", "partial", "value", "lo",
		"hi", "n",
		"missing", "cases_changed", "settings_changed")
	for _, s := range t.Series {
		for _, p := range s.Points {
			e := p.Estimate
			g.AddValues(t.Metric, s.Suite, s.Variant, s.Fault, p.Run, document.UTC(p.Started), p.Partial,
				e.Value, e.Lo, e.Hi, e.N,
				e.Missing, p.CasesChanged, p.SettingsChanged)
		}
	}
	return g
}

var bars = []rune("▁▂▃▄▅▆▇█")

// maxSpark is how many runs a sparkline shows at most; it shows the newest ones.
const maxSpark = 24

// sparkline draws a metric over several runs, with one bar for each run, oldest first. The scale
// includes the confidence intervals, so that random changes look small.
func sparkline(points []history.TrendPoint) string {
	points = points[max(0, len(points)-maxSpark):]
	var lo, hi float64
	first := true
	for _, p := range points {
		for _, v := range []*float64{p.Estimate.Value, p.Estimate.Lo, p.Estimate.Hi} {
			if isKnown(v) && first {
				lo = *v
				hi = *v
				first = false
			}
			if isKnown(v) {
				lo, hi = min(lo, *v), max(hi, *v)
			}
		}
	}
	var b strings.Builder
	for i, p := range points {
		if i > 0 && !p.IsComparable() {
			b.WriteString("│")
		}
		switch v := p.Estimate.Value; {
		case !isKnown(v):
			b.WriteString("·")
		case hi == lo:
			b.WriteRune(bars[len(bars)/2])
		default:
			b.WriteRune(bars[min(int((*v-lo)/(hi-lo)*float64(len(bars))), len(bars)-1)])
		}
	}
	return b.String()
}
