package toolrouter

import (
	"embed"

	"evalctl/agent/llm"
)

//go:embed prompts/*.md
var shipped embed.FS

// Prompts are what the models are told. Zero ones stand for the shipped.
type Prompts struct {
	Router  llm.Prompt // demands the decision as JSON
	Improve llm.Prompt // turns a request into a prompt for pictures
	Vision  llm.Prompt // has a picture described
	Chat    llm.Prompt // stands before a conversation that has no system message
}

// ShippedPrompts reads the prompts that come with the package.
func ShippedPrompts() (p Prompts, err error) {
	return Prompts{}.orShipped()
}

func (p Prompts) orShipped() (Prompts, error) {
	for name, at := range map[string]*llm.Prompt{
		"router": &p.Router, "improve": &p.Improve, "vision": &p.Vision, "chat": &p.Chat,
	} {
		if at.Text != "" {
			continue
		}
		var err error
		if *at, err = llm.LoadPrompt(shipped, "prompts/"+name+".md"); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Hash is the prompts' version: a run with another one is another run.
func (p Prompts) Hash() string {
	return p.Router.Hash + p.Improve.Hash + p.Vision.Hash + p.Chat.Hash
}
