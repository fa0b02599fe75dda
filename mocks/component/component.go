// Package component names the kinds of work that a part of an agent has done
// for it: routing, chat, pictures and so on.
package component

import "slices"

// Component is what work a part of an agent does. A part of the same name does
// it in an agent that names no parts of its own; see Parts.
type Component string

// The components. Writer is asked for a JSON object that is no decision, Grader whether
// an answer states facts. Recall finds passages of documents, WebSearch pages of the web. Poll is
// asking for an asynchronous picture. Knowledge is a store in the process, which
// has no wire.
const (
	Router    Component = "router"
	Chat      Component = "chat"
	Writer    Component = "structured"
	Vision    Component = "vision"
	Critic    Component = "critic"
	Grader    Component = "grader"
	Search    Component = "search"
	Image     Component = "image"
	Poll      Component = "poll"
	Embedding Component = "embedding"
	Recall    Component = "retrieval"
	WebSearch Component = "search_engine"
	Knowledge Component = "store"
)

// All lists all components.
func All() []Component {
	return []Component{Router, Chat, Writer, Vision, Critic, Grader, Search, Image, Poll, Embedding, Recall, WebSearch, Knowledge}
}

// Index is the component's place in All, -1 for an unknown one.
func (c Component) Index() int { return slices.Index(All(), c) }

// Speaks tells whether a chat model answers for the component.
func (c Component) Speaks() bool {
	i := c.Index()
	return i >= 0 && i <= Search.Index()
}
