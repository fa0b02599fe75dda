// Package component defines the roles of the parts of an agent: routing, chat, images and so on.
package component

import "slices"

// Role is the kind of work of a part. Without configured parts, each role is a part of the same
// name; see Components.
type Role string

// The roles. RoleStructured returns a JSON object that is not a decision. Grader checks whether an
// answer states facts. RoleRetrieval finds passages of documents, RoleSearchEngine finds web pages.
// Poll polls asynchronous image tasks. RoleStore is a store inside the process, without an HTTP
// API.
const (
	Router           Role = "router"
	Chat             Role = "chat"
	RoleStructured   Role = "structured"
	Vision           Role = "vision"
	Critic           Role = "critic"
	Grader           Role = "grader"
	Search           Role = "search"
	Image            Role = "image"
	Poll             Role = "poll"
	Embedding        Role = "embedding"
	RoleRetrieval    Role = "retrieval"
	RoleSearchEngine Role = "search_engine"
	RoleStore        Role = "store"
)

func All() []Role {
	return []Role{Router, Chat, RoleStructured, Vision, Critic, Grader, Search, Image, Poll, Embedding, RoleRetrieval,
		RoleSearchEngine, RoleStore}
}

// Index returns the index of the role in All; -1: unknown.
func (c Role) Index() int { return slices.Index(All(), c) }

// IsChatModel reports whether a chat model answers for the role.
func (c Role) IsChatModel() bool {
	i := c.Index()
	return i >= 0 && i <= Search.Index()
}
