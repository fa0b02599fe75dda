package view

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports"
	"evalctl/reports/document"
	"evalctl/reports/page"
)

// URL paths of the pages.
const (
	homePath    = "/"
	runPath     = "/run/"
	comparePath = "/compare"
	trendPath   = "/trend"
)

func runURL(name string) string { return runPath + url.PathEscape(name) }

// Limits of the list of runs and of trends, which show the newest runs.
const (
	maxListedRuns = 200
	maxTrendRuns  = 200
)

// trendMetrics are the metrics for which the list of runs links to a trend.
var trendMetrics = []string{"route.accuracy", "route.macro_f1", "latency.p95", "cost.total_usd", "fallback.rate"}

// renderedPage is a rendered page with its HTTP status and its Content-Security-Policy.
type renderedPage struct {
	status int
	policy string
	text   []byte
}

// render renders a page with one view. It is not the report of a run.
func render(status int, v page.View) (renderedPage, error) {
	var text bytes.Buffer
	info, err := page.Write(&text, page.Page{
		Title:  v.Title,
		Views:  []page.View{v},
		Server: page.Server{RunListURL: homePath},
	})
	return renderedPage{status: status, policy: info.ContentSecurityPolicy, text: text.Bytes()}, err
}

// errorPage returns a page that explains why a request failed.
func errorPage(status int, why string) (renderedPage, error) {
	return render(status, page.View{Address: "#error", Title: http.StatusText(status), Sections: []page.Section{
		page.FullWidth(document.Block{Lines: []document.Line{{Tone: document.Bad, Mark: "✗", Text: why}}})}})
}

// list sends the list of runs, newest first. ?q= selects the runs that contain all its words.
func (s *Server) list(w http.ResponseWriter, r *http.Request) error {
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	v := page.View{Address: page.RunList, Title: "Runs"}
	for _, d := range s.dirs {
		v.Facts = append(v.Facts, d.path)
	}
	places, problems := s.dirs.runs()
	all, unreadable, err := s.rows.runs(r.Context(), places)
	if err != nil {
		return err
	}
	problems = append(problems, unreadable...)
	slices.SortFunc(all, func(a, b history.Run) int {
		return cmp.Or(b.Started.Compare(a.Started), strings.Compare(b.Name, a.Name))
	})
	found := all
	if query != "" {
		found = slices.DeleteFunc(slices.Clone(all), func(r history.Run) bool { return !matches(r, query) })
	}
	listed := reports.RunListReport{Runs: found[:min(len(found), maxListedRuns)]}
	listed.NotShown = len(found) - len(listed.Runs)
	var blocks []document.Block
	for _, err := range problems {
		blocks = append(blocks, document.Block{Lines: []document.Line{{Mark: "!", Text: err.Error()}}})
	}
	if len(all) == 0 {
		blocks = append(blocks, document.Block{Lines: []document.Line{
			{Text: "No runs yet. Start a run, then reload this page."}}})
	} else {
		forms, err := listForms(query, fmt.Sprintf("%d of %d runs", len(found), len(all)))
		if err != nil {
			return err
		}
		earlier, later := preselected(listed.Runs)
		blocks = append(blocks, document.Block{Graphics: document.Graphics{Drawing: forms}},
			listed.HTML(reports.RunListControls{RunURL: runURL, Form: compareForm, Earlier: earlier, Later: later}),
			s.trendLinks())
	}
	v.Sections = []page.Section{page.FullWidth(blocks...)}
	c, err := render(http.StatusOK, v)
	if err != nil {
		return err
	}
	send(w, r, c)
	return nil
}

// compareForm is the id of the form to which the radio buttons of the list belong.
const compareForm = "compare"

var forms = template.Must(template.New("").Parse(`<div class="forms">
<form role="search" action="` + homePath + `" method="get"><input type="search" name="q" value="{{.Query}}" ` +
	`aria-label="Search runs" placeholder="Name, suite, variant, status"><button>Search</button></form>
{{if .Query}}<p class="m">{{.Count}} · <a href="` + homePath + `">All runs</a></p>{{end}}
<form id="` + compareForm + `" action="` + comparePath + `" method="get"><button>Compare</button></form></div>`))

