package toolrouter

import (
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/toolrouter/intent"
)

// maxMentionLen is the maximal length, in bytes, of a message that is searched for references to an
// image. A longer message is not a question about an image, and the search would be slow.
const maxMentionLen = 8 << 10

// imageReference is the image that a message refers to.
type imageReference struct {
	urls    []string // empty: the image does not exist or has expired
	expired bool     // the image was dropped from the session's memory
}

// lastImage returns the newest image of the conversation that the text can refer to. about is also
// true if the text clearly refers to an image but there is none.
func lastImage(text string, history []agent.Message) (found imageReference, about bool) {
	request, shown := shownImage(history)
	m, about := aboutImage(text, request, shown)
	if !about {
		return found, false
	}
	found = m.author.lastImages(history)
	return found, found.urls != nil || found.expired || m.unambiguous
}

// aboutImage reports whether a text is a question about an image, and returns the pattern that
// mentions it. If shown is true, the user sees the image of request, and the text need not name it.
func aboutImage(text, request string, shown bool) (imageMention, bool) {
	if len(text) > maxMentionLen {
		return imageMention{}, false
	}
	text = normalize(text)
	m, ok := mentioned(text)
	return m, (ok || shown && refersToShown(text, request)) && !requestsAnother.MatchString(text) &&
		!notAnImage.MatchString(text) && (m.unambiguous || !inGeneral.MatchString(text))
}

func normalize(text string) string { return intent.Normalize(strings.TrimSpace(text)) }

// mentioned returns the pattern by which a text refers to an image. ok is true only if the text is
// a question or consists of the reference alone.
func mentioned(text string) (imageMention, bool) {
	if !hint.MatchString(text) || !anyMention.MatchString(text) {
		return imageMention{}, false
	}
	for _, m := range mentions {
		if at := m.phrase.FindStringIndex(text); at != nil {
			alone := at[1]-at[0] == len(text) // the whole text is the reference, such as 上一张图
			return m, alone || isQuestion.MatchString(text)
		}
	}
	return imageMention{}, false
}

type imageAuthor int

const (
	byAnyone imageAuthor = iota
	byAgent
	byUser
)

// lastImages returns the images of this author's newest message with images. They may have expired.
func (a imageAuthor) lastImages(history []agent.Message) imageReference {
	for _, m := range slices.Backward(history) {
		by := byUser
		if m.Role == "assistant" || m.GeneratedImageURL != "" {
			by = byAgent
		}
		switch {
		case a != byAnyone && a != by:
		case m.ImagesExpired:
			return imageReference{expired: true}
		case m.GeneratedImageURL != "":
			return imageReference{urls: []string{m.GeneratedImageURL}}
		case len(m.Images) > 0:
			return imageReference{urls: m.Images}
		}
	}
	return imageReference{}
}
