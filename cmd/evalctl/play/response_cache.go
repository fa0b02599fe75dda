package play

import (
	"sync"

	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/mocks/backend"
	"evalctl/mocks/responses"
)

// ResponseCache answers calls with the stored responses of earlier runs, and stores new ones. It
// stores the responses of a trial when the trial ends, without those of components that failed in
// it.
type ResponseCache struct {
	folder *responses.Cache

	mu      sync.Mutex
	pending map[string][]pendingResponse // responses of the trials in progress, by trial key
}

// pendingResponse is a response that may be stored.
type pendingResponse struct {
	node  string // "": the trial's result does not list its calls
	write func()
}

// NewResponseCache returns a cache that stores responses in f.
func NewResponseCache(f *responses.Cache) *ResponseCache {
	return &ResponseCache{folder: f, pending: map[string][]pendingResponse{}}
}

// Middleware intercepts all calls. It must be the closest one to the agent.
func (k *ResponseCache) Middleware() backend.Middleware {
	return backend.WithCache(k.folder, func(c backend.Call, write func()) {
		k.mu.Lock()
		defer k.mu.Unlock()
		key := c.Trial.Key()
		k.pending[key] = append(k.pending[key], pendingResponse{node: c.Node, write: write})
	})
}

// settle stores the responses of a trial that has ended. It is a no-op on nil.
func (k *ResponseCache) settle(r eval.Result) {
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
