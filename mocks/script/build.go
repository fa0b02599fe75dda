package script

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// builder converts the YAML of a script to a Script. It collects all errors instead of stopping at
// the first.
type builder struct {
	name   string
	source []byte
	parts  component.Components
	errs   []error
}

func (b *builder) build(f *file) (*Script, error) {
	s := &Script{AgentComponents: b.parts}
	if len(f.Rules) == 0 && f.Default == nil {
		b.addError("$", errors.New("neither rules nor a default"))
	}
	for i, a := range f.Components {
		path := fmt.Sprintf("$.components[%d]", i)
		b.checkPart(path+".component", a.Component)
		if a.Match.Nth != 0 {
			b.addError(path+".match.nth", errors.New("nth is not known before the component is"))
		}
		s.ComponentRules = append(s.ComponentRules,
			ComponentRule{Match: b.match(path+".match", a.Match), Component: a.Component})
	}
	for i, r := range f.Rules {
		path := fmt.Sprintf("$.rules[%d]", i)
		s.Rules = append(s.Rules, Rule{Match: b.match(path+".match", r.Match), Answer: b.answer(path, &r.Answer)})
	}
	if f.Default != nil {
		a := b.answer("$.default", f.Default)
		s.Default = &a
	}
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// checkPart adds an error if there is no component of this name with a chat model.
func (b *builder) checkPart(path, name string) {
	if c, _ := b.parts.RoleOf(name); !c.IsChatModel() {
		b.addError(path, fmt.Errorf("component %q has no chat model: known are %s", name,
			strings.Join(b.parts.ChatComponents(), ", ")))
	}
}

func (b *builder) match(path string, m fileMatch) Match {
	out := Match{
		Component:  m.Component,
		Model:      m.Model,
		Text:       m.Text,
		System:     m.System,
		CallNumber: m.Nth,
	}
	if m.Component != "" {
		b.checkPart(path+".component", m.Component)
	}
	if m.Nth < 0 {
		b.addError(path+".nth", fmt.Errorf("nth %d is not positive", m.Nth))
	}
	if m.Regex != "" {
		re, err := regexp.Compile(m.Regex)
		if err != nil {
			b.addError(path+".regex", err)
		}
		out.Regex = re
	}
	return out
}

func (b *builder) answer(path string, a *fileAnswer) model.Answer {
	out := model.Answer{Reasoning: a.Reasoning, FinishReason: a.FinishReason}
	given := 0
	if a.Content != nil {
		out.Content = *a.Content
		given++
	}
	if a.JSON != nil {
		out.Content = string(appendYAML(nil, a.JSON))
		given++
	}
	if a.Error != nil {
		out.ErrorResponse = b.refusal(path, a.Error)
		given++
	}
	switch {
	case given > 1:
		b.addError(path, errors.New("an answer has one of content, json and error"))
	case given == 0 && len(a.ToolCalls) == 0:
		b.addError(path, errors.New("an answer needs content, json, tool_calls or error"))
	}
	if a.Usage != nil {
		out.Usage = &model.Usage{
			PromptTokens:     a.Usage.Prompt,
			CompletionTokens: a.Usage.Completion,
			ReasoningTokens:  a.Usage.Reasoning,
			CachedTokens:     a.Usage.Cached,
		}
	}
	for _, t := range a.ToolCalls {
		if t.Name == "" {
			b.addError(path, errors.New("a tool call needs a name"))
		}
		out.ToolCalls = append(out.ToolCalls, model.ToolCall{ID: t.ID, Name: t.Name, Arguments: arguments(t.Arguments)})
	}
	var err error
	if out.Delay, err = parseDuration(a.Delay); err != nil {
		b.addError(path, err)
	}
	return out
}

// arguments returns the arguments of a tool call as JSON. In the file they are a text with JSON, or
// a YAML value.
func arguments(v any) string {
	switch v := v.(type) {
	case nil:
		return "{}"
	case string:
		return v
	}
	return string(appendYAML(nil, v))
}

func (b *builder) refusal(path string, e *fileRefusal) *model.ErrorResponse {
	if e.Status < 400 || e.Status > 599 {
		b.addError(path, fmt.Errorf("error status %d is not within 400..599", e.Status))
	}
	wait, err := parseDuration(e.RetryAfter)
	if err != nil {
		b.addError(path, err)
	}
	return &model.ErrorResponse{
		Status:     e.Status,
		Type:       e.Type,
		Code:       e.Code,
		Message:    e.Message,
		Param:      e.Param,
		RetryAfter: wait,
	}
}

// addError adds an error with the file name and the line of a YAML path.
func (b *builder) addError(path string, err error) {
	b.errs = append(b.errs, fmt.Errorf("%s:%d: %w", b.name, b.line(path), err))
}

// line returns the line of a YAML path in the file, or 1 if it is not found.
func (b *builder) line(path string) int {
	p, err := yaml.PathString(path)
	if err != nil || path == "$" {
		return 1
	}
	node, err := p.ReadNode(bytes.NewReader(b.source))
	if err != nil || node.GetToken() == nil {
		return 1
	}
	return node.GetToken().Position.Line
}
