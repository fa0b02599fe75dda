package page

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/eval/metric"
)

// WriteTrend writes an HTML file with the trend of a metric over the runs in directory dir.
func WriteTrend(w io.Writer, t history.Trend, dir string) error {
	css, err := style()
	if err != nil {
		return err
	}
	body, err := TrendHTML(t)
	if err != nil {
		return err
	}
	v := struct {
		Title, Dir, Policy string
		Style              code
		Body               template.HTML
	}{
		Title:  "Trend of " + t.Metric,
		Dir:    dir,
		Policy: policy(code{css}, code{}, false),
		Style:  code{css},
		Body:   body,
	}
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, "history", v); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	if _, err := io.WriteString(w, text.EscapeMultiline(b.String())); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// trendSuite contains the trend figures of a suite. All of them have the same scales.
type trendSuite struct {
	Name   string
	Series []trendFigure
}

// trendFigure shows the trend of one condition: a plot and a table of its values.
type trendFigure struct {
	Name, Newest, Change string
	Runs                 int64
	trendPlot
	Rows []trendRow
}

type trendRow struct {
	Run, Started, Value, Other string
	N                          int64
}

// TrendHTML returns the plots and tables of a trend as HTML, for a page that uses the styles of
// this package.
func TrendHTML(t history.Trend) (template.HTML, error) {
	var suites []trendSuite
	for i := 0; i < len(t.Series); {
		end := i + 1
		for end < len(t.Series) && t.Series[end].Suite == t.Series[i].Suite {
			end++
		}
		list := t.Series[i:end]
		s := trendSuite{Name: list[0].Suite}
		scale := newTrendScale(t.Metric, list)
		for _, one := range list {
			s.Series = append(s.Series, newTrendFigure(t.Metric, one, scale))
		}
		suites, i = append(suites, s), end
	}
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, "trend", suites); err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return template.HTML(text.EscapeMultiline(b.String())), nil //nolint:gosec // by html/template
}

func newTrendFigure(metric string, s history.TrendSeries, scale trendScale) trendFigure {
	f := trendFigure{Name: s.Variant, Runs: int64(len(s.Points)), trendPlot: scale.plot(s.Points)}
	if s.Fault != eval.NoFault {
		f.Name += " under " + s.Fault
	}
	for _, p := range slices.Backward(s.Points) {
		row := trendRow{
			Run:     p.Run,
			Started: p.Started.UTC().Format("2006-01-02 15:04 UTC"),
			Value:   written(metric, p.Estimate),
			N:       p.Estimate.N,
		}
		var other []string
		if p.CasesChanged {
			other = append(other, "cases")
		}
		if p.SettingsChanged {
			other = append(other, "settings or prompts")
		}
		if p.Partial {
			other = append(other, "did not end")
		}
		row.Other = strings.Join(other, ", ")
		f.Rows = append(f.Rows, row)
	}
	f.Newest = "Newest: " + f.Rows[0].Value
	f.Change = trendChange(metric, s.Change)
	return f
}

func written(key string, e eval.Estimate) string {
	if !metric.IsKnown(e.Value) {
		return metric.MissingText
	}
	return metric.FindOrCustom(key).FormatEstimate(e)
}

// trendChange describes how the metric changed in the newest run, and whether the change is
// significant.
func trendChange(key string, c *history.TrendChange) string {
	if c == nil || !metric.IsKnown(c.Contrast.Value) {
		return ""
	}
	show := func(v float64) string { return metric.FindOrCustom(key).Format(v) }
	switch {
	case c.Ratio:
		show = func(v float64) string { return "× " + metric.FormatRatio(v) }
	case metric.FindOrCustom(key).Unit == metric.Share:
		show = func(v float64) string { return metric.FormatPoints(v) + " points" }
	}
	text := show(*c.Contrast.Value) + " compared with " + c.ComparedWith
	switch {
	case c.State == eval.Identical:
		return "identical decisions to " + c.ComparedWith
	case !c.Paired:
		return text + ", unpaired: " + c.UnpairedReason
	case !c.Significant:
		return text + ", not significant"
	}
	return text + ", significant"
}

// trendPlot is a plot of a metric over time that fills the available width. Horizontal positions
// are percentages, vertical positions are pixels.
type trendPlot struct {
	Grid  []gridLine
	Lines []trendLine
	Dots  []trendDot
	Days  []dayLabel
}

type gridLine struct{ Y, Above, Label string }

type trendLine struct{ X1, Y1, X2, Y2 string }

// trendDot is the dot for the value of one run. Lo and Hi are the ends of its confidence interval;
// "": unknown.
type trendDot struct{ X, Y, Lo, Hi, Class string }

type dayLabel struct{ X, Label, Anchor string }

// trendScale contains the scales that all plots of a suite have in common, so that they can be
// compared: the horizontal position of each run, and the vertical axis.
type trendScale struct {
	metric    string
	runs      []history.TrendPoint // all runs of the suite, oldest first
	positions map[string]int
	lo, hi    float64
	ticks     []float64
}