// listForms returns the search form and the form that compares two selected runs.
func listForms(query, count string) (template.HTML, error) {
	var b strings.Builder
	err := forms.Execute(&b, map[string]string{"Query": query, "Count": count})
	return template.HTML(b.String()), err //nolint:gosec // escaped by html/template
}

// matches reports whether a run contains all words of a query, in its name, status, suites, datasets,
// variants or seed.
func matches(r history.Run, query string) bool {
	texts := []string{r.Name, string(r.Status), r.Version, r.Clock, fmt.Sprintf("seed=%d", r.Seed)}
	for _, s := range r.Suites {
		texts = append(texts, s.Name, s.Dataset, s.DatasetHash)
		for variant, hash := range s.SettingsHashes {
			texts = append(texts, variant, hash)
		}
	}
	for _, g := range r.Gates {
		texts = append(texts, "gate "+string(g.Verdict))
	}
	text := strings.ToLower(strings.Join(texts, "\n"))
	for _, word := range strings.Fields(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// preselected returns the names of the two newest runs of the same suite; "": there are none.
func preselected(list []history.Run) (earlier, later string) {
	for i, r := range list {
		for _, newer := range list[:i] {
			if slices.ContainsFunc(r.Suites, func(s history.Suite) bool {
				return slices.ContainsFunc(newer.Suites, func(o history.Suite) bool { return o.Name == s.Name })
			}) {
				return r.Name, newer.Name
			}
		}
	}
	return "", ""
}

// trendLinks returns links to the trends. It is empty if each served directory is a single run.
func (s *Server) trendLinks() (b document.Block) {
	if !slices.ContainsFunc(s.dirs, func(d servedDir) bool { return d.runName == "" }) {
		return b
	}
	b.Heading = "Trends"
	for _, m := range trendMetrics {
		b.Lines = append(b.Lines, document.Line{Parts: []document.Part{
			{Text: m, Link: trendPath + "?metric=" + url.QueryEscape(m)}}})
	}
	return b
}

// report sends the report of a run.
func (s *Server) report(w http.ResponseWriter, r *http.Request) error {
	p, err := s.dirs.find(r.PathValue("name"))
	if err != nil {
		return err
	}
	return s.sendReport(w, r, "run "+p.path, []namedRun{p})
}

// compare sends the report of run b, compared with run a. The names are escaped (url.PathEscape) in
// the values of the parameters, as in the list of runs.
func (s *Server) compare(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	if q.Get("a") == "" || q.Get("b") == "" {
		return newHTTPError(http.StatusBadRequest, "choose two runs: an earlier and a later one")
	}
	a, err := s.dirs.findEscaped(q.Get("a"))
	if err != nil {
		return err
	}
	b, err := s.dirs.findEscaped(q.Get("b"))
	if err != nil {
		return err
	}
	if a.path == b.path {
		return newHTTPError(http.StatusBadRequest, "choose two different runs: both are %.80q", a.name)
	}
	return s.sendReport(w, r, "compare "+b.path+"\x00"+a.path, []namedRun{b, a})
}

// sendReport sends the report of the first run, compared with the second one if there are two. It uses
// the cached page if the files of the runs have not changed.
func (s *Server) sendReport(w http.ResponseWriter, r *http.Request, key string, of []namedRun) error {
	stamp := func() (all string) {
		for _, p := range of {
			all += stampOf(p.path)
		}
		return all
	}
	slots := s.smallReports
	if isLarge(of) {
		slots = s.largeReports
	}
	c, err := s.pages.page(r.Context(), key, slots, stamp, func() (renderedPage, error) { return renderReport(of) })
	if err != nil {
		return readError(err, of...)
	}
	send(w, r, c)
	return nil
}

func renderReport(of []namedRun) (renderedPage, error) {
	run, err := runs.OpenPartial(of[0].path)
	if err != nil {
		return renderedPage{}, err
	}
	sum, notes, err := run.RecomputeWithGates(nil)
	if err != nil {
		return renderedPage{}, err
	}
	sum.Partial = sum.Partial || run.Summary.Partial
	r := reports.Report{Summary: sum, Title: of[0].name, Dir: of[0].path, Run: run,
		Notes: append(run.Notes(), notes...)}
	server := page.Server{TraceURL: runURL(of[0].name) + "/case", RunListURL: homePath}
	if lost := run.MissingResultsReason(); lost != "" {
		r.Notes = append(r.Notes, lost)
	}
	if run.Manifest.Status == journal.StatusRunning {
		server.ProgressURL = runURL(of[0].name) + "/events"
	}
	if len(of) > 1 {
		if r.BaselineRun, err = runs.OpenPartial(of[1].path); err != nil {
			return renderedPage{}, err
		}
		r.ComparisonFirst = true
	}
	var text bytes.Buffer
	result, err := reports.WriteHTML(&text, r, server)
	if err != nil {
		return renderedPage{}, err
	}
	return renderedPage{status: http.StatusOK, policy: result.ContentSecurityPolicy, text: text.Bytes()}, nil
}

// serveCase sends a case with its traces as JSON. The report requests it when the user opens the case.
func (s *Server) serveCase(w http.ResponseWriter, r *http.Request) error {
	p, err := s.dirs.find(r.PathValue("name"))
	if err != nil {
		return err
	}
	select {
	case s.caseReaders <- struct{}{}:
		defer func() { <-s.caseReaders }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	q := r.URL.Query()
	c, err := caseOf(p, q.Get("suite"), q.Get("case"))
	if err != nil {
		return readError(err, p)
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	extendDeadline(w, r)
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // a write error means that the client has disconnected
	}
	return nil
}

func caseOf(p namedRun, suite, id string) (page.Case, error) {
	if _, err := journal.ReadManifest(p.path); err != nil { // also rejects links among the files of the run
		return page.Case{}, err
	}
	sum, err := runs.LoadSummaryOrPlan(p.path)
	if err != nil {
		return page.Case{}, err
	}
	at := slices.IndexFunc(sum.Suites, func(s eval.SuiteSummary) bool { return s.Name == suite })
	if at < 0 {
		return page.Case{}, newHTTPError(http.StatusNotFound, "run %.80q has no suite %.80q", p.name, suite)
	}
	trials, _, err := journal.CaseTrials(p.path, id)
	if err != nil {
		return page.Case{}, err
	}
	c, found := page.CaseOf(sum.Suites[at], trials)
	if !found {
		return page.Case{}, newHTTPError(http.StatusNotFound, "no trial of case %.80q has its trace: %s", id,
			journal.NoTraceReason(p.path))
	}
	return c, nil
}

// trend sends the trend of a metric, with the runs of each directory.
func (s *Server) trend(w http.ResponseWriter, r *http.Request) error {
	metric := r.URL.Query().Get("metric")
	stamp := func() (all string) {
		places, _ := s.dirs.runs()
		for _, p := range places {
			all += p.path + " " + stampOf(p.path)
		}
		return all
	}
	c, err := s.pages.page(r.Context(), "trend "+metric, s.trends, stamp,
		func() (renderedPage, error) { return s.renderTrend(r.Context(), metric) })
	if err != nil {
		return err
	}
	send(w, r, c)
	return nil
}

func (s *Server) renderTrend(ctx context.Context, metric string) (renderedPage, error) {
	v := page.View{Address: "#trend", Title: "Trend of " + metric}
	var why error
	for _, d := range s.dirs {
		if d.runName != "" {
			continue
		}
		t, err := trendIn(ctx, d.path, metric)
		if err != nil {
			why = err
			continue
		}
		v.Facts = append(v.Facts, d.path)
		v.Sections = append(v.Sections,
			page.FullWidth(t.HTML(func(run string) string { return runURL(d.namePrefix + run) })...))
	}
	if ctx.Err() != nil {
		return renderedPage{}, ctx.Err()
	}
	if v.Sections == nil && why != nil {
		return renderedPage{}, newHTTPError(http.StatusNotFound, "%v", why)
	}
	return render(http.StatusOK, v)
}

func trendIn(ctx context.Context, dir, metric string) (t reports.TrendReport, err error) {
	h, err := history.Open(ctx, dir)
	if err != nil {
		return t, err
	}
	defer func() { err = cmp.Or(err, h.Close()) }()
	t.Trend, err = h.Trend(ctx, metric, history.Filter{}, maxTrendRuns)
	return t, err
}
