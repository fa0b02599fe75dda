package wire

import (
	"cmp"
	"encoding/json"
	"slices"

	"evalctl/mocks/model"
	"evalctl/mocks/schema"
)

// tool is a tool that a chat request offers.
type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters"` // JSON schema of the arguments; null: none
	Strict     bool            `json:"strict"`
}

// isFunction reports whether the tool is a function. Simulated models call no other kind of tool.
func (t tool) isFunction() bool { return t.Type == "" || t.Type == "function" }

func (t tool) name() string { return t.Function.Name }

// hasParameters reports whether the function has a schema for its arguments.
func (f function) hasParameters() bool {
	return len(f.Parameters) > 0 && string(f.Parameters) != "null"
}

// arguments returns arguments for a call of the function, as JSON that matches its schema. Values
// come from text as far as possible.
func (f function) arguments(text string) string {
	if !f.hasParameters() {
		return "{}"
	}
	s, err := schema.Parse(f.Parameters)
	if err != nil {
		return "{}" // earlier checks accepted the invalid schema, so it is ignored
	}
	return s.Coerce(text)
}

// toolChoice is the field tool_choice of a chat request: whether and which tools must be called.
type toolChoice struct {
	mode string // auto, none, required, object (a named function), or an invalid value; empty: not given
	name string // the function that mode object requires
}

// UnmarshalJSON decodes a mode as a string, or an object with the name of a function.
func (t *toolChoice) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	if b[0] != '{' {
		t.mode = string(b)
		_ = json.Unmarshal(b, &t.mode) // a value of another type becomes an invalid mode, which Check rejects
		return nil
	}
	var named tool
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	t.mode, t.name = "object", named.name()
	return nil
}

// findFunction returns the function with the given name. If name is empty, it returns the first
// function.
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

// ApplyTools changes the simulated model's answer to what the request requires. Tools are called as
// tool_choice specifies, their arguments match the schemas, and so does the content.
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
