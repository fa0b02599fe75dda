package studio

import (
	"strings"
	"unicode"

	"evalctl/agent"
)

// bilingual is a fixed text for users in Chinese and in English.
type bilingual struct{ zh, en string }

// localized returns the text in the language of what the user wrote.
func (t bilingual) localized(userText string) string { return agent.Localize(userText, t.zh, t.en) }

// say returns a fixed text in the user's language.
func (s *state) say(zh, en string) string { return bilingual{zh, en}.localized(s.userText) }

// newestUserText returns the newest text of the user with letters, which shows the user's language;
// "": there is none.
func newestUserText(t agent.Turn) string {
	for i := len(t.History); i >= 0; i-- {
		m := agent.Message{Role: "user", Content: t.Text}
		if i < len(t.History) {
			m = t.History[i]
		}
		words := emoji.ReplaceAllString(m.Content, "")
		if m.Role == "user" && strings.ContainsFunc(words, unicode.IsLetter) {
			return words
		}
	}
	return ""
}
