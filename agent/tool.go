package agent

import "encoding/json"

// Tool is a function that the agent may call in a turn. Its JSON has OpenAI's format.
type Tool struct {
	Type     string   `json:"type,omitempty"` // function, or "" for the same
	Function Function `json:"function"`
}

// Function describes the function of a tool.
type Function struct {
	Name        string `json:"name"` // label that a call of the tool predicts
	Description string `json:"description,omitempty"`
	// JSON Schema of the arguments, an object; nil: the function has none
	Parameters json.RawMessage `json:"parameters,omitempty"`
}

// ToolNames returns the names of the tools in the same order.
func ToolNames(tools []Tool) []string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Function.Name
	}
	return names
}
