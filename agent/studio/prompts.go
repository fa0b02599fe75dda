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

// Prompts are what the models are told: templates. Zero ones stand for the
// shipped.
type Prompts struct {
	Planner llm.Prompt // demands the plan as JSON; may use .Mask and .Canvas, which tell whether there is one
	Again   llm.Prompt // v1: follows Planner after an answer that is no plan; may use the same
	Review  llm.Prompt // demands the verdict as JSON; may use .Action, .Subject, .Style and .Prompt
}

// ShippedPrompts reads the prompts that come with the package for a profile.
func ShippedPrompts(p Profile) (Prompts, error) {
	return Prompts{}.orShipped(p)
}

func (p Prompts) orShipped(profile Profile) (_ Prompts, err error) {
	load := func(at *llm.Prompt, name string) {
		if err == nil && at.Text == "" {
			*at, err = llm.LoadPrompt(shipped, "prompts/"+name+".md")
		}
	}
	load(&p.Planner, "planner_"+string(cmp.Or(profile, V2)))
	load(&p.Review, "review")
	if profile == V1 {
		load(&p.Again, "again")
	}
	return p, err
}

// promptsOf are the shipped ones, and in their places those in the files that the
// settings name.
func promptsOf(profile Profile, v system.Values) (Prompts, error) {
	p, err := ShippedPrompts(profile)
	for _, place := range []struct {
		setting string
		prompt  *llm.Prompt
	}{{"prompt", &p.Planner}, {"plan-retry-prompt", &p.Again}, {"review-prompt", &p.Review}} {
		if file := v[place.setting]; err == nil && file != "" {
			*place.prompt, err = llm.LoadPromptFile(file)
		}
	}
	if profile != V1 {
		p.Again = llm.Prompt{} // which nobody would ask with
	}
	return p, err
}

// Hash is the prompts' version: a run with another one is another run.
func (p Prompts) Hash() string { return p.Planner.Hash + p.Again.Hash + p.Review.Hash }

// check finds what would fail in every turn.
func (p Prompts) check() error {
	_, planner := p.Planner.Fill(planning{})
	_, again := p.Again.Fill(planning{})
	_, review := p.Review.Fill(reviewing{})
	return errors.Join(planner, again, review)
}

// planning is what the planner's prompt may use.
type planning struct{ Mask, Canvas bool }

// reviewing is what the critic's prompt may use.
type reviewing struct{ Action, Subject, Style, Prompt string }
