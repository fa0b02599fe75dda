package studio

import (
	_ "embed"
	"slices"
)

// component is a part of the user interface that a client renders, in its JSON form.
type component struct {
	WidgetType string `json:"widgetType"`
	Props      any    `json:"props"`
}

type canvasProps struct {
	ImageURL string `json:"imageUrl"`
	Mode     string `json:"mode"`
}

type panelProps struct {
	Actions []button `json:"actions"`
}

type button struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Type  string `json:"type"`
}

type messageProps struct {
	State      string `json:"state"` // success, failed or processing
	Text       string `json:"text"`
	IsThinking bool   `json:"isThinking"`
}

//go:embed component.schema.json
var schema string

// ComponentSchema returns the JSON Schema (draft 2020-12) of the UI components that the agent
// sends.
func ComponentSchema() []byte { return []byte(schema) }

func canvas(url string) component {
	return component{"SmartCanvas", canvasProps{ImageURL: url, Mode: "view"}}
}

// panel returns a component with buttons: one that requests another image, and one for each
// suggestion of the critic.
func (s *state) panel(suggestions []string) component {
	buttons := []button{{ID: regenerateButton, Label: regenerate.localized(s.userText), Type: "button"}}
	for i, label := range suggestions {
		id := buttonWithLabel(label)
		if id == "" || id == suggestionButtons[0] {
			id = suggestionButtons[i]
		}
		if !slices.ContainsFunc(buttons, func(b button) bool { return b.ID == id || b.Label == label }) {
			buttons = append(buttons, button{ID: id, Label: label, Type: "button"})
		}
	}
	return component{"ActionPanel", panelProps{buttons}}
}

// retryPanel returns a component with a button that repeats a failed request.
func (s *state) retryPanel() component {
	return component{"ActionPanel", panelProps{[]button{
		{ID: retryButton, Label: retry.localized(s.userText), Type: "button"}}}}
}

func message(state, text string) component {
	return component{"AgentMessage", messageProps{State: state, Text: text, IsThinking: state == "processing"}}
}
