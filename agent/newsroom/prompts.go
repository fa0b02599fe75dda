package newsroom

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

//go:embed prompts/*.md
var shipped embed.FS

// The built-in prompts of the supervisor. minimal contains only the task, complete adds the four
// required sections, and few-shot adds examples.
const (
	minimal  = "minimal"
	complete = "complete"
	fewShot  = "few-shot"
)

// Prompts are the prompt templates of the supervisor and the agents. They may use .Ask (whether
// questions to the user are allowed) and .Quality (the lowest acceptable score). Missing prompts
// are replaced by the built-in ones.
type Prompts struct {
	Supervisor llm.Prompt
	Agents     map[string]llm.Prompt // by agent name
}

// orShipped replaces missing prompts with the built-in ones. supervisor is the name of the
// supervisor's built-in prompt; "" means few-shot.
func (p Prompts) orShipped(supervisor string) (_ Prompts, err error) {
	if p.Supervisor.Text == "" {
		if p.Supervisor, err = llm.LoadPrompt(shipped,
			"prompts/supervisor_"+cmp.Or(supervisor, fewShot)+".md"); err != nil {
			return p, err
		}
	}
	given := p.Agents
	p.Agents = map[string]llm.Prompt{}
	for _, r := range roles() {
		own := given[r.name]
		if own.Text == "" {
			if own, err = llm.LoadPrompt(shipped, "prompts/"+r.component+".md"); err != nil {
				return p, err
			}
		}
		p.Agents[r.name] = own
	}
	return p, nil
}

// promptsOf returns the prompts that the settings select: built-in ones, or files.
func promptsOf(v system.SettingValues) (p Prompts, err error) {
	load := func(setting string) (own llm.Prompt) {
		if path := v[setting]; path != "" && err == nil {
			if own, err = llm.LoadPromptFile(path); err == nil {
				_, err = own.Fill(promptData{})
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", setting, err)
			}
		}
		return own
	}
	p.Supervisor, p.Agents = load("prompt"), map[string]llm.Prompt{}
	for _, r := range roles() {
		p.Agents[r.name] = load(r.setting())
	}
	if err != nil {
		return p, err
	}
	return p.orShipped(v["supervisor-prompt"])
}

// texts returns the texts of the prompts by the setting that replaces each.
func (p Prompts) texts() map[string]string {
	texts := map[string]string{"prompt": p.Supervisor.Text}
	for _, r := range roles() {
		texts[r.setting()] = p.Agents[r.name].Text
	}
	return texts
}

// Hash returns the version of the prompts. Runs with different versions are not comparable.
func (p Prompts) Hash() string {
	hash := p.Supervisor.Hash
	for _, name := range slices.Sorted(maps.Keys(p.Agents)) {
		hash += p.Agents[name].Hash
	}
	return hash
}

// check returns an error if a template cannot be filled, because it would fail in every turn.
func (p Prompts) check() error {
	if _, err := p.Supervisor.Fill(promptData{}); err != nil {
		return fmt.Errorf("newsroom.Config.Prompts: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Agents)) {
		if _, err := p.Agents[name].Fill(promptData{}); err != nil {
			return fmt.Errorf("newsroom.Config.Prompts: %w", err)
		}
	}
	return nil
}

// promptData is the data that prompt templates can use.
type promptData struct {
	Ask     bool    // agents may put questions to the user
	Quality float64 // lowest acceptable score
}
