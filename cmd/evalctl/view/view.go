// Package view implements evalctl view, an HTTP server that shows runs in a browser: a list,
// reports, comparisons, and the progress of unfinished runs.
//
//	GET /?q=WORDS: list of runs
//	GET /run/NAME: report of a run, even if the run is unfinished
//	GET /run/NAME/case?suite=S&case=C: a case with its full traces, as JSON (page.Case)
//	GET /run/NAME/events: progress of a run as server-sent events (page.Server.ProgressURL)
//	GET /compare?a=NAME&b=NAME: report of run b, compared with run a
//	GET /trend?metric=NAME: a metric from run to run
//
// The server rejects requests for other host names and requests from pages of other origins. NAME
// must be in the list of runs, so no request can read another directory. In the query of /compare,
// the character % of a NAME is written as %2525.
package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
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
	minSmallReports     = 2        // rendered at once, on a machine with fewer processors
	largeReport         = 16 << 20 // bytes of results and traces above which a report is large
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

	dirs     servedDirs
	rows     runCache
	pages    *pageCache
	progress progressStreams

	// The capacity of each limits how many are rendered or read at once. A large report takes seconds
	// and much memory, and a trend may update the index of runs. Small reports wait for neither.
	smallReports, largeReports, trends, caseReaders chan struct{}
}

var _ http.Handler = (*Server)(nil)

// New returns a Server for the directories in cfg. It returns an error if the configuration is
// invalid or a directory does not exist.
func New(cfg Config) (*Server, error) {
	if len(cfg.Dirs) == 0 {
		return nil, errors.New("view: requires a directory of runs")
	}
	dirs, err := servedDirsOf(cfg.Dirs)
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
	s := &Server{
		guard: guard,
		mux:   http.NewServeMux(),
		dirs:  dirs,
		rows:  runCache{known: map[string]cachedRun{}},
		pages: newPageCache(cmp.Or(cfg.CacheBytes, defaultCache)),
		progress: progressStreams{
			byPath:  map[string]*followedRun{},
			clients: make(chan struct{}, cfg.MaxProgressClients),
			wait:    cfg.WaitForPoll,
		},
		smallReports: make(chan struct{}, max(minSmallReports, runtime.GOMAXPROCS(0))),
		largeReports: make(chan struct{}, 1),
		trends:       make(chan struct{}, 1),
		caseReaders:  make(chan struct{}, maxCaseReaders),
	}
	s.mux.Handle(homePath+"{$}", handler(s.list))
	s.mux.Handle(runPath+"{name}", handler(s.report))
	s.mux.Handle(runPath+"{name}/case", handler(s.serveCase))
	s.mux.Handle(runPath+"{name}/events", handler(s.streamProgress))
	s.mux.Handle(comparePath, handler(s.compare))
	s.mux.Handle(trendPath, handler(s.trend))
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

// denyAll is a Content-Security-Policy that forbids a page to load anything or to be framed.
const denyAll = "default-src 'none'; frame-ancestors 'none'"

// httpError is an error that is sent to the client with an HTTP status.
type httpError struct {
	status int
	why    string
}

func (p *httpError) Error() string { return p.why }

func newHTTPError(status int, format string, args ...any) error {
	return &httpError{status: status, why: fmt.Sprintf(format, args...)}
}

// handler is an HTTP handler that may return an error before it has written anything.
type handler func(http.ResponseWriter, *http.Request) error

func (f handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := f(w, r)
	if err == nil || r.Context().Err() != nil {
		return
	}
	p, ok := errors.AsType[*httpError](err)
	if !ok {
		p = &httpError{status: http.StatusInternalServerError, why: err.Error()}
	}
	c, err := errorPage(p.status, p.why)
	if err != nil {
		http.Error(w, p.why, p.status)
		return
	}
	send(w, r, c)
}

// send sends a page. A write error means that the client has disconnected, and is ignored.
func send(w http.ResponseWriter, r *http.Request, c renderedPage) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", c.policy+"; frame-ancestors 'none'")
	h.Set("Content-Length", fmt.Sprint(len(c.text)))
	extendDeadline(w, r)
	w.WriteHeader(c.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(c.text)
	}
}

// writeTime is the time within which one response or one event must be sent.
const writeTime = 30 * time.Second

// extendDeadline restarts the write timeout of the connection, if it has one.
func extendDeadline(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetWriteDeadline(clock.WallNow(r.Context()).Add(writeTime))
}
