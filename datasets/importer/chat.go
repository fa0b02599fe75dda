package importer

import (
	"errors"
	"fmt"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
)

// message is a chat message in the format of the OpenAI API.
type message struct {
	Role    string         `json:"role"`
	Name    string         `json:"name"`
	Content jsontext.Value `json:"content"` // a string, or a list of content parts
}

// chatTurn converts chat messages to one turn. The last message is the user's input, and the others
// are the history.
func chatTurn(chat []message) (agent.Turn, error) {
	var t agent.Turn
	for i, m := range chat {
		role, err := m.speaker()
		if err != nil {
			return t, fmt.Errorf("message %d: %w", i, err)
		}
		text, err := m.text()
		if err != nil {
			return t, fmt.Errorf("message %d: %w", i, err)
		}
		if i < len(chat)-1 {
			t.History = append(t.History, agent.Message{Role: role, Content: text})
			continue
		}
		if role == "assistant" {
			return t, fmt.Errorf("message %d: is the assistant's, and nothing is asked after it", i)
		}
		t.Text = text
	}
	return t, nil
}

// speaker returns the role of a message: user, assistant or system. Messages of example
// conversations often have the role system and the name example_user or example_assistant, as in
// OpenAI's cookbook and evals.
func (m message) speaker() (string, error) {
	switch {
	case m.Role == "system" && m.Name == "example_user":
		return "user", nil
	case m.Role == "system" && m.Name == "example_assistant":
		return "assistant", nil
	case m.Role == "developer":
		return "system", nil // developer is the newer name of the system role
	case m.Role == "user", m.Role == "assistant", m.Role == "system":
		return m.Role, nil
	}
	return "", fmt.Errorf("role %s is not system, user or assistant", quoted(m.Role))
}

func (m message) text() (string, error) {
	var text string
	switch m.Content.Kind() {
	case '"':
		if err := v2.Unmarshal(m.Content, &text); err != nil {
			return "", errors.New(explain(err))
		}
	case '[':
		var parts []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if err := v2.Unmarshal(m.Content, &parts); err != nil {
			return "", errors.New(explain(err))
		}
		for _, p := range parts {
			if p.Type != "text" {
				return "", fmt.Errorf("holds a part of type %s, not text", quoted(p.Type))
			}
			text += p.Text
		}
	default:
		return "", errors.New("has no content")
	}
	if strings.TrimSpace(text) == "" {
		return "", errors.New("content is empty")
	}
	return text, nil
}
