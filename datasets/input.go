package datasets

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
	"evalctl/eval/suite"
)

// input validates the user's input in one turn. If the input is a batch, it also sets the turn's
// text.
func (s Schema) input(t *agent.Turn) error {
	if t.Batch != nil {
		if err := s.batch(t); err != nil {
			return err
		}
	}
	if !s.AllowEmptyText && strings.TrimSpace(t.Text) == "" && len(t.Images) == 0 && len(t.Documents) == 0 {
		return wrong("text", "is empty")
	}
	if err := images(t.Images); err != nil {
		return err
	}
	if t.Mask != "" && !strings.HasPrefix(t.Mask, "data:image/") {
		return wrong("mask", "is not a data:image URL")
	}
	if len(t.History) > maxHistory {
		return wrong("history", "has more than %d messages", maxHistory)
	}
	for i, m := range t.History {
		if err := message(m); err != nil {
			return inField(fmt.Sprintf("history[%d]", i), err)
		}
	}
	for i, d := range t.Documents {
		if d.Name == "" {
			return wrong(fmt.Sprintf("documents[%d].name", i), "is missing")
		}
	}
	if err := s.tools(t.Tools); err != nil {
		return err
	}
	if err := s.state(t.State); err != nil {
		return inField("state", err)
	}
	if err := s.CheckButton(t.ButtonID); err != nil {
		return wrong("action", "%v", err)
	}
	return s.options(t.Options)
}

// batch validates the messages of a batch and sets the turn's text to these messages, joined.
func (s Schema) batch(t *agent.Turn) error {
	switch {
	case !s.AllowBatch:
		return wrong("batch", "%s takes one message a turn", s.Target)
	case len(t.Batch) == 0:
		return wrong("batch", "is empty")
	case len(t.Batch) > agent.MaxBatch:
		return wrong("batch", "has more than %d messages", agent.MaxBatch)
	}
	for i, message := range t.Batch {
		if strings.TrimSpace(message) == "" {
			return wrong(fmt.Sprintf("batch[%d]", i), "is empty")
		}
	}
	whole := agent.JoinBatch(t.Batch)
	if t.Text != "" && t.Text != whole {
		return wrong("text", "is not the batch, joined by spaces: leave it out")
	}
	t.Text = whole
	return nil
}

// tools validates the tools that the agent chooses from in the turn.
func (s Schema) tools(tools []agent.Tool) error {
	if tools == nil {
		return nil
	}
	if !s.AllowTools {
		return wrong("tools", "are not accepted: %s has labels of its own", s.Target)
	}
	if len(tools) == 0 {
		return wrong("tools", "is empty")
	}
	return suite.CheckTools(tools)
}

// state validates the state that the system has before the turn.
func (s Schema) state(state map[string]json.RawMessage) error {
	if s.StateFields == nil || len(state) == 0 {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(state)) {
		check, ok := s.StateFields[key]
		if !ok {
			return inField(quoted(key), unknown("key", key, slices.Sorted(maps.Keys(s.StateFields))))
		}
		if err := runCheck(check, jsontext.Value(state[key])); err != nil {
			return inField(key, err)
		}
	}
	return nil
}

// message validates one message of the conversation history.
func message(m agent.Message) error {
	if !slices.Contains([]string{"user", "assistant", "system"}, m.Role) {
		return wrong("role", "%s is not user, assistant or system", quoted(m.Role))
	}
	if m.Content == "" && len(m.Images) == 0 && m.GeneratedImageURL == "" {
		return wrong("content", "is empty")
	}
	if m.GeneratedImageURL != "" && !isImage(m.GeneratedImageURL) {
		return wrong("generated_image_url", notImage)
	}
	return images(m.Images)
}

const notImage = "is not an http, https or data:image URL"

func images(urls []string) error {
	for i, u := range urls {
		if !isImage(u) {
			return wrong(fmt.Sprintf("images[%d]", i), notImage)
		}
	}
	return nil
}

func isImage(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") ||
		strings.HasPrefix(url, "data:image/")
}
