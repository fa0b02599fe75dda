package newsroom

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Threads keep what a conversation's work has come to: until a question is
// answered, and until the user wants something more.
type Threads interface {
	Load(ctx context.Context, id string) (saved []byte, err error) // nil: there is none
	Save(ctx context.Context, id string, saved []byte) error
}

// saved is what is kept of a thread.
type saved struct {
	Waits      bool             `json:"waits"` // for answers
	Questions  list[question]   `json:"questions,omitempty"`
	Checkpoint graph.Checkpoint `json:"checkpoint"`
}

// check tells whether it can be gone on from: its counts are ones, and it waits
// with an agent.
func (s saved) check(at *state) error {
	isAgent := func(r role) bool { return r.name == s.Checkpoint.Next }
	if s.Waits && (!slices.ContainsFunc(roles(), isAgent) || len(s.Checkpoint.Path) >= mostVisits) {
		return fmt.Errorf("waits at %q, after %d visits", shortened(s.Checkpoint.Next, 100), len(s.Checkpoint.Path))
	}
	return at.inRange()
}

// checkpointNode is under which threads stand in the trace.
const checkpointNode = "checkpoint"

// threadTimeout is how long an attempt at the threads may take.
const threadTimeout = 3 * time.Second

// desk is where threads are kept, behind what a harness puts before it.
type desk struct {
	threads Threads
	before  func(context.Context) error // nil: nothing
}

func (d desk) do(ctx context.Context, what string, f func(context.Context) error) error {
	policy := llm.Policy{Node: checkpointNode, Provider: checkpointNode, Model: what, Timeout: threadTimeout, Retries: llm.NoRetries}
	_, err := policy.Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		return clock.CatchPanic(checkpointNode, func() error {
			if d.before != nil {
				if err := d.before(ctx); err != nil {
					return err
				}
			}
			return f(ctx)
		})
	})
	return err
}

// load finds a thread; ok is false where there is none.
func (d desk) load(ctx context.Context, id string) (s saved, ok bool, err error) {
	err = d.do(ctx, "load", func(ctx context.Context) error {
		raw, err := d.threads.Load(ctx, id)
		if err != nil || raw == nil {
			return err
		}
		ok = true
		return json.Unmarshal(raw, &s)
	})
	return s, ok && err == nil, err
}

func (d desk) save(ctx context.Context, id string, s saved) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("save thread: %w", err)
	}
	return d.do(ctx, "save", func(ctx context.Context) error { return d.threads.Save(ctx, id, raw) })
}

// mostThreads is how many threads are remembered, the oldest going first.
const mostThreads = 1000

// memory keeps threads as long as the process lives. It is safe for concurrent use.
type memory struct {
	mu   sync.Mutex
	kept *simplelru.LRU[string, []byte] // nil: nothing yet
}

var _ Threads = (*memory)(nil)

// Load finds a thread.
func (m *memory) Load(_ context.Context, id string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		return nil, nil
	}
	raw, _ := m.kept.Get(id)
	return raw, nil
}

// Save keeps a thread.
func (m *memory) Save(_ context.Context, id string, raw []byte) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		if m.kept, err = simplelru.NewLRU[string, []byte](mostThreads, nil); err != nil {
			return err
		}
	}
	m.kept.Add(id, raw)
	return nil
}
