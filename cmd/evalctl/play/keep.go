package play

import (
	"sync"

	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/mocks/backend"
	"evalctl/mocks/responses"
)

// ResponseCache has a run answered with what an earlier one was, and keeps what it is answered
// itself, once its trials are over: of a part that came to nothing in one, nothing is kept.
type ResponseCache struct {
	folder *responses.Cache

	mu    sync.Mutex
	later map[string][]answer // of each trial under way, by its key
}

// answer is one that may be kept.
type answer struct {
	node  string // "": nothing of it stands in the trial's row
	write func()
}

// NewKeep keeps answers in a folder.
func NewKeep(f *responses.Cache) *ResponseCache {
	return &ResponseCache{folder: f, later: map[string][]answer{}}
}

// Middleware stands in the way of all calls, nearest to the agent.
func (k *ResponseCache) Middleware() backend.Middleware {
	return backend.WithCache(k.folder, func(c backend.Call, write func()) {
		k.mu.Lock()
		defer k.mu.Unlock()
		key := c.Trial.Key()
		k.later[key] = append(k.later[key], answer{node: c.Node, write: write})
	})
}

// settle keeps the answers of a trial that is over; a nil Keep keeps none.
func (k *ResponseCache) settle(r eval.Result) {
	if k == nil {
		return
	}
	k.mu.Lock()
	list := k.later[r.Key]
	delete(k.later, r.Key)
	k.mu.Unlock()
	lost := map[string]bool{}
	for _, n := range r.Nodes {
		lost[n.Node] = lost[n.Node] || isLost(llm.ErrorKind(n.CallError))
	}
	for _, a := range list {
		if a.node == "" || !lost[a.node] {
			a.write()
		}
	}
}
