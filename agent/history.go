package agent

import (
	"slices"
	"strings"
)

// TurnMessages returns the two messages that the conversation history stores for an answered turn:
// the user's and the assistant's. A note marks an error reply after a failed call, because models
// tend to repeat such replies. If the agent rejects the message before it calls a model, for
// example because the text is too long, it returns nil.
func TurnMessages(t Turn, r Reply) []Message {
	switch {
	case r.ErrorReply == nil:
		return messagesOf(t, r)
	case r.ErrorReply.Cause != "":
		return IncompleteTurnMessages(t, r)
	case r.ModelDecision != nil: // an answer that requests what is missing, such as a mask
		return messagesOf(t, r)
	}
	return nil
}

func messagesOf(t Turn, r Reply) (list []Message) {
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
// the part that the user has seen, after an error reply, or in place of the answer.
var (
	cutOffNote = [2]string{"（这个回答没有完成，用户只看到了以上部分。）",
		"[This answer is incomplete. The user has seen only the part above.]"}
	failedNote = [2]string{"（这条消息还没有得到回答，用户只看到了以上的出错提示。）",
		"[This message has not been answered yet. The user has seen only the error message above.]"}
	unansweredNote = [2]string{"（这条消息还没有得到回答。）", "[This message has not been answered yet.]"}
)

// IncompleteTurnMessages returns the two messages that the conversation history stores for a turn
// that ended before its answer was complete. seen is the part that the user has seen, or the error
// reply; a note marks it as incomplete. For a turn without text and images it returns nil.
func IncompleteTurnMessages(t Turn, seen Reply) []Message {
	if (Message{Content: t.Text, Images: t.Images}).IsEmpty() {
		return nil
	}
	hasText := strings.TrimSpace(seen.Content) != ""
	note := unansweredNote
	switch {
	case hasText && seen.ErrorReply != nil:
		note = failedNote
	case hasText || seen.GeneratedImageURL != "":
		note = cutOffNote
	}
	marked := Localize(t.Text, note[0], note[1])
	if hasText {
		marked = seen.Content + "\n\n" + marked
	}
	seen.Content = marked
	return messagesOf(t, seen)
}

// IsIncomplete reports whether the message ends with a note that marks an answer as incomplete.
func (m Message) IsIncomplete() bool {
	for _, note := range [][2]string{cutOffNote, failedNote, unansweredNote} {
		if strings.HasSuffix(m.Content, note[0]) || strings.HasSuffix(m.Content, note[1]) {
			return true
		}
	}
	return false
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
