package toolrouter

import (
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/toolrouter/intent"
)

// longest is how many bytes a message may have that speaks of a picture: what is
// longer is a text of its own, and would take long to read closely.
const longest = 8 << 10

// lastPicture finds the picture of the conversation that text asks about: the
// last one that its words can mean. about is true also where they can mean
// nothing else and there never was one.
func lastPicture(text string, history []agent.Message) (urls []string, about bool) {
	if len(text) > longest {
		return nil, false
	}
	text = strings.ToLower(intent.Simplified(strings.TrimSpace(text)))
	m, ok := mentioned(text)
	if !ok || wantsAnother.MatchString(text) || notAPicture.MatchString(text) {
		return nil, false
	}
	urls = m.whose.last(history)
	return urls, urls != nil || m.sure
}

// mentioned is how text speaks of a picture that it asks about.
func mentioned(text string) (mention, bool) {
	if !slices.ContainsFunc(hints, func(word string) bool { return strings.Contains(text, word) }) {
		return mention{}, false
	}
	for _, m := range mentions {
		if at := m.phrase.FindStringIndex(text); at != nil {
			alone := at[1]-at[0] == len(text) // «上一张图» is all that was said
			return m, alone || asks.MatchString(text)
		}
	}
	return mention{}, false
}

// author is who a picture came from.
type author int

const (
	anyone author = iota
	theAgent
	theUser
)

// last are the newest pictures from the author, nil where there are none.
func (a author) last(history []agent.Message) []string {
	for _, m := range slices.Backward(history) {
		switch {
		case m.GeneratedImageURL != "" && a != theUser:
			return []string{m.GeneratedImageURL}
		case len(m.Images) > 0 && a != theAgent:
			return m.Images
		}
	}
	return nil
}
