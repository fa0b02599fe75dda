package studio

import (
	"cmp"
	"embed"

	"evalctl/agent/llm"
)

//go:embed prompts/*.md
var shipped embed.FS

// Prompts are what the models are told: templates. Zero ones stand for the
// shipped.
type Prompts struct {
	Planner llm.Prompt // demands the plan as JSON; may use .Mask and .Canvas, which tell whether there is one
	Review  llm.Prompt // demands the verdict as JSON; may use .Action, .Subject, .Style and .Prompt
}

// ShippedPrompts reads the prompts that come with the package for a profile.
func ShippedPrompts(p Profile) (Prompts, error) {
	return Prompts{}.orShipped(p)
}

func (p Prompts) orShipped(profile Profile) (_ Prompts, err error) {
	if p.Planner.Text == "" {
		if p.Planner, err = llm.LoadPrompt(shipped, "prompts/planner_"+string(cmp.Or(profile, V2))+".md"); err != nil {
			return p, err
		}
	}
	if p.Review.Text == "" {
		p.Review, err = llm.LoadPrompt(shipped, "prompts/review.md")
	}
	return p, err
}

// Hash is the prompts' version: a run with another one is another run.
func (p Prompts) Hash() string { return p.Planner.Hash + p.Review.Hash }

// check finds what would fail in every turn.
func (p Prompts) check() error {
	if _, err := p.Planner.Fill(planning{}); err != nil {
		return err
	}
	_, err := p.Review.Fill(reviewing{})
	return err
}

// planning is what the planner's prompt may use.
type planning struct{ Mask, Canvas bool }

// reviewing is what the critic's prompt may use.
type reviewing struct{ Action, Subject, Style, Prompt string }
