// Package proxy stands between any client and a real provider, and lets the faults
// of package fault strike calls: some it refuses in the provider's own words, of some
// it changes the real answer. All else passes as it is, streams at their own pace; the
// request says in its Via that it has come through.
package proxy

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// Config says where calls go and what strikes them.
type Config struct {
	To          *url.URL             // of the provider; what a client asks for is joined to its path
	Parts       component.Components // of the agent that asks; nil: the standard ones
	As          string               // the part whose calls these are; "": each tells, see mocks.Server
	MatchPrompt func(model.Request) string
	Faults      []fault.Fault
	Seed        uint64
	Transport   http.RoundTripper // nil: a plain one
	Log         func(Call)        // is told of each call when it is over, many at a time; nil: nobody is
}

// Call is one that went through.
type Call struct {
	Method, Path string   // of the client, without the query and without keys
	Part         string   // "": nobody's
	Nth          int      // call of the part, from 1
	Status       int      // that the client saw; 0: none
	Faults       []string // that struck
	Note         string   // why a fault could not strike, or what else went wrong
	Duration     time.Duration
}

// Proxy is an http.Handler. Make it with New.
type Proxy struct {
	cfg    Config
	name   string // in the Via of what it sends on, which tells a call that comes round to it
	serial atomic.Uint64
	memory wire.Memory
	tasks  tasks

	mu    sync.Mutex
	calls map[string]int
}

var _ http.Handler = (*Proxy)(nil)

// New checks cfg; errors name the field.
func New(cfg Config) (*Proxy, error) {
	switch {
	case cfg.To == nil || cfg.To.Host == "" || cfg.To.Scheme != "http" && cfg.To.Scheme != "https":
		return nil, errors.New("proxy: Config.To: is not an http URL")
	case cfg.To.User != nil:
		return nil, errors.New("proxy: Config.To: holds a password: clients send their own keys")
	}
	if cfg.As != "" {
		if err := cfg.Parts.Check(cfg.As); err != nil {
			return nil, fmt.Errorf("proxy: Config.As: %w", err)
		}
	}
	for i, f := range cfg.Faults {
		if err := check(f, cfg.Parts); err != nil {
			return nil, fmt.Errorf("proxy: Config.Faults[%d]: %w", i, err)
		}
	}
	if cfg.Transport == nil {
		cfg.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1024, ForceAttemptHTTP2: true, DisableCompression: true,
			TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: maxHeader}
	}
	if cfg.Log == nil {
		cfg.Log = func(Call) {}
	}
	return &Proxy{cfg: cfg, name: "evalctl-" + rand.Text(), calls: map[string]int{}}, nil
}

const maxHeader = 1 << 20

// check refuses what cannot be done to a real provider.
func check(f fault.Fault, parts component.Components) error {
	if err := f.Validate(parts); err != nil {
		return err
	}
	work, _ := parts.Component(f.Part)
	switch {
	case f.Kind == fault.ResidualLabel:
		return fmt.Errorf("%s: the labels of the caller are not known here", f)
	case work == component.RoleStore:
		return fmt.Errorf("%s: a store inside the process is not called over HTTP", f)
	}
	return nil
}

// ServeHTTP answers one request.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, wire.MaxBody)
	c := p.call(w, r)
	defer c.tell() // also where the connection is broken off by a panic
	defer c.Release()
	c.count()
	if c.isOurs() || c.failed() {
		return
	}
	through := httputil.ReverseProxy{Transport: p.cfg.Transport, FlushInterval: -1, Rewrite: c.rewrite, ModifyResponse: c.change, ErrorHandler: c.unreached, ErrorLog: discard}
	through.ServeHTTP(w, r)
}

// next is the number of a part's call.
func (p *Proxy) next(part string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[part]++
	return p.calls[part]
}

// count makes the request its part's next call and finds its faults.
func (c *call) count() {
	if c.told.Part == "" {
		return
	}
	c.told.Nth = c.proxy.next(c.told.Part)
	c.seed = random.Mix(random.Hash(c.proxy.cfg.Seed, c.told.Part), uint64(c.told.Nth))
	struck := fault.Select(c.proxy.cfg.Faults, c.told.Part, c.told.Nth, c.seed)
	c.slow, c.fault, c.Limited = struck.Slow, struck.Other, struck.Other.RetryAfter()
	for _, f := range struck.All {
		c.told.Faults = append(c.told.Faults, f.String())
	}
}
