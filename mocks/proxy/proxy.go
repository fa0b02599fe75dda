// Package proxy is an HTTP proxy in front of a real provider that injects the faults of package
// fault. It refuses calls with the provider's own errors, or changes the real answer. Everything
// else passes unchanged, streams without delay. The Via header marks forwarded requests.
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

// Config configures a Proxy.
type Config struct {
	Target      *url.URL             // base URL of the provider; the client's path is appended
	Parts       component.Components // of the calling agent; nil: the default parts
	Part        string               // the part of all calls; empty: derived from each request, see mocks.Server
	MatchPrompt func(model.Request) string
	Faults      []fault.Fault
	Seed        uint64
	Transport   http.RoundTripper // nil: a default transport
	Log         func(Call)        // called after each call, concurrently; may be nil
}

// Call is the log entry of one call.
type Call struct {
	Method, Path string   // of the client, without the query and keys
	Part         string   // empty: none
	Nth          int      // number of the part's call, from 1
	Status       int      // that the client received; 0: none
	Faults       []string // that were triggered
	Note         string   // why a fault was not applied, or another error
	Duration     time.Duration
}

// Proxy is an http.Handler. Create it with New.
type Proxy struct {
	cfg    Config
	name   string // in the Via header, to detect a loop
	serial atomic.Uint64
	memory wire.Memory
	tasks  tasks

	mu    sync.Mutex
	calls map[string]int
}

var _ http.Handler = (*Proxy)(nil)

// New returns a Proxy. Its error names the invalid field.
func New(cfg Config) (*Proxy, error) {
	switch {
	case cfg.Target == nil || cfg.Target.Host == "" || cfg.Target.Scheme != "http" && cfg.Target.Scheme != "https":
		return nil, errors.New("proxy: Config.To: is not an http URL")
	case cfg.Target.User != nil:
		return nil, errors.New("proxy: Config.To: holds a password: clients send their own keys")
	}
	if cfg.Part != "" {
		if err := cfg.Parts.Check(cfg.Part); err != nil {
			return nil, fmt.Errorf("proxy: Config.As: %w", err)
		}
	}
	for i, f := range cfg.Faults {
		if err := check(f, cfg.Parts); err != nil {
			return nil, fmt.Errorf("proxy: Config.Faults[%d]: %w", i, err)
		}
	}
	if cfg.Transport == nil {
		cfg.Transport = &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			MaxIdleConnsPerHost:    1024,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true,
			TLSHandshakeTimeout:    10 * time.Second,
			IdleConnTimeout:        90 * time.Second,
			MaxResponseHeaderBytes: maxHeader,
		}
	}
	if cfg.Log == nil {
		cfg.Log = func(Call) {}
	}
	return &Proxy{cfg: cfg, name: "evalctl-" + rand.Text(), calls: map[string]int{}}, nil
}

const maxHeader = 1 << 20

// check rejects faults that cannot be applied to a real provider.
func check(f fault.Fault, parts component.Components) error {
	if err := f.Validate(parts); err != nil {
		return err
	}
	role, _ := parts.Component(f.Part)
	switch {
	case f.Kind == fault.FallbackLabel:
		return fmt.Errorf("%s: the labels of the caller are not known here", f)
	case role == component.RoleStore:
		return fmt.Errorf("%s: a store inside the process is not called over HTTP", f)
	}
	return nil
}

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, wire.MaxBody)
	c := p.call(w, r)
	defer c.log() // also runs after a panic that closes the connection
	defer c.Release()
	c.count()
	if c.rejectUnforwardable() || c.applyFault() {
		return
	}
	reverseProxy := httputil.ReverseProxy{
		Transport:      p.cfg.Transport,
		FlushInterval:  -1,
		Rewrite:        c.rewrite,
		ModifyResponse: c.changeAnswer,
		ErrorHandler:   c.sendUnreachable,
		ErrorLog:       discard,
	}
	reverseProxy.ServeHTTP(w, r)
}

// nextNumber returns the number of the part's next call.
func (p *Proxy) nextNumber(part string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[part]++
	return p.calls[part]
}

// count numbers the call among those of its part and selects its faults.
func (c *call) count() {
	if c.entry.Part == "" {
		return
	}
	c.entry.Nth = c.proxy.nextNumber(c.entry.Part)
	c.seed = random.Mix(random.Hash(c.proxy.cfg.Seed, c.entry.Part), uint64(c.entry.Nth))
	injected := fault.Select(c.proxy.cfg.Faults, c.entry.Part, c.entry.Nth, c.seed)
	c.slow, c.fault, c.RetryAfter = injected.Slow, injected.Other, injected.Other.RetryAfter()
	for _, f := range injected.All {
		c.entry.Faults = append(c.entry.Faults, f.String())
	}
}
