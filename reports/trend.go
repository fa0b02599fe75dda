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
	"evalctl/reports/finding"
	"evalctl/reports/page"
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
			row[5].Text = t.value(last.Estimate)
		}
		if s.Change != nil {
			row[6], row[7].Text = t.change(*s.Change, brief), s.Change.ComparedWith
		}
		g.AddRow(row)
	}
	return g
}

// value formats a value of the metric with its interval and the number of missing values.
func (t TrendReport) value(e eval.Estimate) string {
	word := "missing"
	if t.Metric == "route.accuracy" {
		word = finding.NotScored
	}
	return withMissing(e, metric.FindOrCustom(t.Metric).FormatEstimate(e), word)
}

// maxTrendRows is the number of runs of a trend that a web page shows without a click.
const maxTrendRows = 20

// HTML returns the trend for a web page: a summary with the newest value of each condition, then a
// table for each condition with the value of each run, newest first. All tables have the same axis. A
// hollow dot is a run that is not comparable with the run before it. runURL returns the address of a
// run; nil: runs are not linked.
func (t TrendReport) HTML(runURL func(run string) string) []document.Block {
	axis, summary := t.axis(), t.grid(false)
	newest := document.Column{Axis: axis}
	for _, s := range t.Series {
		newest.Cells = append(newest.Cells, pointMarks(s.Points[len(s.Points)-1]))
	}
	summary.Columns = slices.DeleteFunc(summary.Columns, func(c document.Column) bool { return c.Head == "trend" })
	if axis != nil {
		at := slices.IndexFunc(summary.Columns, func(c document.Column) bool { return c.Head == "change" })
		summary.Columns, summary.Class = slices.Insert(summary.Columns, at, newest), "trends"
	}
	blocks := []document.Block{{Table: summary, Graphics: document.Graphics{Legend: []document.LegendItem{
		{Marks: []document.Mark{{Shape: document.Whisker, From: 0.05, To: 0.95}, {Shape: document.Dot, From: 0.5}},
			Text: "value with 95 % interval"},
		{Marks: []document.Mark{{Shape: document.Ring, From: 0.5}},
			Text: "cases, settings or prompts differ from the run before"},
	}}}}
	for _, line := range t.remarks() {
		if strings.HasPrefix(line.Text, "Unpaired") {
			blocks[0].Notes = append(blocks[0].Notes, document.Line{Text: line.Text})
		}
	}
	for _, s := range t.Series {
		if len(s.Points) < 2 {
			continue // the summary contains the only value
		}
		name := named(s.Suite) + ": " + named(s.Variant)
		if s.Fault != eval.NoFault {
			name += " under " + named(s.Fault)
		}
		b := document.Block{Heading: name, Graphics: document.Graphics{Note: t.changeSentence(s.Change)}}
		points := slices.Clone(s.Points)
		slices.Reverse(points)
		shown := points[:min(len(points), maxTrendRows)]
		b.Table = t.pointTable(shown, axis, runURL)
		if rest := points[len(shown):]; len(rest) > 0 {
			b.More = &document.Folded{Name: plural(int64(len(rest)), "older run"),
				Blocks: []document.Block{{Table: t.pointTable(rest, axis, runURL)}}}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func pointMarks(p history.TrendPoint) document.Cell {
	return document.Cell{Marks: document.IntervalMarks(p.Estimate.Value, p.Estimate.Lo, p.Estimate.Hi, document.Plain,
		p.IsComparable())}
}

// axis returns the axis for all values; nil if no value is known.
func (t TrendReport) axis() *document.Axis {
	var values valueRange
	for _, s := range t.Series {
		for _, p := range s.Points {
			values.addEstimate(p.Estimate)
		}
	}
	m := metric.FindOrCustom(t.Metric)
	switch m.Unit {
	case metric.Share:
		return values.axis(document.ShareAxis)
	case metric.Time:
		return values.axis(document.TimeAxis)
	}
	return values.axis(func(lo, hi float64) *document.Axis { return document.NumberAxis(lo, hi, m.Format) })
}

func (t TrendReport) pointTable(points []history.TrendPoint, axis *document.Axis,
	runURL func(string) string) document.Table {
	g := document.Table{Keys: 1, Class: "trend", Columns: []document.Column{
		{Head: "run"}, {Head: "started"}, {Axis: axis, Rank: 1}, {Head: "value [95 %]", Right: true},
		{Head: "n", Right: true}, {Head: "differs from the run before"}}}
	for _, p := range points {
		name := document.Cell{Text: p.Run}
		if runURL != nil {
			name.Link = runURL(p.Run)
		}
		value := noValue
		if isKnown(p.Estimate.Value) {
			value = t.value(p.Estimate)
		}
		var other []string
		if p.CasesChanged {
			other = append(other, "cases")
		}
		if p.SettingsChanged {
			other = append(other, "settings or prompts")
		}
		differs := document.Cell{Text: strings.Join(other, ", ")}
		if p.Partial {
			differs.Tag = "partial"
		}
		g.AddRow([]document.Cell{name, {Text: p.Started.UTC().Format("2006-01-02 15:04")}, pointMarks(p),
			{Text: value}, {Text: thousands(p.Estimate.N)}, differs})
	}
	return g
}

// changeSentence describes how the metric changed in the newest run. It returns "" if it is unknown.
func (t TrendReport) changeSentence(c *history.TrendChange) string {
	if c == nil || !isKnown(c.Contrast.Value) {
		return ""
	}
	show := t.difference(c.Ratio)
	text := show(*c.Contrast.Value)
	if metric.FindOrCustom(t.Metric).Unit == metric.Share {
		text += " points"
	}
	text += " compared with " + c.ComparedWith
	switch {
	case c.State == eval.Identical:
		return "Identical decisions to " + c.ComparedWith + "."
	case !c.Paired:
		return text + "; unpaired, so significance is not tested."
	case !c.Significant:
		return text + "; not significant."
	}
	return text + "; significant."
}

// WriteHTML writes the trend of the runs in directory dir as an HTML file.
func (t TrendReport) WriteHTML(w io.Writer, dir string) error {
	_, err := page.Write(w, page.Page{Title: "Trend of " + t.Metric, Dir: dir, Views: []page.View{{Address: "#trend",
		Title: "Trend of " + t.Metric, Sections: []page.Section{page.FullWidth(t.HTML(nil)...)}}}})
	return err
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
	return func(v float64) string { return signed(v, metric.FindOrCustom(t.Metric).Format) }
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
	var values valueRange
	for _, p := range points {
		values.addEstimate(p.Estimate)
	}
	var b strings.Builder
	for i, p := range points {
		if i > 0 && !p.IsComparable() {
			b.WriteString("│")
		}
		switch v := p.Estimate.Value; {
		case !isKnown(v):
			b.WriteString("·")
		case values.hi == values.lo:
			b.WriteRune(bars[len(bars)/2])
		default:
			share := (*v - values.lo) / (values.hi - values.lo)
			b.WriteRune(bars[min(int(share*float64(len(bars))), len(bars)-1)])
		}
	}
	return b.String()
}
