// Package service puts agents behind HTTP: a turn of a conversation is posted,
// and the answer comes as server-sent events while the agent works.
//
//	POST /v1/agents/{name}/chat   one turn, answered by a stream
//	GET  /v1/agents               the agents' names
//	GET  /healthz                 200, or 503 while the service drains
//
// An event is "event: TYPE" and one line "data: {"type":TYPE,"data":{…}}".
// The types are thought_log {node, message}, gen_ui_component {widgetType,
// props}, chunk {text}, banner {text}, error {code, message, node}, and last of
// all, exactly once, done. Lines that begin with a colon keep the connection
// open. What refuses a request before its stream begins is an HTTP status with
// {"error":{"code","message"}}.
package service

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Service is an http.Handler that answers for its agents. Make it with New.
type Service struct {
	cfg   Config
	names []string // of the agents, in order
	mux   *http.ServeMux

	mu       sync.Mutex // guards the rest
	runs     int
	draining bool
	stopped  bool
	stops    map[context.Context]context.CancelCauseFunc // of the agents at work
}

var _ http.Handler = (*Service)(nil)

// New checks cfg; errors name the field.
func New(cfg Config) (*Service, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg.complete()
	s := &Service{cfg: cfg, names: slices.Sorted(maps.Keys(cfg.Agents)), mux: http.NewServeMux(),
		stops: map[context.Context]context.CancelCauseFunc{}}
	s.mux.Handle("/v1/agents/{name}/chat", refusable(s.chat))
	s.mux.Handle("/v1/agents", refusable(s.list))
	s.mux.Handle("/healthz", refusable(s.health))
	s.mux.Handle("/", refusable(nowhere))
	return s, nil
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Runs counts the answers under way.
func (s *Service) Runs() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs
}

// Drain refuses all further turns. Those under way go on: http.Server.Shutdown
// waits for them, and Stop ends them.
func (s *Service) Drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draining = true
}

// enter makes room for one more answer; leave gives it back.
func (s *Service) enter() *problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.draining:
		return refuse(http.StatusServiceUnavailable, codeStopping, "the service is shutting down")
	case s.runs == s.cfg.MaxRuns:
		return refuse(http.StatusServiceUnavailable, "TOO_MANY_RUNS", "%d answers are under way, as many as may be", s.runs)
	}
	s.runs++
	return nil
}

func (s *Service) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs--
}

func (s *Service) list(w http.ResponseWriter, r *http.Request) *problem {
	if p := allow(r, http.MethodGet, http.MethodHead); p != nil {
		return p
	}
	writeJSON(w, http.StatusOK, struct {
		Agents []string `json:"agents"`
	}{s.names})
	return nil
}

func (s *Service) health(w http.ResponseWriter, r *http.Request) *problem {
	if p := allow(r, http.MethodGet, http.MethodHead); p != nil {
		return p
	}
	s.mu.Lock()
	draining := s.draining
	s.mu.Unlock()
	status, text := http.StatusOK, "ok"
	if draining {
		status, text = http.StatusServiceUnavailable, "draining"
	}
	writeJSON(w, status, struct {
		Status string `json:"status"`
	}{text})
	return nil
}

// chat answers one turn.
func (s *Service) chat(w http.ResponseWriter, r *http.Request) *problem {
	name := r.PathValue("name")
	if s.cfg.Agents[name] == nil {
		return refuse(http.StatusNotFound, "UNKNOWN_AGENT", "no agent is called %s; there are: %s", piece(name), strings.Join(s.names, ", "))
	}
	if p := allow(r, http.MethodPost); p != nil {
		return p
	}
	if p := s.enter(); p != nil {
		p.retry = true
		return p
	}
	defer s.leave()
	t, p := s.read(w, r)
	if p != nil {
		return p
	}
	s.answer(r.Context(), name, t, s.open(r.Context(), w, t.Session))
	return nil
}
