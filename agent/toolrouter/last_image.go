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

// reference is what a text that speaks of a picture leads to.
type reference struct {
	urls []string // none: there never was one, or it is lost
	lost bool     // it is no longer remembered
}

// lastImage finds the picture of the conversation that text asks about: the
// last one that its words can mean. about is true also where they can mean
// nothing else and there never was one.
func lastImage(text string, history []agent.Message) (found reference, about bool) {
	if len(text) > longest {
		return found, false
	}
	text = intent.Normalize(strings.TrimSpace(text))
	m, ok := mentioned(text)
	if !ok && !follows(text, history) || wantsAnother.MatchString(text) || notAnImage.MatchString(text) || !m.sure && elsewhere.MatchString(text) {
		return found, false
	}
	found = m.whose.last(history)
	return found, found.urls != nil || found.lost || m.sure
}

// mentioned is how text speaks of a picture that it asks about.
func mentioned(text string) (mention, bool) {
	if !hint.MatchString(text) || !anyMention.MatchString(text) {
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

// last are the newest pictures from the author.
func (a author) last(history []agent.Message) reference {
	for _, m := range slices.Backward(history) {
		by := theUser
		if m.Role == "assistant" || m.GeneratedImageURL != "" {
			by = theAgent
		}
		switch {
		case a != anyone && a != by:
		case m.ImagesExpired:
			return reference{lost: true}
		case m.GeneratedImageURL != "":
			return reference{urls: []string{m.GeneratedImageURL}}
		case len(m.Images) > 0:
			return reference{urls: m.Images}
		}
	}
	return reference{}
}
