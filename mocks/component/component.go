// Package component names the kinds of work that a part of an agent has done
// for it: routing, chat, pictures and so on.
package component

import "slices"

// Role is what work a part of an agent does. A part of the same name does
// it in an agent that names no parts of its own; see Parts.
type Role string

// The components. Writer is asked for a JSON object that is no decision, Grader whether
// an answer states facts. Recall finds passages of documents, RoleSearchEngine pages of the web. Poll is
// asking for an asynchronous picture. Knowledge is a store in the process, which
// has no wire.
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

// All lists all components.
func All() []Role {
	return []Role{Router, Chat, RoleStructured, Vision, Critic, Grader, Search, Image, Poll, Embedding, RoleRetrieval, RoleSearchEngine, RoleStore}
}

// Index is the component's place in All, -1 for an unknown one.
func (c Role) Index() int { return slices.Index(All(), c) }

// IsChatModel tells whether a chat model answers for the component.
func (c Role) IsChatModel() bool {
	i := c.Index()
	return i >= 0 && i <= Search.Index()
}
