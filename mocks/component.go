package mocks

import (
	"slices"
	"sync/atomic"

	"evalctl/mocks/component"
	"evalctl/mocks/latency"
	"evalctl/mocks/random"
)

// part is a part of the agent as the server knows it.
type part struct {
	name      string
	component component.Role // whose work it does
	latency   latency.Latency
	seed      uint64
	calls     atomic.Int64
}

// partsOf makes the parts, and one for each component whose work none of them
// does: it may be called all the same.
func partsOf(parts component.Components) []part {
	names := parts.Names()
	for _, c := range component.All() {
		if name := parts.ForRole(c); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	list := make([]part, len(names))
	for i, name := range names {
		work, known := parts.Component(name)
		if !known {
			work = component.Role(name)
		}
		list[i].name, list[i].component, list[i].seed = name, work, seedOf(name)
	}
	return list
}

// seeded are the components whose seeds are their places. One that is new has that
// of its name, so that what is drawn for the others stays.
var seeded = []component.Role{component.Router, component.Chat, component.Vision, component.Critic, component.Search, component.Image,
	component.Poll, component.Embedding, component.RoleStore}

// seedOf is the place of a component for a part of its name.
func seedOf(name string) uint64 {
	if i := slices.Index(seeded, component.Role(name)); i >= 0 {
		return uint64(i)
	}
	return random.Hash(0, name)
}
