package page

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

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