// Vertical range of the plot, in pixels from the top.
const (
	trendTop    = 16.0
	trendBottom = 186.0
)

const (
	maxTicks     = 5
	maxDayLabels = 6
)

func newTrendScale(key string, list []history.TrendSeries) trendScale {
	s := trendScale{
		metric:    key,
		positions: map[string]int{},
		lo:        math.Inf(1),
		hi:        math.Inf(-1),
	}
	for _, one := range list {
		for _, p := range one.Points {
			if _, there := s.positions[p.Run]; !there {
				s.positions[p.Run] = 0
				s.runs = append(s.runs, p)
			}
			for _, v := range []*float64{p.Estimate.Value, p.Estimate.Lo, p.Estimate.Hi} {
				if metric.IsKnown(v) {
					s.lo, s.hi = min(s.lo, *v), max(s.hi, *v)
				}
			}
		}
	}
	slices.SortFunc(s.runs, func(a, b history.TrendPoint) int {
		if c := a.Started.Compare(b.Started); c != 0 {
			return c
		}
		return strings.Compare(a.Run, b.Run)
	})
	for i, p := range s.runs {
		s.positions[p.Run] = i
	}
	s.round()
	return s
}

// round extends the vertical axis to round values and sets its ticks. The distance between ticks is
// 1, 2 or 5 times a power of ten.
func (s *trendScale) round() {
	if s.lo > s.hi {
		s.lo, s.hi = 0, 1 // no run has a value
	}
	if s.lo == s.hi {
		s.lo, s.hi = s.lo-math.Max(math.Abs(s.lo)/10, 0.01), s.hi+math.Max(math.Abs(s.hi)/10, 0.01)
		if metric.FindOrCustom(s.metric).Unit == metric.Share {
			s.lo, s.hi = max(s.lo, 0), min(s.hi, 1)
		}
	}
	rough := (s.hi - s.lo) / (maxTicks - 1)
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step := 10 * power
	for _, n := range []float64{5, 2, 1} {
		if n*power >= rough*0.999 {
			step = n * power
		}
	}
	first, last := math.Floor(s.lo/step+1e-9), math.Ceil(s.hi/step-1e-9)
	s.lo, s.hi = first*step, last*step
	for n := first; n <= last; n++ {
		s.ticks = append(s.ticks, n*step)
	}
}

func (s trendScale) x(run string) string { return xPercent(s.positions[run], len(s.runs)) }

func xPercent(i, of int) string { return pixels(100*(float64(i)+0.5)/float64(of)) + "%" }

func (s trendScale) y(v float64) float64 {
	return trendBottom - (v-s.lo)/(s.hi-s.lo)*(trendBottom-trendTop)
}

func (s trendScale) plot(points []history.TrendPoint) (p trendPlot) {
	for _, v := range s.ticks {
		p.Grid = append(p.Grid, gridLine{Y: pixels(s.y(v)), Above: pixels(s.y(v) - 3),
			Label: metric.FindOrCustom(s.metric).Format(v)})
	}
	for i, at := range points {
		if !metric.IsKnown(at.Estimate.Value) {
			continue
		}
		d := trendDot{X: s.x(at.Run), Y: pixels(s.y(*at.Estimate.Value)), Class: "joined"}
		if i > 0 && !at.IsComparable() {
			d.Class = "parted"
		}
		if lo, hi := at.Estimate.Lo, at.Estimate.Hi; metric.IsKnown(lo) && metric.IsKnown(hi) {
			d.Lo, d.Hi = pixels(s.y(*lo)), pixels(s.y(*hi))
		}
		p.Dots = append(p.Dots, d)
		if i > 0 && at.IsComparable() && metric.IsKnown(points[i-1].Estimate.Value) {
			p.Lines = append(p.Lines, trendLine{
				X1: s.x(points[i-1].Run),
				Y1: pixels(s.y(*points[i-1].Estimate.Value)),
				X2: d.X,
				Y2: d.Y,
			})
		}
	}
	p.Days = s.days()
	return p
}

// days returns labels for some of the runs: their dates or, if all runs are from one day, their
// times.
func (s trendScale) days() (list []dayLabel) {
	layout := "01-02"
	if first, last := s.runs[0].Started,
		s.runs[len(s.runs)-1].Started; first.UTC().Format(time.DateOnly) == last.UTC().Format(time.DateOnly) {
		layout = "15:04"
	}
	every := (len(s.runs) + maxDayLabels - 1) / maxDayLabels
	for i := 0; i < len(s.runs); i += every {
		l := dayLabel{X: xPercent(i, len(s.runs)), Label: s.runs[i].Started.UTC().Format(layout), Anchor: "middle"}
		list = append(list, l)
	}
	return list
}

func pixels(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
