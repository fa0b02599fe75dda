package toolrouter

import (
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/toolrouter/intent"
)

// maxMentionLen is the maximal length, in bytes, of a message that can refer to a picture. A longer
// message is a text of its own, and matching it is slow.
const maxMentionLen = 8 << 10

// reference is the picture that a text refers to.
type reference struct {
	urls    []string // empty: it never existed or has expired
	expired bool     // it has expired
}

// lastImage finds the picture of the conversation that text is about: the newest that its words can
// refer to. about is also true if the words can refer to nothing else and no picture ever existed.
func lastImage(text string, history []agent.Message) (found reference, about bool) {
	if len(text) > maxMentionLen {
		return found, false
	}
	text = intent.Normalize(strings.TrimSpace(text))
	m, ok := mentioned(text)
	if !ok && !refersToPrevious(text, history) || requestsAnother.MatchString(text) || notAnImage.MatchString(text) ||
		!m.unambiguous && inGeneral.MatchString(text) {
		return found, false
	}
	found = m.author.lastImages(history)
	return found, found.urls != nil || found.expired || m.unambiguous
}

// mentioned returns the mention of a picture in a question.
func mentioned(text string) (mention, bool) {
	if !hint.MatchString(text) || !anyMention.MatchString(text) {
		return mention{}, false
	}
	for _, m := range mentions {
		if at := m.phrase.FindStringIndex(text); at != nil {
			alone := at[1]-at[0] == len(text) // «上一张图» is the whole text
			return m, alone || isQuestion.MatchString(text)
		}
	}
	return mention{}, false
}

// author is the source of a picture.
type author int

const (
	anyone author = iota
	theAgent
	theUser
)

// lastImages returns the newest pictures of the author.
func (a author) lastImages(history []agent.Message) reference {
	for _, m := range slices.Backward(history) {
		by := theUser
		if m.Role == "assistant" || m.GeneratedImageURL != "" {
			by = theAgent
		}
		switch {
		case a != anyone && a != by:
		case m.ImagesExpired:
			return reference{expired: true}
		case m.GeneratedImageURL != "":
			return reference{urls: []string{m.GeneratedImageURL}}
		case len(m.Images) > 0:
			return reference{urls: m.Images}
		}
	}
	return reference{}
}
