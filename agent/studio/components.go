package studio

import (
	_ "embed"
	"fmt"
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

const regenerate = "重新生成"

// panel returns a component with buttons: one that requests another image, and one for each
// suggestion of the critic.
func panel(suggestions []string) component {
	buttons := []button{{ID: "regenerate_btn", Label: regenerate, Type: "button"}}
	for i, s := range suggestions {
		if !slices.ContainsFunc(buttons, func(b button) bool { return b.Label == s }) {
			buttons = append(buttons, button{ID: fmt.Sprintf("suggestion_%d_btn", i+1), Label: s, Type: "button"})
		}
	}
	return component{"ActionPanel", panelProps{buttons}}
}

// retryPanel returns a component with a button that repeats a failed request.
func retryPanel() component {
	return component{"ActionPanel", panelProps{[]button{{ID: "retry_btn", Label: "重试", Type: "button"}}}}
}

func message(state, text string) component {
	return component{"AgentMessage", messageProps{State: state, Text: text, IsThinking: state == "processing"}}
}
