// Package view is a live server of runs for a browser: their list, the report of each,
// two held against each other, and a run that is under way.
//
//	GET /                          the list of runs
//	GET /run/NAME                  the report of a run, of what there is where it is under way
//	GET /run/NAME/case?suite=&case=  a case with all its traces: a pack.Case
//	GET /run/NAME/events           how far the run is, as server-sent events: see page.Page.ProgressURL
//	GET /compare?a=NAME&b=NAME     the report of b, held against a
//	GET /trend?metric=NAME         how a metric went from run to run
//
// Requests for another host than this, and of web pages of other origins, are refused.
// Names are those of the list and nothing else, so that none leads elsewhere.
package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/service/door"
)

// What bounds a server whose configuration says nothing else.
const (
	defaultMaxFollowers = 64
	defaultCache        = 64 << 20
	followEvery         = 500 * time.Millisecond
	maxCaseReaders      = 2
)

// Config sets a server up. The zero value but for Dirs works.
type Config struct {
	Dirs           []string // of runs, or of folders of runs; required
	Hosts          []string // further names of this machine
	MaxSubscribers int      // followed at once, 503 beyond; 0: defaultMaxFollowers
	Cache          int64    // bytes of pages that are kept; 0: defaultCache

	// Next waits until runs that are followed are to be looked at again; nil: half a second.
	Next func(context.Context) error
}

// Server is an http.Handler. Make it with New.
type Server struct {
	door *door.HostGuard
	mux  *http.ServeMux
}

var _ http.Handler = (*Server)(nil)

// New checks cfg.
func New(cfg Config) (*Server, error) {
	if len(cfg.Dirs) == 0 {
		return nil, errors.New("view: requires a directory of runs")
	}
	folders, err := foldersOf(cfg.Dirs)
	if err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	entrance, err := door.New(cfg.Hosts, nil)
	if err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	cfg.MaxSubscribers = cmp.Or(cfg.MaxSubscribers, defaultMaxFollowers)
	if cfg.Next == nil {
		cfg.Next = func(ctx context.Context) error { return clock.Sleep(ctx, followEvery) }
	}
	s := &Server{door: entrance, mux: http.NewServeMux()}
	pages := newPages(cmp.Or(cfg.Cache, defaultCache))
	reports := reporter{folders: folders, pages: pages}
	s.mux.Handle(home+"{$}", answer(lister{folders: folders, rows: newRows()}.list))
	s.mux.Handle(runPath+"{name}", answer(reports.report))
	s.mux.Handle(comparePath, answer(reports.compare))
	s.mux.Handle(runPath+"{name}/case", answer(caseReader{folders: folders, room: make(chan struct{}, maxCaseReaders)}.read))
	s.mux.Handle(runPath+"{name}/events", answer(teller{folders: folders, follows: newFollows(), room: make(chan struct{}, cfg.MaxSubscribers), next: cfg.Next}.tell))
	s.mux.Handle(trendPath, answer(trends{folders: folders, pages: pages}.trend))
	s.mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.mux.Handle("/", answer(nowhere))
	return s, nil
}

// ServeHTTP answers one request, unless it comes from where it must not.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", closed)
	answer(s.admit).ServeHTTP(w, r)
}

func (s *Server) admit(w http.ResponseWriter, r *http.Request) error {
	switch s.door.Check(w.Header(), r) {
	case door.ReasonHost:
		return refuse(http.StatusForbidden, "%.60q is not a name of this server", r.Host)
	case door.ReasonOrigin:
		return refuse(http.StatusForbidden, "pages of other sites may not ask here: open this address by itself")
	case door.ReasonNone:
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		return refuse(http.StatusMethodNotAllowed, "%.20q is not answered here", r.Method)
	}
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close") // or the server would wait for the body
		return refuse(http.StatusBadRequest, "requests must not have a body")
	}
	s.mux.ServeHTTP(w, r)
	return nil
}

func nowhere(_ http.ResponseWriter, r *http.Request) error {
	return refuse(http.StatusNotFound, "no page at %.60q", r.URL.Path)
}
