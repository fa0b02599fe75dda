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

// Template is a prompt with the placeholders {{labels}}, {{examples}}, {{history}} and {{text}}.
// With {{text}} it becomes the user message. Without {{text}} it becomes the system message, and
// the text follows as the user message.
type Template struct {
	llm.Prompt
	source                             string // text of the file
	holdsText, usesText, holdsExamples bool
}

// placeholder matches a placeholder, to convert it to the syntax of text/template.
var placeholder = regexp.MustCompile(`\{\{(-?\s*)(labels|examples|history|text)(\s*-?)\}\}`)

// ParseTemplate parses a prompt template. Its errors contain the file name.
func ParseTemplate(file string, raw []byte) (Template, error) {
	plain, err := llm.NewPrompt(file, placeholder.ReplaceAll(raw, []byte("{{$1.$2$3}}")))
	p := Template{Prompt: plain, source: strings.TrimSpace(string(raw))}
	if err == nil {
		err = p.detectPlaceholders()
	}
	if err != nil {
		return Template{}, fmt.Errorf("%w (a prompt has places for {{labels}}, {{examples}}, {{history}} and {{text}})",
			err)
	}
	return p, nil
}

// detectPlaceholders finds out which placeholders a prompt uses, by filling it with marked values.
func (p *Template) detectPlaceholders() error {
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
	p.holdsText, p.usesText = strings.Contains(withText, mark), withText != without
	p.holdsExamples = strings.Contains(withExamples, mark)
	return err
}

// readPrompt reads a prompt file with the function read and parses it.
func readPrompt(file string, read func(string) ([]byte, error)) (Template, error) {
	raw, err := read(file)
	if err != nil {
		return Template{}, fmt.Errorf("load prompt: %w", err)
	}
	return ParseTemplate(file, raw)
}

// orShipped returns p, or if p is zero the prompt of the package for plain labels or for JSON.
func (p Template) orShipped(plain bool) (Template, error) {
	switch {
	case p.Text != "":
		return p, nil
	case plain:
		return readPrompt("prompts/plain.md", shipped.ReadFile)
	}
	return readPrompt("prompts/label.md", shipped.ReadFile)
}

// data holds the values of a prompt's placeholders.
type data struct{ labels, examples, history, text string }

func (d data) fields() map[string]string {
	return map[string]string{"labels": d.labels, "examples": d.examples, "history": d.history, "text": d.text}
}

// messages returns the chat messages for the model call of a turn.
func (a *Agent) messages(t agent.Turn, c choice) ([]llm.Message, error) {
	var examples []system.LabeledExample
	if a.cfg.Examples != nil && t.Tools == nil {
		examples = a.cfg.Examples.Select(t.Text)
	}
	text, err := a.emptyPrompt, error(nil)
	if a.cfg.Prompt.usesText || examples != nil || t.History != nil || t.Tools != nil {
		text, err = a.fill(t, c, examples)
	}
	switch {
	case err != nil:
		return nil, err
	case a.cfg.Prompt.holdsText:
		return []llm.Message{llm.UserMessage(text, t.Images...)}, nil
	}
	return []llm.Message{llm.SystemMessage(text), llm.UserMessage(t.Text, t.Images...)}, nil
}

func (a *Agent) fill(t agent.Turn, c choice, examples []system.LabeledExample) (string, error) {
	return a.cfg.Prompt.Fill(data{
		labels:   c.lines,
		examples: exampleLines(examples),
		history:  historyLines(t.History),
		text:     t.Text,
	}.fields())
}

// labelLines formats the labels for a prompt: one line per label, with its description.
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

// exampleLines formats examples for a prompt: one line per example, without line breaks inside.
func exampleLines(list []system.LabeledExample) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString("- " + strings.Join(strings.Fields(e.Text), " ") + " => " + e.Label + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// historyLines formats earlier messages for a prompt: one line per message.
func historyLines(history []agent.Message) string {
	var b strings.Builder
	for _, m := range history {
		b.WriteString(m.Role + ": " + strings.Join(strings.Fields(m.Content), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
