package view

import (
	"bytes"
	"fmt"
	"net/http"

	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports/page"
)

type reportHandler struct {
	folders servedDirs
	pages   *pageCache
}

func (s reportHandler) report(w http.ResponseWriter, r *http.Request) error {
	p, err := s.folders.find(r.PathValue("name"))
	if err != nil {
		return err
	}
	return s.show(w, r, "run "+p.path, []namedRun{p})
}

// compare sends the report page of run b, compared with run a.
func (s reportHandler) compare(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	if q.Get("a") == "" || q.Get("b") == "" {
		return newHTTPError(http.StatusBadRequest, "choose two runs: an earlier and a later one")
	}
	a, err := s.folders.find(q.Get("a"))
	if err != nil {
		return err
	}
	b, err := s.folders.find(q.Get("b"))
	if err != nil {
		return err
	}
	if a.path == b.path {
		return newHTTPError(http.StatusBadRequest, "choose two different runs: both are %.80q", a.name)
	}
	return s.show(w, r, "compare "+b.path+"\x00"+a.path, []namedRun{b, a})
}

// show sends the report page of the first run, compared with the second one if there are two. It
// uses the cached page if the files of the runs have not changed.
func (s reportHandler) show(w http.ResponseWriter, r *http.Request, key string, of []namedRun) error {
	stamp := func() (all string) {
		for _, p := range of {
			all += stampOf(p.path)
		}
		return all
	}
	c, err := s.pages.page(r.Context(), key, stamp, func() (renderedPage, error) { return renderReport(of) })
	if err != nil {
		return err
	}
	send(w, r, c)
	return nil
}

func renderReport(of []namedRun) (renderedPage, error) {
	run, err := runs.OpenPartial(of[0].path)
	if err != nil {
		return renderedPage{}, err
	}
	sum, err := run.Recompute()
	if err != nil {
		return renderedPage{}, err
	}
	sum.Gates = run.Summary.Gates
	sum.Partial = sum.Partial || run.Summary.Partial
	p := page.Page{
		Summary:    sum,
		Title:      of[0].name,
		Dir:        of[0].path,
		Run:        run,
		TraceURL:   runAddress(of[0].name) + "/case",
		RunListURL: homePath,
		Notes:      run.Notes(),
	}
	if lost := run.MissingResultsReason(); lost != "" {
		p.Notes = append(p.Notes, lost)
	}
	if run.Manifest.Status == journal.StatusRunning {
		p.ProgressURL = runAddress(of[0].name) + "/events"
	}
	if len(of) > 1 {
		if p.BaselineRun, err = runs.OpenPartial(of[1].path); err != nil {
			return renderedPage{}, err
		}
		p.Notes = append(p.Notes, fmt.Sprintf("Compared with the earlier run %s.", of[1].name))
	}
	var text bytes.Buffer
	result, err := page.Write(&text, p)
	if err != nil {
		return renderedPage{}, err
	}
	return renderedPage{status: http.StatusOK, policy: result.ContentSecurityPolicy, text: text.Bytes()}, nil
}
