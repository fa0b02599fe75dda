package mocks

import (
	"fmt"
	"net/http"
)

// Config says how a Server behaves. The zero Config answers everything at
// once, without faults.
type Config struct {
	Model   Model                 // how chat models answer; nil: a canned short reply
	Latency map[Component]Latency // none: at once
	Faults  []Fault
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
		s.model = canned{}
	}
	if v, ok := s.model.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Model: %w", err)
		}
	}
	for c, l := range cfg.Latency {
		if _, err := ParseComponent(string(c)); err != nil {
			return nil, fmt.Errorf("mocks: Config.Latency: %w", err)
		}
		if err := l.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Latency[%s]: %w", c, err)
		}
		s.latency[c.index()] = l
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
func (s *Server) Calls(c Component) int {
	i := c.index()
	if i < 0 {
		return 0
	}
	return int(s.calls[i].Load())
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := locate(r.Host, r.URL.Path)
	c := &call{
		Call: Call{Request: r, Place: p, ID: mix(s.seed, s.serial.Add(1)), Strict: s.strict},
		s:    &s.state, w: w, ctx: r.Context(),
		ex: Exchange{Method: r.Method, Path: r.URL.Path, Dialect: p.dialect, Component: p.endpoint.component()},
	}
	switch {
	case p.endpoint == nowhere:
		c.refuse(unknownPath, "")
	case r.Method != p.endpoint.method():
		w.Header().Set("Allow", p.endpoint.method())
		c.refuse(wrongMethod, "")
	case p.endpoint == pictures:
		c.picture()
	case c.key() == "":
		c.refuse(noKey, "")
	case s.key != "" && c.key() != s.key:
		c.refuse(badKey, "")
	default:
		c.serve()
	}
}

func (c *call) serve() {
	switch c.Place.endpoint {
	case chatCompletions:
		c.chat()
	case embeddings:
		c.embeddings()
	case models:
		c.answer(http.StatusOK, c.appendModels(nil))
	case imagesSync:
		c.imageSync()
	case imagesTask:
		c.imageTask()
	case imagesEdit:
		c.imageEdit()
	case taskPoll:
		c.poll()
	case taskCancel:
		c.cancel()
	}
}
