package agent

import (
	"slices"
	"strings"
	"unicode"
)

// TurnMessages returns the two messages that the conversation history stores for an answered turn:
// the user's and the assistant's. For an error reply it returns nil, because models that read one
// in the history tend to repeat it.
func TurnMessages(t Turn, r Reply) (list []Message) {
	if r.ErrorReply != nil {
		return nil
	}
	for _, m := range []Message{
		{Role: "user", Content: t.Text, Images: t.Images},
		{Role: "assistant", Content: r.Content, GeneratedImageURL: r.GeneratedImageURL},
	} {
		if !m.IsEmpty() {
			list = append(list, m)
		}
	}
	return list
}

// Notes that mark an answer in the conversation history as incomplete, in Chinese and English: after
// the part that the user has seen, or in place of the answer.
var (
	cutOffNote = [2]string{"（这个回答没有完成，用户只看到了以上部分。）",
		"[This answer is incomplete. The user has seen only the part above.]"}
	unansweredNote = [2]string{"（这条消息还没有得到回答。）", "[This message has not been answered yet.]"}
)

// IncompleteTurnMessages returns the two messages that the conversation history stores for a turn
// that ended before its answer was complete. seen is the part that the user has seen; a note marks
// it as incomplete. For a turn without text and images it returns nil.
func IncompleteTurnMessages(t Turn, seen Reply) []Message {
	if (Message{Content: t.Text, Images: t.Images}).IsEmpty() {
		return nil
	}
	language := 0
	isHan := func(r rune) bool { return unicode.Is(unicode.Han, r) }
	if strings.ContainsFunc(t.Text, unicode.IsLetter) && !strings.ContainsFunc(t.Text, isHan) {
		language = 1
	}
	switch {
	case strings.TrimSpace(seen.Content) != "":
		seen.Content += "\n\n" + cutOffNote[language]
	case seen.GeneratedImageURL != "":
		seen.Content = cutOffNote[language]
	default:
		seen.Content = unansweredNote[language]
	}
	return TurnMessages(t, seen)
}

// IsEmpty reports whether a message has neither text nor images.
func (m Message) IsEmpty() bool {
	return strings.TrimSpace(m.Content) == "" && len(m.Images) == 0 && m.GeneratedImageURL == "" && !m.ImagesExpired
}

// LastTurns returns the newest n turns of a conversation. A turn begins with a message of the user.
func LastTurns(history []Message, n int) []Message {
	from := len(history)
	for i, m := range slices.Backward(history) {
		if n == 0 {
			break
		}
		if m.Role == "user" {
			from, n = i, n-1
		}
	}
	return history[from:]
}
