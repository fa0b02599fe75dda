// Package component names the kinds of work that a part of an agent has done
// for it: routing, chat, pictures and so on.
package component

import (
	"fmt"
	"strings"
)

// Component is the part of an agent that a call works for. Latencies, faults
// and the count of calls are kept per component.
type Component string

// The components. A chat request is Search with enable_search; else Critic in
// JSON mode with a system message that names the key "score", quotes included;
// else Vision with a picture, else Router in JSON mode, else Chat. A model that
// is a Classifier may know better. Poll is asking for an asynchronous picture.
// Knowledge is a store in the process, called by Local alone.
const (
	Router    Component = "router"
	Chat      Component = "chat"
	Vision    Component = "vision"
	Critic    Component = "critic"
	Search    Component = "search"
	Image     Component = "image"
	Poll      Component = "poll"
	Embedding Component = "embedding"
	Knowledge Component = "knowledge"
)

// Count is how many components there are.
const Count = 9

// All lists all components.
func All() []Component {
	return []Component{Router, Chat, Vision, Critic, Search, Image, Poll, Embedding, Knowledge}
}

// Parse reads a component's name.
func Parse(s string) (Component, error) {
	c := Component(s)
	if c.Index() < 0 {
		return "", fmt.Errorf("unknown component %q: known are %s", s, Names())
	}
	return c, nil
}

// Index is the component's place in arrays, -1 for an unknown one.
func (c Component) Index() int {
	switch c {
	case Router:
		return 0
	case Chat:
		return 1
	case Vision:
		return 2
	case Critic:
		return 3
	case Search:
		return 4
	case Image:
		return 5
	case Poll:
		return 6
	case Embedding:
		return 7
	case Knowledge:
		return 8
	}
	return -1
}

// Speaks tells whether a chat model answers for the component.
func (c Component) Speaks() bool {
	i := c.Index()
	return i >= 0 && i <= Search.Index()
}

// Names are all of them in a row, for messages.
func Names() string {
	var names []string
	for _, c := range All() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}
