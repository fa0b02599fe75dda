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

// The supervisor's built-in prompts: the minimum; with the four required parts; and with examples
// in addition.
const (
	minimal  = "minimal"
	complete = "complete"
	fewShot  = "few-shot"
)

// Prompts are the prompt templates. They may use .Ask (whether questions to the user are allowed)
// and .Quality (the minimum score of every dimension). Missing prompts are replaced by the built-in
// ones.
type Prompts struct {
	Supervisor llm.Prompt
	Agents     map[string]llm.Prompt // by agent name
}

// orShipped fills in the built-in prompts. supervisor selects the supervisor's prompt; "":
// few-shot.
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

// promptsOf are the built-in prompts, replaced by the files that the settings name.
func promptsOf(v system.Values) (p Prompts, err error) {
	load := func(setting string) (own llm.Prompt) {
		if path := v[setting]; path != "" && err == nil {
			if own, err = llm.LoadPromptFile(path); err == nil {
				_, err = own.Fill(prompting{})
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

// Hash is the version of the prompts. Runs with different versions are not comparable.
func (p Prompts) Hash() string {
	hash := p.Supervisor.Hash
	for _, name := range slices.Sorted(maps.Keys(p.Agents)) {
		hash += p.Agents[name].Hash
	}
	return hash
}

// check returns an error for a template that would fail in every turn.
func (p Prompts) check() error {
	if _, err := p.Supervisor.Fill(prompting{}); err != nil {
		return fmt.Errorf("newsroom.Config.Prompts: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Agents)) {
		if _, err := p.Agents[name].Fill(prompting{}); err != nil {
			return fmt.Errorf("newsroom.Config.Prompts: %w", err)
		}
	}
	return nil
}

// prompting is the data of a prompt template.
type prompting struct {
	Ask     bool
	Quality float64
}
