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

// Default values of Config.
const (
	DefaultMaxBody       = 16 << 20         // enough for a mask and an image as data URLs
	defaultMaxBytes      = 80 << 20         // bytes of all requests
	DefaultMaxConcurrent = 256              // answers
	DefaultTimeout       = 5 * time.Minute  // per answer
	DefaultHeartbeat     = 15 * time.Second // between comment lines
	DefaultWriteTimeout  = 30 * time.Second // per write
)

// bodyTimeFactor times WriteTimeout is the time limit for receiving a whole request body. It
// prevents slow clients from occupying memory.
const bodyTimeFactor = 2

// Config configures a Service: its agents, limits and allowed clients.
type Config struct {
	Agents map[string]agent.Agent // agents by the name in the URL path; required
	// declarations of the agents by name. They define the accepted options, state and batches, and
	// the event names. An agent without a declaration accepts no state and no batch, and checks its
	// own options.
	Systems map[string]system.System
	// names of simulated components by agent; clients receive them in the last event of each answer
	SimulatedComponents map[string][]string
	MaxBody             int64 // maximal size of one request in bytes; 0: DefaultMaxBody
	// maximal memory of all requests in progress in bytes, including decoded values. It is at least
	// enough for one request of MaxBody. 0: defaultMaxBytes
	MaxTotalBytes int64
	MaxConcurrent int           // maximal number of concurrent answers; 0: DefaultMaxConcurrent
	Timeout       time.Duration // time limit for one answer; 0: DefaultTimeout
	// time without an event after which a comment line is sent to keep the connection open; 0:
	// DefaultHeartbeat
	Heartbeat time.Duration
	// A client that reads or sends nothing for this time is disconnected. The time limit for a
	// whole request is twice this time. 0: DefaultWriteTimeout
	WriteTimeout time.Duration
	// host names without ports that requests may contain, in addition to localhost, loopback
	// addresses and the local address of the connection; "*": any
	AllowedHosts []string
	// origins of web pages that may send requests, such as https://app.example.com; "*": any
	AllowedOrigins []string
	Log            *slog.Logger // logs errors of agents; nil: slog.Default()
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

// complete sets the defaults. It copies the map of agents, so later changes by the caller have no
// effect.
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
