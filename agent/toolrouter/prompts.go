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
	for _, of := range []struct {
		name   string
		prompt *llm.Prompt
	}{{"router", &p.Router}, {"improve", &p.Improve}, {"vision", &p.Vision}, {"chat", &p.Chat}} {
		if of.prompt.Text != "" {
			continue
		}
		var err error
		if *of.prompt, err = llm.LoadPrompt(shipped, "prompts/"+of.name+".md"); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Hash is the prompts' version: a run with another one is another run.
func (p Prompts) Hash() string {
	return p.Router.Hash + p.Improve.Hash + p.Vision.Hash + p.Chat.Hash
}
