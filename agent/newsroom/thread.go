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

// Threads stores the work of conversations between turns: until a question is answered, or until
// the next request.
type Threads interface {
	Load(ctx context.Context, id string) (saved []byte, err error) // nil: none
	Save(ctx context.Context, id string, saved []byte) error
}

// savedThread is the stored form of a thread.
type savedThread struct {
	IsWaiting  bool             `json:"waits"` // for answers
	Questions  list[question]   `json:"questions,omitempty"`
	Checkpoint graph.Checkpoint `json:"checkpoint"`
}

// check reports whether the thread can be resumed: its counts are valid, and a waiting thread waits
// at an agent.
func (s savedThread) check(at *state) error {
	isAgent := func(r role) bool { return r.name == s.Checkpoint.Next }
	if s.IsWaiting && (!slices.ContainsFunc(roles(), isAgent) || len(s.Checkpoint.Path) >= maxVisits) {
		return fmt.Errorf("waits at %q, after %d visits", clipRunes(s.Checkpoint.Next, 100), len(s.Checkpoint.Path))
	}
	return at.checkCounts()
}

// checkpointNode is the node of thread accesses in the trace.
const checkpointNode = "checkpoint"

// threadTimeout is the timeout of an access to the threads.
const threadTimeout = 3 * time.Second

// threadAccess accesses the threads with a timeout, a span, and the before hook.
type threadAccess struct {
	threads Threads
	before  func(context.Context) error // nil: none
}

func (d threadAccess) do(ctx context.Context, what string, f func(context.Context) error) error {
	policy := llm.Policy{
		Node:     checkpointNode,
		Provider: checkpointNode,
		Model:    what,
		Timeout:  threadTimeout,
		Retries:  llm.NoRetries,
	}
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

// load returns a thread; ok is false if there is none.
func (d threadAccess) load(ctx context.Context, id string) (s savedThread, ok bool, err error) {
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

func (d threadAccess) save(ctx context.Context, id string, s savedThread) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("save thread: %w", err)
	}
	return d.do(ctx, "save", func(ctx context.Context) error { return d.threads.Save(ctx, id, raw) })
}

// maxThreads is the maximum number of threads in memory; the least recently used are dropped.
const maxThreads = 1000

// memory stores threads in memory. It is safe for concurrent use.
type memory struct {
	mu      sync.Mutex
	threads *simplelru.LRU[string, []byte] // nil: empty
}

var _ Threads = (*memory)(nil)

// Load returns a thread, nil if there is none.
func (m *memory) Load(_ context.Context, id string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.threads == nil {
		return nil, nil
	}
	raw, _ := m.threads.Get(id)
	return raw, nil
}

// Save stores a thread.
func (m *memory) Save(_ context.Context, id string, raw []byte) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.threads == nil {
		if m.threads, err = simplelru.NewLRU[string, []byte](maxThreads, nil); err != nil {
			return err
		}
	}
	m.threads.Add(id, raw)
	return nil
}
