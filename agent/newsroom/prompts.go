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

// The supervisor's shipped prompts: what must be said and no more, with the four
// parts that it should have, and with worked examples besides.
const (
	minimal  = "minimal"
	complete = "complete"
	fewShot  = "few-shot"
)

// Prompts are what the models are told: templates, which may use .Ask, that tells
// whether the user may be asked, and .Quality, the score that every dimension must
// have. Those that are not given stand for the shipped.
type Prompts struct {
	Supervisor llm.Prompt
	Agents     map[string]llm.Prompt // by the agents' names
}

// orShipped has the prompts that come with the package where none are given, the
// supervisor's of that name; "": few-shot.
func (p Prompts) orShipped(supervisor string) (_ Prompts, err error) {
	if p.Supervisor.Text == "" {
		if p.Supervisor, err = llm.LoadPrompt(shipped, "prompts/supervisor_"+cmp.Or(supervisor, fewShot)+".md"); err != nil {
			return p, err
		}
	}
	given := p.Agents
	p.Agents = map[string]llm.Prompt{}
	for _, r := range roles() {
		own := given[r.name]
		if own.Text == "" {
			if own, err = llm.LoadPrompt(shipped, "prompts/"+r.part+".md"); err != nil {
				return p, err
			}
		}
		p.Agents[r.name] = own
	}
	return p, nil
}

// promptsOf are the shipped ones, and in their places those in the files that the
// settings name.
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

// Hash is the prompts' version: a run with another one is another run.
func (p Prompts) Hash() string {
	hash := p.Supervisor.Hash
	for _, name := range slices.Sorted(maps.Keys(p.Agents)) {
		hash += p.Agents[name].Hash
	}
	return hash
}

// check finds what would fail in every turn.
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

// prompting is what a prompt may use.
type prompting struct {
	Ask     bool
	Quality float64
}
