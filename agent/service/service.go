// Package service puts agents behind HTTP: a turn of a conversation is posted,
// and the answer comes as server-sent events while the agent works.
//
//	POST /v1/agents/{name}/chat   one turn, answered by a stream
//	GET  /v1/agents/{name}/chat   the same of ?text=…&sessionId=…, for an EventSource; wants Accept: text/event-stream
//	GET  /v1/agents               the agents' names
//	GET  /healthz                 200, or 503 while the service drains
//
// An event is "event: TYPE", "id: ID" and one line "data: {"type":TYPE,"data":{…}}".
// What a turn sets besides its text stands in "options" (switches and parameters) and "state",
// as far as its agent takes them. The types, which an agent may call by other names, are thought_log {node, message}, gen_ui_component {widgetType,
// props}, chunk {text}, banner {text}, message {content, send_delay_seconds} for
// each message of an answer of several, question {thread_id, questions} for what
// the user is to answer with the next turn of the session, error {code, message,
// node}, and last of all, exactly once, done; that of a message that the answer to
// a later one answers has gathered. A turn may be several "messages" in place of
// one "text", where the agent takes them. Lines that begin with a colon keep the connection
// open. What refuses a request before its stream begins is an HTTP status with
// {"error":{"code","message"}}. A GET that comes back with the id of done as its
// Last-Event-ID, and asks the same, has had its answer, and gets 204.
//
// Requests for another host than this, and of web pages of other origins, are
// refused unless the configuration lets them in.
package service

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/service/door"
)

// Service is an http.Handler that answers for its agents. Make it with New.
type Service struct {
	cfg   Config
	names []string // of the agents, in order
	mux   *http.ServeMux
	runs  *runs
	bytes *budget
	door  *door.HostGuard
}

var _ http.Handler = (*Service)(nil)

// New checks cfg; errors name the field.
func New(cfg Config) (*Service, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg.complete()
	entrance, err := door.New(cfg.AllowedHosts, cfg.AllowedOrigins)
	if err != nil {
		return nil, fmt.Errorf("service.Config.AllowedOrigins: %w", err)
	}
	s := &Service{cfg: cfg, names: slices.Sorted(maps.Keys(cfg.Agents)), mux: http.NewServeMux(), runs: newRuns(cfg.MaxConcurrent),
		bytes: &budget{most: max(cfg.MaxTotalBytes, cost(cfg.MaxBody))}, door: entrance}
	s.mux.Handle("/v1/agents/{name}/chat", refusable(s.chat))
	s.mux.Handle("/v1/agents", refusable(s.list))
	s.mux.Handle("/healthz", refusable(s.health))
	s.mux.Handle("/", refusable(nowhere))
	return s, nil
}

// lingers is how long a request that has its answer may still send its body.
const lingers = time.Second

// ServeHTTP answers one request, unless it comes from where it must not.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refusable(s.admit).ServeHTTP(w, r)
	// The server reads on what an unread request still sends, but not for long.
	_ = http.NewResponseController(w).SetReadDeadline(clock.Now(r.Context()).Add(min(lingers, s.cfg.WriteTimeout))) // one in process has no peer
}

func (s *Service) admit(w http.ResponseWriter, r *http.Request) *problem {
	if p := s.enter(w.Header(), r); p != nil {
		return p
	}
	if isPreflight(r) {
		preflight(w)
		return nil
	}
	s.mux.ServeHTTP(w, r)
	return nil
}

// Simulated are the simulated parts of each agent, as the Config has them.
func (s *Service) Simulated() map[string][]string { return s.cfg.Simulated }

// InProgress counts the answers under way.
func (s *Service) InProgress() int { return s.runs.count() }

// Drain refuses all further turns. Those under way go on: http.Server.Shutdown
// waits for them, and Stop ends them.
func (s *Service) Drain() { s.runs.drain() }

// Stop refuses all further turns, as Drain does, and cancels the agents at work.
// It does not wait: once an agent has returned, its client gets an error event
// with the code SHUTTING_DOWN, and done.
func (s *Service) Stop() { s.runs.stop() }

// Close closes the agents, once no answer is under way.
func (s *Service) Close() (err error) {
	for _, name := range s.names {
		err = errors.Join(err, agent.Close(s.cfg.Agents[name]))
	}
	return err
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
	status, text := http.StatusOK, "ok"
	if s.runs.drains() {
		status, text = http.StatusServiceUnavailable, "draining"
	}
	writeJSON(w, status, struct {
		Status string `json:"status"`
	}{text})
	return nil
}

// chat answers one turn. A request that is still being read holds no room that
// an answer might need.
func (s *Service) chat(w http.ResponseWriter, r *http.Request) *problem {
	name := r.PathValue("name")
	if s.cfg.Agents[name] == nil {
		return refuse(http.StatusNotFound, "UNKNOWN_AGENT", "no agent is called %s; there are: %s", piece(name), strings.Join(s.names, ", "))
	}
	if p := allow(r, http.MethodGet, http.MethodPost); p != nil {
		return p
	}
	if p := checkAsker(r); p != nil {
		return p
	}
	if isAnswered(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if p := s.runs.room(); p != nil {
		return p
	}
	share := share{budget: s.bytes}
	defer share.giveBack()
	t, p := limits{maxBody: s.cfg.MaxBody, stall: s.cfg.WriteTimeout, share: &share, runs: s.runs}.read(w, r)
	if p != nil {
		return p
	}
	if p := s.checkContract(name, t); p != nil {
		return p
	}
	if p := s.runs.enter(); p != nil {
		return p
	}
	defer s.runs.leave()
	out := openStream(r.Context(), w, t.Session, s.cfg.WriteTimeout)
	out.names = s.cfg.Systems[name].EventNames
	out.simulated = s.cfg.Simulated[name]
	out.question = questionOf(r)
	run{name: name, agent: s.cfg.Agents[name], timeout: s.cfg.Timeout, heartbeat: s.cfg.Heartbeat,
		log: s.cfg.Log, runs: s.runs}.answer(r.Context(), t, out)
	return nil
}
