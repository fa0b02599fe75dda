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

// ThreadStore stores the state of each conversation, after every agent and between turns. The next
// request, or the answer to a question, continues from that state.
type ThreadStore interface {
	Load(ctx context.Context, key string) (saved []byte, err error) // returns nil if there is no such conversation
	Save(ctx context.Context, key string, saved []byte) error
}

// savedThread is the stored state of a conversation.
type savedThread struct {
	IsWaiting    bool             `json:"waits"`                // a question to the user is pending
	IsUnfinished bool             `json:"unfinished,omitempty"` // the work on the last request ended too early
	Questions    list[question]   `json:"questions,omitempty"`  // the pending questions
	Checkpoint   graph.Checkpoint `json:"checkpoint"`           // state of the work, and the node that continues it
}

// check returns an error if the stored conversation cannot be resumed: a counter is invalid, or the
// node that put a question is not an agent.
func (s savedThread) check(at *state) error {
	isAgent := func(r role) bool { return r.name == s.Checkpoint.Next }
	if s.IsWaiting && (!slices.ContainsFunc(roles(), isAgent) || len(s.Checkpoint.Path) >= maxVisits) {
		return fmt.Errorf("waits at %q, after %d visits", clipRunes(s.Checkpoint.Next, 100), len(s.Checkpoint.Path))
	}
	return at.checkCounts()
}

// checkpointNode is the name of accesses to stored conversations in the trace.
const checkpointNode = "checkpoint"

// threadTimeout is the time limit of one access to stored conversations.
const threadTimeout = 3 * time.Second

// threadAccess accesses stored conversations with a time limit and a trace span.
type threadAccess struct {
	threads ThreadStore
	before  func(context.Context) error // called before each access, to inject faults; nil: none
}

func (d threadAccess) do(ctx context.Context, what string, f func(context.Context) error) error {
	policy := llm.CallPolicy{
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

// load returns the stored state of a conversation. ok is false if there is none.
func (d threadAccess) load(ctx context.Context, key string) (s savedThread, ok bool, err error) {
	err = d.do(ctx, "load", func(ctx context.Context) error {
		raw, err := d.threads.Load(ctx, key)
		if err != nil || raw == nil {
			return err
		}
		ok = true
		return json.Unmarshal(raw, &s)
	})
	return s, ok && err == nil, err
}

func (d threadAccess) save(ctx context.Context, key string, s savedThread) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("save thread: %w", err)
	}
	return d.do(ctx, "save", func(ctx context.Context) error { return d.threads.Save(ctx, key, raw) })
}

// maxThreads is the maximum number of conversations in memory. The least recently used are dropped.
const maxThreads = 1000

// memory stores conversations in memory. It is safe for concurrent use.
type memory struct {
	mu      sync.Mutex
	threads *simplelru.LRU[string, []byte] // nil until the first Save
}

var _ ThreadStore = (*memory)(nil)

// Load returns the stored state of a conversation; nil if there is none.
func (m *memory) Load(_ context.Context, id string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.threads == nil {
		return nil, nil
	}
	raw, _ := m.threads.Get(id)
	return raw, nil
}

// Save stores the state of a conversation.
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
