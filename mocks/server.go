package mocks

import (
	"context"
	"fmt"
	"net/http"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// Config configures a Server. The zero Config answers every request at once, without faults.
type Config struct {
	Model      model.Model                // generates the answers to chat requests; nil: a fixed short reply
	Components component.Components       // components of the agent and their roles; nil: one per role
	Latency    map[string]latency.Latency // simulated response time by component; missing: none
	Faults     []fault.Fault              // faults to inject; see fault.Select for several in one call
	Seed       uint64                     // seed of all random draws
	Images     ImageConfig                // timing and URLs of simulated image generation
	// documents by component with the role retrieval; a component without an entry finds nothing
	Corpora map[string]Corpus
	Strict  bool   // also reject deprecated DeepSeek model names, unlisted models and keys unknown to OpenAI
	APIKey  string // the only accepted API key; empty: any non-empty key
	// OnFault is called for each triggered fault, before the client can notice the fault; nil: no
	// callback.
	OnFault     func(ctx context.Context, part string, kind fault.Kind)
	MemoryLimit int64 // memory limit in bytes for long requests and answers in progress; 0: a default limit

	// CallPosition returns the turn, branch and attempt of a call within its trial, read from the
	// request's context. The random draws of the call then depend only on this position. If
	// CallPosition is nil, there is no trial: draws depend on the texts and the number of the call.
	CallPosition func(context.Context) model.CallPosition
}

// Server answers HTTP requests as the simulated providers do. It is safe for concurrent use.
type Server struct{ state }

var _ http.Handler = (*Server)(nil)

// New returns a Server. Its error names the invalid field of cfg.
func New(cfg Config) (*Server, error) {
	if err := cfg.Components.Validate(); err != nil {
		return nil, fmt.Errorf("mocks: Config.Components: %w", err)
	}
	s := &Server{state{
		model:        cfg.Model,
		components:   cfg.Components,
		states:       componentStates(cfg.Components),
		faults:       cfg.Faults,
		images:       cfg.Images,
		seed:         cfg.Seed,
		strict:       cfg.Strict,
		key:          cfg.APIKey,
		corpora:      cfg.Corpora,
		onFault:      cfg.OnFault,
		callPosition: cfg.CallPosition,
		callCounts:   map[model.CallPosition]map[*componentState]int{},
	}}
	s.memory.Size = cfg.MemoryLimit
	if s.model == nil {
		s.model = model.FixedAnswers{}
	}
	if v, ok := s.model.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Model: %w", err)
		}
	}
	for name, l := range cfg.Latency {
		if err := cfg.Components.CheckName(name); err != nil {
			return nil, fmt.Errorf("mocks: Config.Latency: %w", err)
		}
		if err := l.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Latency[%s]: %w", name, err)
		}
		s.findComponent(name).latency = l
	}
	for name := range cfg.Corpora {
		if role, _ := cfg.Components.RoleOf(name); role != component.RoleRetrieval {
			return nil, fmt.Errorf("mocks: Config.Corpora: %s does not do the work of %s", name,
				component.RoleRetrieval)
		}
	}
	for i, f := range cfg.Faults {
		if err := f.Validate(cfg.Components); err != nil {
			return nil, fmt.Errorf("mocks: Config.Faults[%d]: %w", i, err)
		}
	}
	if err := cfg.Images.validate(); err != nil {
		return nil, fmt.Errorf("mocks: Config.Images: %w", err)
	}
	if cfg.MemoryLimit < 0 {
		return nil, fmt.Errorf("mocks: Config.Memory: negative %d", cfg.MemoryLimit)
	}
	return s, nil
}

// Log returns the last 256 requests and their outcomes, oldest first.
func (s *Server) Log() []LogEntry { return s.log.all() }

// Calls returns the number of valid calls of a component so far; 0 for an unknown component.
func (s *Server) Calls(part string) int {
	p := s.findComponent(part)
	if p == nil {
		return 0
	}
	return int(p.calls.Load())
}

// ServeHTTP answers one request. The component that the request belongs to follows from the URL
// path. For a chat request, the first of these that is conclusive decides:
//
// - the model name, if it is COMPONENT or COMPONENT/NAME
// - Config.Model, if it is a model.Classifier
// - the form of the request, such as JSON mode or an image
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, "") }

// ForComponent returns a handler that assigns every request to the given component. Requests that
// poll a task are still assigned to the component with the role poll. For an unknown component, the
// handler answers with status 500.
func (s *Server) ForComponent(part string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.components.CheckName(part); err != nil {
			http.Error(w, "mocks: "+err.Error(), http.StatusInternalServerError)
			return
		}
		s.serve(w, r, part)
	})
}

// serve answers a request for the given component. An empty name means that the component is
// derived from the request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, part string) {
	p := wire.ParsePath(r.Host, r.URL.Path)
	c := &call{
		Call: wire.Call{
			Request:     r,
			Route:       p,
			IDSeed:      random.Mix(s.seed, s.serial.Add(1)),
			Strict:      s.strict,
			ServeImages: s.images.ServeImages,
			Memory:      &s.memory,
		},
		state: &s.state,
		w:     w,
		ctx:   r.Context(),
		entry: LogEntry{Method: r.Method, Path: r.URL.Path, Dialect: p.Dialect},
	}
	defer c.ReleaseMemory()
	c.assignByPath(part)
	switch {
	case p.Endpoint == wire.UnknownEndpoint:
		c.refuse(wire.UnknownPath, "")
	case r.Method != p.Endpoint.HTTPMethod():
		w.Header().Set("Allow", p.Endpoint.HTTPMethod())
		c.refuse(wire.WrongMethod, "")
	case p.Endpoint == wire.ImageDownload:
		c.image()
	case c.APIKey() == "":
		c.refuse(wire.MissingAPIKey, "")
	case s.key != "" && c.APIKey() != s.key:
		c.refuse(wire.InvalidAPIKey, "")
	default:
		c.dispatch()
	}
}

func (c *call) dispatch() {
	switch c.Route.Endpoint {
	case wire.ChatCompletions:
		c.chat()
	case wire.TextGeneration:
		c.textGeneration()
	case wire.Embeddings:
		c.embeddings()
	case wire.Retrievals:
		c.retrieval()
	case wire.ModelList:
		c.sendJSON(http.StatusOK, c.AppendModels(nil))
	case wire.WebSearch:
		c.webSearch()
	case wire.ImagesSync:
		c.imageSync()
	case wire.ImagesTask:
		c.imageTask()
	case wire.ImagesEdit:
		c.imageEdit()
	case wire.ImagesMessages:
		c.imageMessages()
	case wire.TaskList:
		c.tasks()
	case wire.TaskPoll:
		c.poll()
	case wire.TaskCancel:
		c.cancel()
	}
}
