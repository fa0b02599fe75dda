package companion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"evalctl/agent/clock"
)

// state is the part of a turn that the user interface provides: the agent that owns the diary, the
// user's time zone, and messages that have no summary yet.
type state struct {
	Agent    string
	Zone     *time.Location // nil: time zone of the clock
	Messages []timedMessage
}

// timedMessage is a message with the time at which it was sent.
type timedMessage struct {
	At      time.Time `json:"at"`
	Role    string    `json:"role"`
	Content string    `json:"content"`
}

// Reasons why a part of the state is ignored.
const (
	unknownAgent = "unknown_agent" // the agent has neither days nor a prompt
	summarized   = "summarised"    // the day already has a summary
)

// Limits on the messages in a turn's state.
const (
	maxMessages = 500
	maxMessage  = 8 << 10 // bytes
)

// stateChecks returns the check for each key of a turn's state.
func stateChecks() map[string]func(json.RawMessage) error {
	return map[string]func(json.RawMessage) error{
		"agent":     func(raw json.RawMessage) error { _, err := readAgent(raw); return err },
		"time_zone": func(raw json.RawMessage) error { _, err := clock.ZoneFromJSON(raw); return err },
		"messages":  func(raw json.RawMessage) error { _, err := readMessages(raw); return err },
	}
}

var agentName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,40}$`)

func readAgent(raw json.RawMessage) (name string, err error) {
	if err := json.Unmarshal(raw, &name); err != nil || !agentName.MatchString(name) {
		return "", fmt.Errorf("%.60s is not a name of an agent such as \"lin\"", raw)
	}
	return name, nil
}

func readMessages(raw json.RawMessage) (list []timedMessage, err error) {
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("is not a list of messages: %w", err)
	}
	if len(list) > maxMessages {
		return nil, fmt.Errorf("%d messages are more than %d", len(list), maxMessages)
	}
	for i, m := range list {
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return list, nil
}

func (m timedMessage) check() error {
	switch {
	case m.At.IsZero():
		return errors.New("at: is missing")
	case !slices.Contains([]string{"user", "assistant"}, m.Role):
		return fmt.Errorf("role: %.40q is neither user nor assistant", m.Role)
	case strings.TrimSpace(m.Content) == "" || len(m.Content) > maxMessage:
		return fmt.Errorf("content: has %d bytes, not 1 to %d", len(m.Content), maxMessage)
	}
	return nil
}

// readState parses the state of a turn. Invalid parts are ignored, with a trace event.
func readState(ctx context.Context, raw map[string]json.RawMessage, cfg config) state {
	s := state{Agent: cfg.Agent, Zone: cfg.Zone}
	for _, key := range []string{"agent", "time_zone", "messages"} {
		value, ok := raw[key]
		if !ok {
			continue
		}
		if err := s.read(key, value); err != nil {
			traceIgnored(ctx, intentNode, "state."+key, err.Error(), "", wrongSchema)
		}
	}
	if s.Agent != cfg.Agent && !slices.Contains(cfg.Agents, s.Agent) && cfg.Prompts.find(s.Agent) < 0 {
		traceIgnored(ctx, intentNode, "state.agent", s.Agent, "", unknownAgent)
	}
	return s
}

func (s *state) read(key string, raw json.RawMessage) error {
	switch key {
	case "agent":
		name, err := readAgent(raw)
		if err == nil {
			s.Agent = name
		}
		return err
	case "time_zone":
		zone, err := clock.ZoneFromJSON(raw)
		if err == nil {
			s.Zone = zone
		}
		return err
	}
	var err error
	s.Messages, err = readMessages(raw)
	return err
}

// ownerSeparator separates the name of an agent from the owner of a memory. Names of agents in a
// turn's state cannot contain it.
const ownerSeparator = "/"

// memory returns the name under which the diary stores what the agent remembers of this user: the
// agent's own name for its owner, otherwise a name of the user or session. imported is the agent
// whose imported days the user may see, too; "": none.
func (r *run) memory() (name, imported string) {
	switch {
	case r.turn.User != "":
		return r.state.Agent + ownerSeparator + "user " + r.turn.User, r.state.Agent
	case r.turn.IsPublicAgent:
		return r.state.Agent + ownerSeparator + "session " + r.turn.Session, r.state.Agent
	}
	return r.state.Agent, ""
}

// now returns the current time in the user's time zone.
func (s state) now(ctx context.Context) time.Time {
	now := clock.Now(ctx)
	if s.Zone == nil {
		return now
	}
	return now.In(s.Zone)
}

// byDay groups the messages of the state by their date in a time zone.
func (s state) byDay(zone *time.Location) map[string][]promptLine {
	days := map[string][]promptLine{}
	for _, m := range s.Messages {
		date := m.At.In(zone).Format(time.DateOnly)
		days[date] = append(days[date], promptLine{role: m.Role, content: m.Content, at: m.At})
	}
	return days
}
