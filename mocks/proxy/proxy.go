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
	To          *url.URL             // base URL of the provider; the client's path is appended
	Parts       component.Components // of the calling agent; nil: the default parts
	As          string               // the part of all calls; empty: derived from each request, see mocks.Server
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

// check rejects faults that cannot be applied to a real provider.
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

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, wire.MaxBody)
	c := p.call(w, r)
	defer c.tell() // also runs after a panic that closes the connection
	defer c.Release()
	c.count()
	if c.isOurs() || c.failed() {
		return
	}
	through := httputil.ReverseProxy{Transport: p.cfg.Transport, FlushInterval: -1, Rewrite: c.rewrite, ModifyResponse: c.change, ErrorHandler: c.unreached, ErrorLog: discard}
	through.ServeHTTP(w, r)
}

// next returns the number of the part's next call.
func (p *Proxy) next(part string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[part]++
	return p.calls[part]
}

// count numbers the call among those of its part and selects its faults.
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
