package play

import (
	"sync"

	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/mocks/backend"
	"evalctl/mocks/responses"
)

// RunResponseCache answers calls with stored responses of earlier runs, and stores new responses. It
// stores the responses of a trial when the trial ends, except those of components that failed in
// the trial.
type RunResponseCache struct {
	folder *responses.Cache

	mu      sync.Mutex
	pending map[string][]pendingResponse // new responses of the trials in progress, by trial key
}

// pendingResponse is a new response. It is stored after the trial unless its component fails in the
// trial.
type pendingResponse struct {
	node  string // component; "": the result of the trial does not list its calls
	write func()
}

// NewRunResponseCache returns a cache that stores responses in the directory f.
func NewRunResponseCache(f *responses.Cache) *RunResponseCache {
	return &RunResponseCache{folder: f, pending: map[string][]pendingResponse{}}
}

// Middleware returns a middleware that answers calls from the cache. It must be the closest one to
// the agent.
func (k *RunResponseCache) Middleware() backend.Middleware {
	return backend.WithCache(k.folder, func(c backend.Call, write func()) {
		k.mu.Lock()
		defer k.mu.Unlock()
		key := c.Trial.Key()
		k.pending[key] = append(k.pending[key], pendingResponse{node: c.Node, write: write})
	})
}

// settle stores the new responses of a trial that has ended, except those of failed components. It
// does nothing if k is nil.
func (k *RunResponseCache) settle(r eval.Result) {
	if k == nil {
		return
	}
	k.mu.Lock()
	list := k.pending[r.Key]
	delete(k.pending, r.Key)
	k.mu.Unlock()
	lost := map[string]bool{}
	for _, n := range r.Nodes {
		lost[n.Node] = lost[n.Node] || isUnanswered(llm.ErrorKind(n.CallError))
	}
	for _, a := range list {
		if a.node == "" || !lost[a.node] {
			a.write()
		}
	}
}
