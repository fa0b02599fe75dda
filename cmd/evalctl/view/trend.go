package view

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
	"net/url"

	"evalctl/eval/history"
	"evalctl/reports/page"
)

// mainMetrics are the metrics for which the run list links to a trend page.
var mainMetrics = []string{"route.accuracy", "route.macro_f1", "latency.p95", "cost.total_usd", "fallback.rate"}

// trendLinks returns links to trend pages. It returns nil if each served directory is a single run.
func trendLinks(all servedDirs) (list []page.Link) {
	for _, f := range all {
		if f.runName == "" {
			for _, m := range mainMetrics {
				list = append(list, page.Link{Name: m, Link: trendPath + "?metric=" + url.QueryEscape(m)})
			}
			return list
		}
	}
	return nil
}

type trendHandler struct {
	folders servedDirs
	pages   *pageCache
}

// maxTrendRuns is the maximum number of runs that a trend shows. It shows the latest ones.
const maxTrendRuns = 200

// trend sends the trend page of a metric, with a chart for each directory of runs.
func (s trendHandler) trend(w http.ResponseWriter, r *http.Request) error {
	metric := r.URL.Query().Get("metric")
	stamp := func() (all string) {
		places, _ := s.folders.runs()
		for _, p := range places {
			all += p.path + " " + stampOf(p.path)
		}
		return all
	}
	c, err := s.pages.page(r.Context(), "trend "+metric, stamp,
		func() (renderedPage, error) { return s.page(r.Context(), metric) })
	if err != nil {
		return err
	}
	send(w, r, c)
	return nil
}

func (s trendHandler) page(ctx context.Context, metric string) (renderedPage, error) {
	var body template.HTML
	var why error
	for _, f := range s.folders {
		if f.runName != "" {
			continue
		}
		part, err := trendIn(ctx, f.path, metric)
		if err != nil {
			why = err
			continue
		}
		body += part
	}
	if ctx.Err() != nil {
		return renderedPage{}, ctx.Err()
	}
	if body == "" && why != nil {
		return renderedPage{}, newHTTPError(http.StatusNotFound, "%v", why)
	}
	var text bytes.Buffer
	policy, err := page.WritePage(&text, homePath, "Trend of "+metric, body)
	return renderedPage{status: http.StatusOK, policy: policy, text: text.Bytes()}, err
}

// trendIn renders the trend of a metric over the runs in one directory as HTML.
func trendIn(ctx context.Context, dir, metric string) (body template.HTML, err error) {
	h, err := history.Open(ctx, dir)
	if err != nil {
		return "", err
	}
	defer func() {
		if closed := h.Close(); err == nil {
			err = closed
		}
	}()
	t, err := h.Trend(ctx, metric, history.Filter{}, maxTrendRuns)
	if err != nil {
		return "", err
	}
	return page.TrendHTML(t)
}
