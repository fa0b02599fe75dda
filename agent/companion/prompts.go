package companion

import (
	"embed"
	"path"
	"slices"
	"strings"

	"evalctl/agent/llm"
)

//go:embed prompts/*.md prompts/agents/*.md
var shipped embed.FS

// prompts are the prompts of all models. Zero fields are replaced by the prompts of the package.
type prompts struct {
	Intent      llm.Prompt // requests the intent as JSON
	ReplyFormat llm.Prompt // requests the answer as JSON
	Summary     llm.Prompt // requests the summary of a day as JSON

	AgentPersonas   []llm.Prompt // persona of each agent; the prompt's name is the agent's
	DefaultPersona  llm.Prompt   // persona of agents without their own
	PersonaOverride llm.Prompt   // replaces all personas; zero: none
}

// shippedPrompts returns the prompts that ship with the package.
func shippedPrompts() (prompts, error) { return prompts{}.orShipped() }

func (p prompts) orShipped() (_ prompts, err error) {
	for name, at := range map[string]*llm.Prompt{"intent": &p.Intent, "format": &p.ReplyFormat, "summary": &p.Summary,
		"neutral": &p.DefaultPersona} {
		if at.Text == "" {
			if *at, err = llm.LoadPrompt(shipped, "prompts/"+name+".md"); err != nil {
				return p, err
			}
		}
	}
	if p.AgentPersonas == nil {
		p.AgentPersonas, err = shippedAgents()
	}
	return p, err
}

func shippedAgents() (list []llm.Prompt, err error) {
	entries, err := shipped.ReadDir("prompts/agents")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		p, err := llm.LoadPrompt(shipped, path.Join("prompts/agents", e.Name()))
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// persona returns the persona of an agent, or the neutral one.
func (p prompts) persona(name string) llm.Prompt {
	if p.PersonaOverride.Text != "" {
		return p.PersonaOverride
	}
	if i := p.find(name); i >= 0 {
		return p.AgentPersonas[i]
	}
	return p.DefaultPersona
}

func (p prompts) find(name string) int {
	return slices.IndexFunc(p.AgentPersonas, func(a llm.Prompt) bool { return a.Name == name })
}

// Hash identifies the texts of all prompts. Runs with different hashes are not comparable.
func (p prompts) Hash() string {
	var b strings.Builder
	for _, one := range append([]llm.Prompt{p.Intent, p.ReplyFormat, p.Summary, p.PersonaOverride, p.DefaultPersona},
		p.AgentPersonas...) {
		b.WriteString(one.Hash)
	}
	return b.String()
}
