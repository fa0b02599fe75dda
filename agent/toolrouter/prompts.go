package toolrouter

import (
	"embed"

	"evalctl/agent/llm"
)

//go:embed prompts/*.md
var shipped embed.FS

// Prompts are the system prompts of the models. An empty prompt is replaced by the shipped one.
type Prompts struct {
	Router  llm.Prompt // requests the decision as JSON
	Improve llm.Prompt // turns a request into an image prompt
	Vision  llm.Prompt // requests a description of a picture
	Chat    llm.Prompt // used if the conversation has no system message
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

// Hash is the version of the prompts. A different hash means a different run configuration.
func (p Prompts) Hash() string {
	return p.Router.Hash + p.Improve.Hash + p.Vision.Hash + p.Chat.Hash
}
