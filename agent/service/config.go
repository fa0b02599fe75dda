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

// What bounds a service whose configuration says nothing else.
const (
	DefaultMaxBody       = 16 << 20 // a mask and a picture as data URLs
	defaultMaxBytes      = 80 << 20
	DefaultMaxConcurrent = 256
	DefaultTimeout       = 5 * time.Minute
	DefaultHeartbeat     = 15 * time.Second
	DefaultWriteTimeout  = 30 * time.Second
)

// bodyStalls is how many times Stall a whole request may take to come: one that
// trickles in holds one of MaxConcurrent for no longer.
const bodyStalls = 2

// Config sets a service up.
type Config struct {
	Agents         map[string]agent.Agent   // by the name in the path; required
	Systems        map[string]system.System // what the agents declare, by name: what a turn may bring, and how events are called; one that is not listed takes no state and no batch, and checks its own options
	Simulated      map[string][]string      // parts of agents that are simulated, by the agent's name; the last event of each answer names them
	MaxBody        int64                    // bytes of a request; 0: DefaultMaxBody
	MaxTotalBytes  int64                    // of all requests that are read or answered at once, with what decoding adds; at least those of one of MaxBody; 0: defaultMaxBytes
	MaxConcurrent  int                      // answers under way at once; 0: DefaultMaxConcurrent
	Timeout        time.Duration            // of one answer; 0: DefaultTimeout
	Heartbeat      time.Duration            // a comment goes out when nothing else did for so long; 0: DefaultHeartbeat
	WriteTimeout   time.Duration            // a client that neither sends nor takes its bytes for so long, or sends for twice as long, is given up; 0: DefaultWriteTimeout
	AllowedHosts   []string                 // names, without ports, under which requests may come besides localhost, loopback addresses and the one reached; "*": any
	AllowedOrigins []string                 // of web pages that may ask and read, as in https://app.example.com; "*": any
	Log            *slog.Logger             // hears of agents that fail; nil: slog.Default()
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

// complete puts the defaults in. The agents stay what they are, whatever the
// caller does with its map.
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
