package service

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"evalctl/agent"
	"evalctl/agent/system"
)

// Default limits.
const (
	DefaultMaxBody       = 16 << 20 // fits a mask and a picture as data URLs
	defaultMaxBytes      = 80 << 20
	DefaultMaxConcurrent = 256
	DefaultTimeout       = 5 * time.Minute
	DefaultHeartbeat     = 15 * time.Second
	DefaultWriteTimeout  = 30 * time.Second
)

// bodyStalls limits the time for a whole request, as a multiple of WriteTimeout. A slow request
// does not occupy one of MaxConcurrent for longer.
const bodyStalls = 2

// Config configures a Service.
type Config struct {
	Agents map[string]agent.Agent // by name in the path; required
	// declarations of the agents, by name: accepted options, state and batches, and event names; an
	// unlisted agent accepts no state and no batch, and checks its own options
	Systems   map[string]system.System
	Simulated map[string][]string // simulated components by agent; reported in the last event of each answer
	MaxBody   int64               // bytes of one request; 0: DefaultMaxBody
	// bytes of all requests in progress, including decoded values; at least enough for one request
	// of MaxBody; 0: defaultMaxBytes
	MaxTotalBytes int64
	MaxConcurrent int           // concurrent answers; 0: DefaultMaxConcurrent
	Timeout       time.Duration // of one answer; 0: DefaultTimeout
	Heartbeat     time.Duration // a comment is sent after this time without an event; 0: DefaultHeartbeat
	// a client that transfers nothing for this time, or sends its request for twice this time, is
	// disconnected; 0: DefaultWriteTimeout
	WriteTimeout time.Duration
	// accepted host names, without ports, in addition to localhost, loopback addresses and the
	// local address of the connection; "*": any
	AllowedHosts   []string
	AllowedOrigins []string     // origins of web pages with access, as in https://app.example.com; "*": any
	Log            *slog.Logger // receives errors of agents; nil: slog.Default()
}

func (c *Config) check() error {
	if len(c.Agents) == 0 {
		return errors.New("service.Config.Agents: there are none")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Agents)) {
		if name == "" || c.Agents[name] == nil {
			return fmt.Errorf("service.Config.Agents[%q]: needs a name and an agent", name)
		}
	}
	switch {
	case c.MaxBody < 0:
		return fmt.Errorf("service.Config.MaxBody: %d is negative", c.MaxBody)
	case c.MaxTotalBytes < 0:
		return fmt.Errorf("service.Config.MaxTotalBytes: %d is negative", c.MaxTotalBytes)
	case c.MaxConcurrent < 0:
		return fmt.Errorf("service.Config.MaxConcurrent: %d is negative", c.MaxConcurrent)
	case c.Timeout < 0:
		return fmt.Errorf("service.Config.Timeout: %v is negative", c.Timeout)
	case c.Heartbeat < 0:
		return fmt.Errorf("service.Config.Heartbeat: %v is negative", c.Heartbeat)
	case c.WriteTimeout < 0:
		return fmt.Errorf("service.Config.WriteTimeout: %v is negative", c.WriteTimeout)
	}
	return nil
}

// complete sets the defaults. It copies Agents, so later changes by the caller have no effect.
func (c *Config) complete() {
	c.Agents = maps.Clone(c.Agents)
	c.MaxBody = cmp.Or(c.MaxBody, DefaultMaxBody)
	c.MaxTotalBytes = cmp.Or(c.MaxTotalBytes, defaultMaxBytes)
	c.MaxConcurrent = cmp.Or(c.MaxConcurrent, DefaultMaxConcurrent)
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.Heartbeat = cmp.Or(c.Heartbeat, DefaultHeartbeat)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, DefaultWriteTimeout)
	c.Log = cmp.Or(c.Log, slog.Default())
}
