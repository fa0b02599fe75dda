package classifier

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

//go:embed prompts/*.md
var shipped embed.FS

// Template is what the model is told: a template with {{labels}}, {{examples}},
// {{history}} and {{text}}. One that holds {{text}} is the user's message, one
// without is the system's, and the text follows as the user's.
type Template struct {
	llm.Prompt
	holdsText, asksText, holdsExamples bool
}

// placeholder is a name in double braces, which stands for a field of the
// template's data.
var placeholder = regexp.MustCompile(`\{\{(-?\s*)(labels|examples|history|text)(\s*-?)\}\}`)

// NewPrompt reads a prompt; errors name the file.
func NewPrompt(file string, raw []byte) (Template, error) {
	plain, err := llm.NewPrompt(file, placeholder.ReplaceAll(raw, []byte("{{$1.$2$3}}")))
	p := Template{Prompt: plain}
	if err == nil {
		err = p.look()
	}
	if err != nil {
		return Template{}, fmt.Errorf("%w (a prompt has places for {{labels}}, {{examples}}, {{history}} and {{text}})", err)
	}
	return p, nil
}

// look finds out what the prompt has places for, by filling it.
func (p *Template) look() error {
	const mark = "\x00mark\x00"
	without, err := p.Fill(data{}.fields())
	if err != nil {
		return err
	}
	withText, err := p.Fill(data{text: mark}.fields())
	if err != nil {
		return err
	}
	withExamples, err := p.Fill(data{examples: mark}.fields())
	p.holdsText, p.asksText = strings.Contains(withText, mark), withText != without
	p.holdsExamples = strings.Contains(withExamples, mark)
	return err
}

// readPrompt makes a prompt of what read gives of a file.
func readPrompt(file string, read func(string) ([]byte, error)) (Template, error) {
	raw, err := read(file)
	if err != nil {
		return Template{}, fmt.Errorf("load prompt: %w", err)
	}
	return NewPrompt(file, raw)
}

// orShipped is the shipped prompt in the place of the zero one: for a plain
// label, or for JSON.
func (p Template) orShipped(plain bool) (Template, error) {
	switch {
	case p.Text != "":
		return p, nil
	case plain:
		return readPrompt("prompts/plain.md", shipped.ReadFile)
	}
	return readPrompt("prompts/label.md", shipped.ReadFile)
}

// data is what a prompt may use.
type data struct{ labels, examples, history, text string }

func (d data) fields() map[string]string {
	return map[string]string{"labels": d.labels, "examples": d.examples, "history": d.history, "text": d.text}
}

// messages are what the model gets of a turn.
func (a *Agent) messages(t agent.Turn) ([]llm.Message, error) {
	var examples []system.Example
	if a.cfg.Examples != nil {
		examples = a.cfg.Examples.Pick(t.Text)
	}
	text, err := a.defaultValue, error(nil)
	if a.cfg.Prompt.asksText || examples != nil || t.History != nil {
		text, err = a.fill(t, examples)
	}
	switch {
	case err != nil:
		return nil, err
	case a.cfg.Prompt.holdsText:
		return []llm.Message{llm.User(text, t.Images...)}, nil
	}
	return []llm.Message{llm.System(text), llm.User(t.Text, t.Images...)}, nil
}

func (a *Agent) fill(t agent.Turn, examples []system.Example) (string, error) {
	return a.cfg.Prompt.Fill(data{labels: a.listed, examples: exampleLines(examples), history: historyLines(t.History), text: t.Text}.fields())
}

// labelLines has a line for each label.
func labelLines(list []system.Label) string {
	var b strings.Builder
	for _, l := range list {
		b.WriteString("- " + l.Name)
		if l.Description != "" {
			b.WriteString(": " + l.Description)
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// exampleLines has a line for each example; line breaks in a text become spaces.
func exampleLines(list []system.Example) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString("- " + strings.Join(strings.Fields(e.Text), " ") + " => " + e.Label + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// historyLines has a line for each earlier message.
func historyLines(history []agent.Message) string {
	var b strings.Builder
	for _, m := range history {
		b.WriteString(m.Role + ": " + strings.Join(strings.Fields(m.Content), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
