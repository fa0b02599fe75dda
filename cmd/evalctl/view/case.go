package view

import (
	"encoding/json"
	"net/http"
	"slices"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports/page"
)

// caseHandler serves single cases. The capacity of slots limits how many are read at once.
type caseHandler struct {
	folders servedDirs
	slots   chan struct{}
}

// serveCase sends a case with its traces as JSON. The report requests it when the user opens the
// case.
func (s caseHandler) serveCase(w http.ResponseWriter, r *http.Request) error {
	p, err := s.folders.find(r.PathValue("name"))
	if err != nil {
		return err
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	q := r.URL.Query()
	c, err := caseOf(p, q.Get("suite"), q.Get("case"))
	if err != nil {
		return err
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
