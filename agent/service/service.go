// Package service provides agents over HTTP. A client posts a turn of a conversation and receives
// the answer as server-sent events while the agent works.
//
//	POST /v1/agents/{name}/chat   one turn, answered by a stream
//	GET  /v1/agents/{name}/chat   the same with ?text=…&sessionId=…, for an EventSource; requires Accept: text/event-stream
//	GET  /v1/agents               the agents' names
//	GET  /healthz                 200, or 503 while the service drains
//
// An event consists of "event: TYPE", "id: ID" and one line "data: {"type":TYPE,"data":{…}}". An
// agent may rename the types:
//
// - thought_log {node, message}
// - gen_ui_component {widgetType, props}
// - chunk {text} and banner {text}
// - message {content, send_delay_seconds}: one of several messages of an answer
// - question {thread_id, questions}: to be answered in the next turn of the session
// - error {code, message, node}
// - done: always the last event, exactly once; "batched" marks a message answered with a later one
//
// Lines that begin with a colon keep the connection open.
//
// A turn may contain several "messages" in place of one "text" if the agent accepts them. "options"
// (switches and parameters) and "state" must be declared by the agent. A request rejected before
// its stream gets an HTTP status with {"error":{"code","message"}}. A GET with the id of done as
// Last-Event-ID and the same question gets 204, because it was already answered.
//
// Requests for another host and from web pages of other origins are rejected unless the
// configuration allows them.
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

// Service is an http.Handler that runs agents for clients. Create it with New.
type Service struct {
	cfg   Config
	names []string // names of the agents, sorted
	mux   *http.ServeMux
	runs  *activeAnswers
	bytes *memoryBudget
	guard *door.HostGuard
}

var _ http.Handler = (*Service)(nil)

// New returns a service for the agents of cfg. Its errors name the invalid field of cfg.
func New(cfg Config) (*Service, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg.complete()
	entrance, err := door.New(cfg.AllowedHosts, cfg.AllowedOrigins)
	if err != nil {
		return nil, fmt.Errorf("service.Config.AllowedOrigins: %w", err)
	}
	s := &Service{
		cfg:   cfg,
		names: slices.Sorted(maps.Keys(cfg.Agents)),
		mux:   http.NewServeMux(),
		runs:  newRuns(cfg.MaxConcurrent),
		bytes: &memoryBudget{max: max(cfg.MaxTotalBytes, maxMemory(cfg.MaxBody))},
		guard: entrance,
	}
	s.mux.Handle("/v1/agents/{name}/chat", problemHandler(s.chat))
	s.mux.Handle("/v1/agents", problemHandler(s.list))
	s.mux.Handle("/healthz", problemHandler(s.health))
	s.mux.Handle("/", problemHandler(notFound))
	return s, nil
}

// lingerTimeout is how long the connection stays open after a response while the client still sends
// its body.
const lingerTimeout = time.Second

// ServeHTTP answers one request. It rejects requests for other hosts and from web pages of other
// origins.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	problemHandler(s.admit).ServeHTTP(w, r)
	// The server discards the rest of an unread body, but only for a short time. In-process
	// connections have no deadline, so the error is ignored.
	_ = http.NewResponseController(w).
		SetReadDeadline(clock.Now(r.Context()).Add(min(lingerTimeout, s.cfg.WriteTimeout)))
}

func (s *Service) admit(w http.ResponseWriter, r *http.Request) *problem {
	if p := s.checkOrigin(w.Header(), r); p != nil {
		return p
	}
	if isPreflight(r) {
		preflight(w)
		return nil
	}
	s.mux.ServeHTTP(w, r)
	return nil
}

// SimulatedComponents returns Config.SimulatedComponents: the names of the simulated components of
// each agent.
func (s *Service) SimulatedComponents() map[string][]string { return s.cfg.SimulatedComponents }

// AnswersInProgress returns the number of answers in progress.
func (s *Service) AnswersInProgress() int { return s.runs.count() }

// Drain rejects all further turns. Answers in progress continue until they end or Stop is called;
// http.Server.Shutdown waits for them.
func (s *Service) Drain() { s.runs.drain() }

// Stop rejects all further turns and cancels the running agents. It does not wait for them. Each
// client receives an error event with the code SHUTTING_DOWN and then done.
func (s *Service) Stop() { s.runs.stop() }

// Close closes the agents. Call it after all answers have ended.
func (s *Service) Close() (err error) {
	for _, name := range s.names {
		err = errors.Join(err, agent.Close(s.cfg.Agents[name]))
	}
	return err
}

func (s *Service) list(w http.ResponseWriter, r *http.Request) *problem {
	if p := checkMethod(r, http.MethodGet, http.MethodHead); p != nil {
		return p
	}
	writeJSON(w, http.StatusOK, struct {
		Agents []string `json:"agents"`
	}{s.names})
	return nil
}

func (s *Service) health(w http.ResponseWriter, r *http.Request) *problem {
	if p := checkMethod(r, http.MethodGet, http.MethodHead); p != nil {
		return p
	}
	status, text := http.StatusOK, "ok"
	if s.runs.isDraining() {
		status, text = http.StatusServiceUnavailable, "draining"
	}
	writeJSON(w, status, struct {
		Status string `json:"status"`
	}{text})
	return nil
}

// chat answers one turn. The turn counts as an answer in progress only after its request has been
// read.
func (s *Service) chat(w http.ResponseWriter, r *http.Request) *problem {
	name := r.PathValue("name")
	if s.cfg.Agents[name] == nil {
		return newProblem(http.StatusNotFound, "UNKNOWN_AGENT", "no agent is called %s; there are: %s",
			quoteShort(name),
			strings.Join(s.names, ", "))
	}
	if p := checkMethod(r, http.MethodGet, http.MethodPost); p != nil {
		return p
	}
	if p := checkAccept(r); p != nil {
		return p
	}
	if isAnswered(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if p := s.runs.checkCapacity(); p != nil {
		return p
	}
	share := memoryShare{budget: s.bytes}
	defer share.release()
	t, p := readLimits{
		maxBody:  s.cfg.MaxBody,
		maxStall: s.cfg.WriteTimeout,
		share:    &share,
		runs:     s.runs,
	}.read(w, r)
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
	out.simulated = s.cfg.SimulatedComponents[name]
	out.requestHash = requestHash(r)
	answerRun{
		name:      name,
		agent:     s.cfg.Agents[name],
		timeout:   s.cfg.Timeout,
		heartbeat: s.cfg.Heartbeat,
		log:       s.cfg.Log,
		runs:      s.runs,
	}.answer(r.Context(), t, out)
	return nil
}
