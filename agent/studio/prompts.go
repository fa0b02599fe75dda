package studio

import (
	"cmp"
	"embed"
	"errors"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

//go:embed prompts/*.md
var shipped embed.FS

// Prompts contains the templates of the system prompts. An empty template is replaced by the
// built-in prompt.
type Prompts struct {
	// requests a plan as JSON; {{.Mask}} and {{.Canvas}} report whether the turn has a mask or an
	// image
	Planner   llm.Prompt
	PlanRetry llm.Prompt // V1: appended to Planner after an invalid plan; has the same placeholders
	Review    llm.Prompt // requests the critic's verdict as JSON; placeholders .Action, .Subject, .Style and .Prompt
}

// ShippedPrompts returns the built-in prompts of a profile.
func ShippedPrompts(p Profile) (Prompts, error) {
	return Prompts{}.orShipped(p)
}

func (p Prompts) orShipped(profile Profile) (_ Prompts, err error) {
	load := func(at *llm.Prompt, name string) {
		if err == nil && at.Text == "" {
			*at, err = llm.LoadPrompt(shipped, "prompts/"+name+".md")
		}
	}
	load(&p.Planner, "planner_"+string(cmp.Or(profile, ProfileV2)))
	load(&p.Review, "review")
	if profile == ProfileV1 {
		load(&p.PlanRetry, "again")
	}
	return p, err
}

// promptsOf returns the prompts of a variant: those in its prompt files, and the built-in ones for
// the rest.
func promptsOf(profile Profile, v system.SettingValues) (Prompts, error) {
	p, err := ShippedPrompts(profile)
	for setting, prompt := range p.bySetting() {
		if file := v[setting]; err == nil && file != "" {
			*prompt, err = llm.LoadPromptFile(file)
		}
	}
	if profile != ProfileV1 {
		p.PlanRetry = llm.Prompt{} // V2 does not use it
	}
	return p, err
}

// bySetting returns the prompts by the setting that replaces each.
func (p *Prompts) bySetting() map[string]*llm.Prompt {
	return map[string]*llm.Prompt{"prompt": &p.Planner, "plan-retry-prompt": &p.PlanRetry, "review-prompt": &p.Review}
}

// Hash returns a hash of all prompts. Runs with different hashes are not comparable.
func (p Prompts) Hash() string { return p.Planner.Hash + p.PlanRetry.Hash + p.Review.Hash }

func (p Prompts) check() error {
	_, planner := p.Planner.Fill(planning{})
	_, again := p.PlanRetry.Fill(planning{})
	_, review := p.Review.Fill(reviewing{})
	return errors.Join(planner, again, review)
}

// planning contains the values of the placeholders in the planner's prompt.
type planning struct{ Mask, Canvas bool }

// reviewing contains the values of the placeholders in the critic's prompt.
type reviewing struct{ Action, Subject, Style, Prompt string }
