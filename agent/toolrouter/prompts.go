package toolrouter

import (
	"embed"

	"evalctl/agent/llm"
)

//go:embed prompts/*.md
var shipped embed.FS

// Prompts contains the system prompts of the router's models. An empty prompt is replaced by the
// built-in one.
type Prompts struct {
	Router       llm.Prompt // prompt of the model that chooses the route
	ImageRewrite llm.Prompt // prompt of the model that writes image prompts
	Vision       llm.Prompt // prompt of the model that describes images
	Chat         llm.Prompt // prompt of the chat model, for conversations without a system message
}

// ShippedPrompts returns the built-in prompts.
func ShippedPrompts() (p Prompts, err error) {
	return Prompts{}.orShipped()
}

func (p Prompts) orShipped() (Prompts, error) {
	for _, of := range []struct {
		name   string
		prompt *llm.Prompt
	}{{"router", &p.Router}, {"improve", &p.ImageRewrite}, {"vision", &p.Vision}, {"chat", &p.Chat}} {
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

// Hash returns a hash of all prompts. Runs with different hashes have different configurations.
func (p Prompts) Hash() string {
	return p.Router.Hash + p.ImageRewrite.Hash + p.Vision.Hash + p.Chat.Hash
}
