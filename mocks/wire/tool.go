package wire

import (
	"cmp"
	"encoding/json"
	"slices"

	"evalctl/mocks/model"
	"evalctl/mocks/schema"
)

// tool is one that a request offers.
type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters"` // a schema; null: it takes none
	Strict     bool            `json:"strict"`
}

// isFunction tells a function from tools of other kinds, which nobody calls here.
func (t tool) isFunction() bool { return t.Type == "" || t.Type == "function" }

func (t tool) name() string { return t.Function.Name }

// hasParameters tells whether there is a schema.
func (f function) hasParameters() bool {
	return len(f.Parameters) > 0 && string(f.Parameters) != "null"
}

// arguments fit the parameters, as far as a text says what they are.
func (f function) arguments(text string) string {
	if !f.hasParameters() {
		return "{}"
	}
	s, err := schema.Parse(f.Parameters)
	if err != nil {
		return "{}" // what is no schema was not refused: nobody reads it
	}
	return s.Coerce(text)
}

// toolChoice says which tools must be called.
type toolChoice struct {
	mode string // auto, none, required, object, or something else; empty: not given
	name string // of an object's function
}

// UnmarshalJSON reads a word or an object.
func (t *toolChoice) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	if b[0] != '{' {
		t.mode = string(b)
		_ = json.Unmarshal(b, &t.mode) // what is no text stays as it is, and is refused as such
		return nil
	}
	var named tool
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	t.mode, t.name = "object", named.name()
	return nil
}

// offered finds the function of a name; empty: the first one.
func (b *ChatBody) offered(name string) (function, bool) {
	i := slices.IndexFunc(b.Tools, func(t tool) bool { return t.isFunction() && (name == "" || t.name() == name) })
	if i < 0 {
		return function{}, false
	}
	return b.Tools[i].Function, true
}

// parallel tells whether several tools may be called at once.
func (c *Call) parallel(b *ChatBody) bool {
	if b.ParallelToolCalls != nil {
		return *b.ParallelToolCalls
	}
	return c.Place.Dialect != DashScope && c.Place.Dialect != DashScopeNative
}

// ApplyTools makes of what the model says the answer that the request asks for: the
// calls that tool_choice wants, with arguments, and content that fits the schema.
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
	if f, ok := b.offered(name); ok && len(calls) == 0 && (name != "" || b.ToolChoice.mode == "required") {
		calls = []model.ToolCall{{Name: f.Name}}
	}
	if len(calls) > 1 && !c.parallel(b) {
		calls = calls[:1]
	}
	a.ToolCalls = slices.Clone(calls) // a script's are its own
	source := a.Content
	for i, t := range a.ToolCalls {
		f, _ := b.offered(cmp.Or(t.Name, "?"))
		if t.Arguments == "" { // what the model says is what they are
			a.ToolCalls[i].Arguments, a.Content = f.arguments(source), ""
		} else if f.Strict {
			a.ToolCalls[i].Arguments = f.arguments(t.Arguments)
		}
	}
}
