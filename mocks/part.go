package mocks

import (
	"slices"
	"sync/atomic"

	"evalctl/mocks/component"
	"evalctl/mocks/latency"
	"evalctl/mocks/random"
)

// componentState is the server's state for one component of the agent: its latency, seed and call
// counter.
type componentState struct {
	name      string
	component component.Role // the component's role, such as router or image
	latency   latency.Latency
	seed      uint64
	calls     atomic.Int64
}

// componentStates returns the state of every configured component. Roles without a component get
// one under the role's name, because a client may call them as well.
func componentStates(parts component.Components) []componentState {
	names := parts.Names()
	for _, c := range component.Roles() {
		if name := parts.NameForRole(c); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	list := make([]componentState, len(names))
	for i, name := range names {
		role, known := parts.RoleOf(name)
		if !known {
			role = component.Role(name)
		}
		list[i].name, list[i].component, list[i].seed = name, role, componentSeed(name)
	}
	return list
}

// rolesByIndex lists the roles whose seed is their index in this list. Roles that are added later
// get a hash of their name instead, so that results with existing seeds do not change.
var rolesByIndex = []component.Role{component.Router, component.Chat, component.Vision, component.Critic,
	component.Search, component.Image,
	component.Poll, component.Embedding, component.RoleStore}

// componentSeed returns the seed of a component's random draws: its index in rolesByIndex, or a
// hash of its name.
func componentSeed(name string) uint64 {
	if i := slices.Index(rolesByIndex, component.Role(name)); i >= 0 {
		return uint64(i)
	}
	return random.Hash(0, name)
}
