// Package component defines the roles that the components of an agent can have: router, chat, image
// and so on.
package component

import "slices"

// Role is the kind of work that a component of an agent does. It determines which API the component
// calls and which faults can affect it.
type Role string

// The roles of components. RoleStructured returns a JSON object that is not a decision. Grader
// checks whether an answer states facts. Search is a chat model that searches. RoleRetrieval finds
// passages of documents, and RoleSearchEngine finds web pages. Poll requests the state of
// asynchronous image tasks. RoleStore is a store inside the process, without an HTTP API.
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

// Roles returns all roles: first those that call a chat model, and then all others.
// Components.Names sorts components in this order.
func Roles() []Role {
	return []Role{Router, Chat, RoleStructured, Vision, Critic, Grader, Search, Image, Poll, Embedding, RoleRetrieval,
		RoleSearchEngine, RoleStore}
}

// Index returns the index of the role in Roles; -1: unknown role.
func (c Role) Index() int { return slices.Index(Roles(), c) }

// IsChatModel reports whether a component with this role calls a chat model.
func (c Role) IsChatModel() bool {
	i := c.Index()
	return i >= 0 && i <= Search.Index()
}
