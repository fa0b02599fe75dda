package view

import (
	"bytes"
	"fmt"
	"net/http"

	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports/page"
)

type reporter struct {
	folders folders
	pages   *pageCache
}

func (s reporter) report(w http.ResponseWriter, r *http.Request) error {
	p, err := s.folders.find(r.PathValue("name"))
	if err != nil {
		return err
	}
	return s.show(w, r, "run "+p.path, []place{p})
}

// compare sends the report page of run b compared with an earlier run a.
func (s reporter) compare(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	if q.Get("a") == "" || q.Get("b") == "" {
		return newProblem(http.StatusBadRequest, "choose two runs: an earlier and a later one")
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
		return newProblem(http.StatusBadRequest, "choose two different runs: both are %.80q", a.name)
	}
	return s.show(w, r, "compare "+b.path+"\x00"+a.path, []place{b, a})
}

// show sends the report page of the first run, compared with the second one if there are two. It
// uses the cached page if the files of the runs have not changed.
func (s reporter) show(w http.ResponseWriter, r *http.Request, key string, of []place) error {
	stamp := func() (all string) {
		for _, p := range of {
			all += stampOf(p.path)
		}
		return all
	}
	c, err := s.pages.page(r.Context(), key, stamp, func() (content, error) { return renderReport(of) })
	if err != nil {
		return err
	}
	send(w, r, c)
	return nil
}

func renderReport(of []place) (content, error) {
	run, err := runs.OpenPartial(of[0].path)
	if err != nil {
		return content{}, err
	}
	sum, err := run.Recompute()
	if err != nil {
		return content{}, err
	}
	sum.Gates = run.Summary.Gates
	sum.Partial = sum.Partial || run.Summary.Partial
	p := page.Page{
		Summary:  sum,
		Title:    of[0].name,
		Dir:      of[0].path,
		Run:      run,
		TraceURL: runAddress(of[0].name) + "/case",
		Home:     home,
		Notes:    run.Notes(),
	}
	if lost := run.LossReason(); lost != "" {
		p.Notes = append(p.Notes, lost)
	}
	if run.Manifest.Status == journal.Running {
		p.ProgressURL = runAddress(of[0].name) + "/events"
	}
	if len(of) > 1 {
		if p.BaselineRun, err = runs.OpenPartial(of[1].path); err != nil {
			return content{}, err
		}
		p.Notes = append(p.Notes, fmt.Sprintf("Compared with the earlier run %s.", of[1].name))
	}
	var text bytes.Buffer
	result, err := page.Write(&text, p)
	if err != nil {
		return content{}, err
	}
	return content{status: http.StatusOK, policy: result.Policy, text: text.Bytes()}, nil
}
