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

// Config says how a Server behaves. The zero Config answers everything at
// once, without faults.
type Config struct {
	Model   model.Model                // how chat models answer; nil: a canned short reply
	Parts   component.Components       // of the agent that is served; nil: the standard ones
	Latency map[string]latency.Latency // by part; none: at once
	Faults  []fault.Fault
	Seed    uint64
	Images  ImageConfig
	Corpora map[string]Corpus                                       // that parts which do the work of Recall search, by part; none: they hold no dataset
	Strict  bool                                                    // also refuse what only the newest services refuse: withdrawn DeepSeek names, models that are not listed, keys that OpenAI does not know
	Key     string                                                  // the only accepted bearer key; empty: any but none
	OnFault func(ctx context.Context, part string, kind fault.Kind) // is told of each fault that strikes a call, before its client can tell; nil: nobody is
	Memory  int64                                                   // bytes that long requests and answers under way may take together; 0: wire.defaultMemory

	// Locate returns the turn, branch and attempt of a call with this context. All draws for a call
	// follow from its place in the trial. nil: there is no trial, and draws follow from texts and
	// from the number of the call.
	Locate func(context.Context) model.Place
}

// Server answers as the providers do. Make it with New; it may be used by
// many clients at once.
type Server struct{ state }

var _ http.Handler = (*Server)(nil)

// New makes a Server; its error names the field that is wrong.
func New(cfg Config) (*Server, error) {
	if err := cfg.Parts.Validate(); err != nil {
		return nil, fmt.Errorf("mocks: Config.Parts: %w", err)
	}
	s := &Server{state{
		model: cfg.Model, parts: cfg.Parts, all: partsOf(cfg.Parts), faults: cfg.Faults, images: cfg.Images, seed: cfg.Seed, strict: cfg.Strict, key: cfg.Key, corpora: cfg.Corpora, struck: cfg.OnFault, locate: cfg.Locate, loops: map[model.Place]map[*part]int{},
	}}
	s.memory.Size = cfg.Memory
	if s.model == nil {
		s.model = model.Canned{}
	}
	if v, ok := s.model.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Model: %w", err)
		}
	}
	for name, l := range cfg.Latency {
		if err := cfg.Parts.Check(name); err != nil {
			return nil, fmt.Errorf("mocks: Config.Latency: %w", err)
		}
		if err := l.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Latency[%s]: %w", name, err)
		}
		s.part(name).latency = l
	}
	for name := range cfg.Corpora {
		if work, _ := cfg.Parts.Component(name); work != component.RoleRetrieval {
			return nil, fmt.Errorf("mocks: Config.Corpora: %s does not do the work of %s", name, component.RoleRetrieval)
		}
	}
	for i, f := range cfg.Faults {
		if err := f.Validate(cfg.Parts); err != nil {
			return nil, fmt.Errorf("mocks: Config.Faults[%d]: %w", i, err)
		}
	}
	if err := cfg.Images.validate(); err != nil {
		return nil, fmt.Errorf("mocks: Config.Images: %w", err)
	}
	if cfg.Memory < 0 {
		return nil, fmt.Errorf("mocks: Config.Memory: negative %d", cfg.Memory)
	}
	return s, nil
}

// Log returns what was asked, oldest first: the last LogSize exchanges.
func (s *Server) Log() []LogEntry { return s.log.all() }

// Calls is how many valid calls a part has had.
func (s *Server) Calls(part string) int {
	p := s.part(part)
	if p == nil {
		return 0
	}
	return int(p.calls.Load())
}

// ServeHTTP answers one request. Its part is the one that does the work of its
// path; of a chat request, the one that its model's name tells, as PART or
// PART/NAME; else the one that the model tells, if it is a model.Classifier;
// else the one that does what the request looks like.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, "") }

// ForComponent is the server as one part of the agent sees it: requests are that part's,
// whatever they look like, but asking for a picture stays poll. To what is no
// part of the agent it answers that, with status 500.
func (s *Server) ForComponent(part string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.parts.Check(part); err != nil {
			http.Error(w, "mocks: "+err.Error(), http.StatusInternalServerError)
			return
		}
		s.serve(w, r, part)
	})
}

// serve answers a request of a part; empty: the request must tell.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, as string) {
	p := wire.ParsePath(r.Host, r.URL.Path)
	c := &call{
		Call: wire.Call{Request: r, Place: p, ID: random.Mix(s.seed, s.serial.Add(1)), Strict: s.strict, Served: s.images.ServeImages, Memory: &s.memory},
		s:    &s.state, w: w, ctx: r.Context(),
		ex: LogEntry{Method: r.Method, Path: r.URL.Path, Dialect: p.Dialect},
	}
	defer c.Release()
	c.assign(as)
	switch {
	case p.Endpoint == wire.UnknownEndpoint:
		c.refuse(wire.UnknownPath, "")
	case r.Method != p.Endpoint.Method():
		w.Header().Set("Allow", p.Endpoint.Method())
		c.refuse(wire.WrongMethod, "")
	case p.Endpoint == wire.Images:
		c.image()
	case c.Key() == "":
		c.refuse(wire.NoKey, "")
	case s.key != "" && c.Key() != s.key:
		c.refuse(wire.BadKey, "")
	default:
		c.dispatch()
	}
}

func (c *call) dispatch() {
	switch c.Place.Endpoint {
	case wire.ChatCompletions:
		c.chat()
	case wire.TextGeneration:
		c.text()
	case wire.Embeddings:
		c.embeddings()
	case wire.Retrievals:
		c.retrieval()
	case wire.Models:
		c.answer(http.StatusOK, c.AppendModels(nil))
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
