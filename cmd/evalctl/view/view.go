// Package view implements evalctl view, an HTTP server that shows runs in a browser: a list,
// reports, comparisons, and the progress of unfinished runs.
//
//	GET /: list of runs
//	GET /run/NAME: report of a run, even if the run is unfinished
//	GET /run/NAME/case?suite=S&case=C: a case with its full traces, as JSON (page.Case)
//	GET /run/NAME/events: progress of a run as server-sent events (page.Page.ProgressURL)
//	GET /compare?a=NAME&b=NAME: report of run b, compared with run a
//	GET /trend?metric=NAME: a metric from run to run
//
// The server rejects requests for other host names and requests from pages of other origins. NAME
// must be in the list of runs, so no request can read another directory.
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

// These are the defaults of Config and other limits of the server.
const (
	defaultMaxFollowers = 64
	defaultCache        = 64 << 20
	followEvery         = 500 * time.Millisecond
	maxCaseReaders      = 2
)

// Config configures a Server. Only Dirs is required.
type Config struct {
	Dirs               []string // directories to show: run directories, or directories that contain run directories
	Hosts              []string // additional host names by which browsers may address this server
	MaxProgressClients int      // maximum number of clients that follow the progress of runs; more get a 503; 0: 64
	CacheBytes         int64    // size of the cache of rendered pages, in bytes; 0: 64 MiB

	// WaitForPoll blocks until the results of followed runs are to be read again; nil: every half
	// second.
	WaitForPoll func(context.Context) error
}

// Server serves the pages as an http.Handler. Use New to create one.
type Server struct {
	guard *door.HostGuard
	mux   *http.ServeMux
}

var _ http.Handler = (*Server)(nil)

// New returns a Server for the directories in cfg. It returns an error if the configuration is
// invalid or a directory does not exist.
func New(cfg Config) (*Server, error) {
	if len(cfg.Dirs) == 0 {
		return nil, errors.New("view: requires a directory of runs")
	}
	folders, err := servedDirsOf(cfg.Dirs)
	if err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	guard, err := door.New(cfg.Hosts, nil)
	if err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	cfg.MaxProgressClients = cmp.Or(cfg.MaxProgressClients, defaultMaxFollowers)
	if cfg.WaitForPoll == nil {
		cfg.WaitForPoll = func(ctx context.Context) error { return clock.Sleep(ctx, followEvery) }
	}
	s := &Server{guard: guard, mux: http.NewServeMux()}
	pages := newPageCache(cmp.Or(cfg.CacheBytes, defaultCache))
	reports := reportHandler{folders: folders, pages: pages}
	s.mux.Handle(homePath+"{$}", handler(listHandler{folders: folders, rows: newRowCache()}.list))
	s.mux.Handle(runPath+"{name}", handler(reports.report))
	s.mux.Handle(comparePath, handler(reports.compare))
	s.mux.Handle(runPath+"{name}/case",
		handler(caseHandler{folders: folders, slots: make(chan struct{}, maxCaseReaders)}.serveCase))
	s.mux.Handle(runPath+"{name}/events", handler(progressHandler{
		folders: folders,
		follows: newFollowedRuns(),
		slots:   make(chan struct{}, cfg.MaxProgressClients),
		wait:    cfg.WaitForPoll,
	}.stream))
	s.mux.Handle(trendPath, handler(trendHandler{folders: folders, pages: pages}.trend))
	s.mux.HandleFunc("/favicon.ico",
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.mux.Handle("/", handler(notFound))
	return s, nil
}

// ServeHTTP serves a GET or HEAD request. It rejects the request if its host or its origin is not
// permitted.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", denyAll)
	handler(s.admit).ServeHTTP(w, r)
}

func (s *Server) admit(w http.ResponseWriter, r *http.Request) error {
	switch s.guard.Check(w.Header(), r) {
	case door.ReasonHost:
		return newHTTPError(http.StatusForbidden, "%.60q is not a name of this server", r.Host)
	case door.ReasonOrigin:
		return newHTTPError(http.StatusForbidden, "pages of other sites may not ask here: open this address by itself")
	case door.ReasonNone:
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		return newHTTPError(http.StatusMethodNotAllowed, "%.20q is not answered here", r.Method)
	}
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close") // otherwise the server would wait for the body
		return newHTTPError(http.StatusBadRequest, "requests must not have a body")
	}
	s.mux.ServeHTTP(w, r)
	return nil
}

func notFound(_ http.ResponseWriter, r *http.Request) error {
	return newHTTPError(http.StatusNotFound, "no page at %.60q", r.URL.Path)
}
