package mocks

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// Config says how a Server behaves. The zero Config answers everything at
// once, without faults.
type Config struct {
	Model   Model                 // how chat models answer; nil: a canned short reply
	Latency map[Component]Latency // none: at once
	Faults  []Fault
	Seed    uint64
	Images  ImageConfig
	Models  []string // the only chat models (DeepSeek: besides its own); nil: any; listed by GET models
	Strict  bool     // also refuse what only the newest services refuse: withdrawn DeepSeek names
	Key     string   // the only accepted bearer key; empty: any but none
}

// Server answers as the providers do. Make it with New; it may be used by
// many clients at once.
type Server struct {
	cfg     Config
	model   Model
	latency [componentCount]Latency
	calls   [componentCount]atomic.Int64
	serial  atomic.Uint64 // for ids
	log     ring
	tasks   tasks
}

var _ http.Handler = (*Server)(nil)

// New makes a Server; its error names the field that is wrong.
func New(cfg Config) (*Server, error) {
	s := &Server{cfg: cfg, model: cfg.Model}
	if s.model == nil {
		s.model = canned{}
	}
	if v, ok := s.model.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("mocks: Config.Model: %w", err)
		}
	}
	for c, l := range cfg.Latency {
		if c.index() < 0 {
			return nil, fmt.Errorf("mocks: Config.Latency: unknown component %q: known are %s", c, join(Components()))
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
		s: s, w: w, r: r, ctx: r.Context(), place: p,
		id: mix(s.cfg.Seed, s.serial.Add(1)),
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
	case s.cfg.Key != "" && c.key() != s.cfg.Key:
		c.refuse(badKey, "")
	default:
		c.serve()
	}
}

// component is the one that an endpoint always works for.
func (e endpoint) component() Component {
	switch e {
	case embeddings:
		return Embedding
	case imagesSync, imagesTask, imagesEdit:
		return Image
	case taskPoll, taskCancel:
		return Poll
	}
	return ""
}

func (c *call) serve() {
	switch c.place.endpoint {
	case chatCompletions:
		c.chat()
	case embeddings:
		c.embeddings()
	case models:
		c.models()
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

// key is the request's bearer key.
func (c *call) key() string {
	kind, key, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}
