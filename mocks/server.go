package mocks

import (
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
	Model   model.Model                             // how chat models answer; nil: a canned short reply
	Latency map[component.Component]latency.Latency // none: at once
	Faults  []fault.Fault
	Seed    uint64
	Images  ImageConfig
	Strict  bool   // also refuse what only the newest services refuse: withdrawn DeepSeek names
	Key     string // the only accepted bearer key; empty: any but none
}

// Server answers as the providers do. Make it with New; it may be used by
// many clients at once.
type Server struct{ state }

var _ http.Handler = (*Server)(nil)

// New makes a Server; its error names the field that is wrong.
func New(cfg Config) (*Server, error) {
	s := &Server{state{
		model: cfg.Model, faults: cfg.Faults, images: cfg.Images, seed: cfg.Seed, strict: cfg.Strict, key: cfg.Key,
	}}
	if s.model == nil {
		s.model = model.Canned{}
	}
	if v, ok := s.model.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Model: %w", err)
		}
	}
	for c, l := range cfg.Latency {
		if _, err := component.Parse(string(c)); err != nil {
			return nil, fmt.Errorf("mocks: Config.Latency: %w", err)
		}
		if err := l.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Latency[%s]: %w", c, err)
		}
		s.latency[c.Index()] = l
	}
	for i, f := range cfg.Faults {
		if err := f.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Faults[%d]: %w", i, err)
		}
	}
	if err := cfg.Images.validate(); err != nil {
		return nil, fmt.Errorf("mocks: Config.Images: %w", err)
	}
	return s, nil
}

// Log returns what was asked, oldest first: the last LogSize exchanges.
func (s *Server) Log() []Exchange { return s.log.all() }

// Calls is how many valid calls a component has had.
func (s *Server) Calls(c component.Component) int {
	i := c.Index()
	if i < 0 {
		return 0
	}
	return int(s.calls[i].Load())
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := wire.Locate(r.Host, r.URL.Path)
	c := &call{
		Call: wire.Call{Request: r, Place: p, ID: random.Mix(s.seed, s.serial.Add(1)), Strict: s.strict},
		s:    &s.state, w: w, ctx: r.Context(),
		ex: Exchange{Method: r.Method, Path: r.URL.Path, Dialect: p.Dialect, Component: p.Endpoint.Component()},
	}
	switch {
	case p.Endpoint == wire.Nowhere:
		c.refuse(wire.UnknownPath, "")
	case r.Method != p.Endpoint.Method():
		w.Header().Set("Allow", p.Endpoint.Method())
		c.refuse(wire.WrongMethod, "")
	case p.Endpoint == wire.Pictures:
		c.picture()
	case c.Key() == "":
		c.refuse(wire.NoKey, "")
	case s.key != "" && c.Key() != s.key:
		c.refuse(wire.BadKey, "")
	default:
		c.serve()
	}
}

func (c *call) serve() {
	switch c.Place.Endpoint {
	case wire.ChatCompletions:
		c.chat()
	case wire.Embeddings:
		c.embeddings()
	case wire.Models:
		c.answer(http.StatusOK, c.AppendModels(nil))
	case wire.ImagesSync:
		c.imageSync()
	case wire.ImagesTask:
		c.imageTask()
	case wire.ImagesEdit:
		c.imageEdit()
	case wire.TaskPoll:
		c.poll()
	case wire.TaskCancel:
		c.cancel()
	}
}
