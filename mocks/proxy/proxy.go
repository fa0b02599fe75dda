// Package proxy implements an HTTP proxy that injects faults into the calls of a real provider. It
// answers calls with the provider's own errors, or changes the real answers. Everything else passes
// unchanged, and streams are not delayed. Forwarded requests have a Via header.
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

// Config is the configuration of a Proxy.
type Config struct {
	Target     *url.URL             // base URL of the provider; the path of the client's request is appended
	Components component.Components // components of the calling agent and their roles; nil: one per role
	// the component that all requests come from; empty: derived from each request, as in
	// mocks.Server
	ComponentName string
	// returns the component whose prompt is in a request; nil or result "": the form of the request
	// decides, see wire.ChatBody.GuessRole
	ComponentOfPrompt func(model.Request) string
	Faults            []fault.Fault     // faults to inject; FallbackLabel and faults of stores are invalid
	Seed              uint64            // seed of random faults
	Transport         http.RoundTripper // sends the forwarded requests; nil: a default transport
	Log               func(LogEntry)    // called after each call, concurrently; may be nil
}

// LogEntry is the log entry of one request that passed the proxy.
type LogEntry struct {
	Method, Path string   // of the client's request; the path has no query and no keys
	Component    string   // the agent component that the request came from; empty: none
	CallNumber   int      // number of the call among the component's calls, from 1
	Status       int      // HTTP status that the client received; 0: none
	Faults       []string // triggered faults, in the format of fault.Parse
	Note         string   // why a fault was not applied, or another error
	Duration     time.Duration
}

// Proxy is an http.Handler that forwards requests to one provider and injects faults. Create it
// with New.
type Proxy struct {
	cfg    Config
	name   string // name in the Via header, to detect requests that the proxy has sent to itself
	serial atomic.Uint64
	memory wire.MemoryLimit
	tasks  tasks

	mu    sync.Mutex
	calls map[string]int
}

var _ http.Handler = (*Proxy)(nil)

// New returns a Proxy. Its error names the invalid field of cfg.
func New(cfg Config) (*Proxy, error) {
	switch {
	case cfg.Target == nil || cfg.Target.Host == "" || cfg.Target.Scheme != "http" && cfg.Target.Scheme != "https":
		return nil, errors.New("proxy: Config.Target: is not an http URL")
	case cfg.Target.User != nil:
		return nil, errors.New("proxy: Config.Target: contains a password: clients send their own keys")
	}
	if cfg.ComponentName != "" {
		if err := cfg.Components.CheckName(cfg.ComponentName); err != nil {
			return nil, fmt.Errorf("proxy: Config.ComponentName: %w", err)
		}
	}
	for i, f := range cfg.Faults {
		if err := checkFault(f, cfg.Components); err != nil {
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
		cfg.Log = func(LogEntry) {}
	}
	return &Proxy{cfg: cfg, name: "evalctl-" + rand.Text(), calls: map[string]int{}}, nil
}

const maxHeader = 1 << 20

// checkFault returns an error for a fault that cannot be injected in front of a real provider.
func checkFault(f fault.Fault, parts component.Components) error {
	if err := f.Validate(parts); err != nil {
		return err
	}
	role, _ := parts.RoleOf(f.Component)
	switch {
	case f.Kind == fault.FallbackLabel:
		return fmt.Errorf("%s: the labels of the caller are not known here", f)
	case role == component.RoleStore:
		return fmt.Errorf("%s: a store inside the process is not called over HTTP", f)
	}
	return nil
}

// ServeHTTP forwards a request to the provider and returns the answer. The faults that the call
// triggers replace or change the answer.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, wire.MaxBodyBytes)
	c := p.call(w, r)
	defer c.log() // also runs after a panic that closes the connection
	defer c.ReleaseMemory()
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

// nextNumber returns the number of the component's next call, from 1.
func (p *Proxy) nextNumber(part string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[part]++
	return p.calls[part]
}

// count assigns the call its number among the calls of its component, and selects the faults to
// inject.
func (c *call) count() {
	if c.entry.Component == "" {
		return
	}
	c.entry.CallNumber = c.proxy.nextNumber(c.entry.Component)
	c.seed = random.Mix(random.Hash(c.proxy.cfg.Seed, c.entry.Component), uint64(c.entry.CallNumber))
	injected := fault.Select(c.proxy.cfg.Faults, c.entry.Component, c.entry.CallNumber, c.seed)
	c.slow, c.fault, c.RetryAfter = injected.Slow, injected.AnswerFault, injected.AnswerFault.RetryAfter()
	for _, f := range injected.All {
		c.entry.Faults = append(c.entry.Faults, f.String())
	}
}
