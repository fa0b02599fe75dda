package wire

import (
	"cmp"
	"encoding/json"
	"slices"

	"evalctl/mocks/model"
	"evalctl/mocks/schema"
)

// tool is a tool in a request.
type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters"` // JSON schema; null: no parameters
	Strict     bool            `json:"strict"`
}

// isFunction reports whether the tool is a function. Other kinds are never called.
func (t tool) isFunction() bool { return t.Type == "" || t.Type == "function" }

func (t tool) name() string { return t.Function.Name }

// hasParameters reports whether there is a schema.
func (f function) hasParameters() bool {
	return len(f.Parameters) > 0 && string(f.Parameters) != "null"
}

// arguments converts a text to arguments that match the parameters.
func (f function) arguments(text string) string {
	if !f.hasParameters() {
		return "{}"
	}
	s, err := schema.Parse(f.Parameters)
	if err != nil {
		return "{}" // an invalid schema was accepted earlier, so it is ignored
	}
	return s.Coerce(text)
}

// toolChoice specifies which tools must be called.
type toolChoice struct {
	mode string // auto, none, required, object, or an invalid value; empty: not given
	name string // the function name of an object
}

// UnmarshalJSON accepts a string or an object.
func (t *toolChoice) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	if b[0] != '{' {
		t.mode = string(b)
		_ = json.Unmarshal(b, &t.mode) // any other type stays as it is and is rejected later
		return nil
	}
	var named tool
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	t.mode, t.name = "object", named.name()
	return nil
}

// findFunction returns the function with a name; empty: the first function.
func (b *ChatBody) findFunction(name string) (function, bool) {
	i := slices.IndexFunc(b.Tools, func(t tool) bool { return t.isFunction() && (name == "" || t.name() == name) })
	if i < 0 {
		return function{}, false
	}
	return b.Tools[i].Function, true
}

// allowsParallelCalls reports whether an answer may contain several tool calls.
func (c *Call) allowsParallelCalls(b *ChatBody) bool {
	if b.ParallelToolCalls != nil {
		return *b.ParallelToolCalls
	}
	return c.Route.Dialect != DashScope && c.Route.Dialect != DashScopeNative
}

// ApplyTools adapts the model's answer to the request: tool calls as tool_choice requires, with
// arguments, and content that matches the schema.
func (c *Call) ApplyTools(b *ChatBody, a *model.Answer) {
	if len(b.Tools) > 0 {
		c.callTools(b, a)
	}
	if s := b.ResponseFormat.JSONSchema; s != nil && s.parsed != nil && len(a.ToolCalls) == 0 {
		a.Content = s.parsed.Coerce(a.Content)
	}
}

func (c *Call) callTools(b *ChatBody, a *model.Answer) {
	calls, name := a.ToolCalls, b.ToolChoice.name
	switch {
	case b.ToolChoice.mode == "none":
		calls = nil
	case name != "":
		calls = slices.DeleteFunc(slices.Clone(calls), func(t model.ToolCall) bool { return t.Name != name })
	}
	if f, ok := b.findFunction(name); ok && len(calls) == 0 && (name != "" || b.ToolChoice.mode == "required") {
		calls = []model.ToolCall{{Name: f.Name}}
	}
	if len(calls) > 1 && !c.allowsParallelCalls(b) {
		calls = calls[:1]
	}
	a.ToolCalls = slices.Clone(calls) // the original may belong to a script
	source := a.Content
	for i, t := range a.ToolCalls {
		f, _ := b.findFunction(cmp.Or(t.Name, "?"))
		if t.Arguments == "" { // the content becomes the arguments
			a.ToolCalls[i].Arguments, a.Content = f.arguments(source), ""
		} else if f.Strict {
			a.ToolCalls[i].Arguments = f.arguments(t.Arguments)
		}
	}
}
