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

// Prompts are the prompt templates. Zero fields are replaced by the built-in ones.
type Prompts struct {
	Planner llm.Prompt // requests the plan as JSON; may use .Mask and .Canvas (whether there is one)
	Again   llm.Prompt // v1: follows Planner after an invalid plan; may use the same fields
	Review  llm.Prompt // requests the verdict as JSON; may use .Action, .Subject, .Style and .Prompt
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
	load(&p.Planner, "planner_"+string(cmp.Or(profile, V2)))
	load(&p.Review, "review")
	if profile == V1 {
		load(&p.Again, "again")
	}
	return p, err
}

// promptsOf are the built-in prompts, replaced by the files that the settings name.
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
		p.Again = llm.Prompt{} // not used
	}
	return p, err
}

// Hash is the version of the prompts. Runs with different versions are not comparable.
func (p Prompts) Hash() string { return p.Planner.Hash + p.Again.Hash + p.Review.Hash }

// check returns an error for a template that would fail in every turn.
func (p Prompts) check() error {
	_, planner := p.Planner.Fill(planning{})
	_, again := p.Again.Fill(planning{})
	_, review := p.Review.Fill(reviewing{})
	return errors.Join(planner, again, review)
}

// planning is the data of the planner's prompt.
type planning struct{ Mask, Canvas bool }

// reviewing is the data of the critic's prompt.
type reviewing struct{ Action, Subject, Style, Prompt string }
