package suite

import (
	"cmp"

	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/toolrouter"
	"evalctl/eval"
	"evalctl/eval/target"
)

// promptHash is the version of all prompts that a variant's models are given.
func promptHash(p toolrouter.Prompts) (string, error) {
	looks, err := search.ShippedPrompts()
	if err != nil {
		return "", err
	}
	hash := p.Hash()
	for _, l := range looks {
		hash += l.Hash
	}
	return hash, nil
}

// prompts are a variant's prompts: its own router prompt beside the shipped.
func (s Suite) prompts(v Variant) (toolrouter.Prompts, error) {
	p, err := toolrouter.ShippedPrompts()
	if err != nil || v.Prompt == "" {
		return p, err
	}
	p.Router, err = llm.LoadPromptFile(s.Path(v.Prompt))
	return p, err
}

// toolRouter is the whole agent system of a trial: every client is its own.
func (s Suite) toolRouter(t eval.Trial, v Variant, prompts toolrouter.Prompts, link func(string) Link) (eval.Target, error) {
	cfg := toolrouter.Config{Mode: toolrouter.Mode(v.Router), Threshold: v.Threshold, Prompts: prompts}
	var err error
	for node, at := range map[string]**llm.Client{
		"router": &cfg.Router, "chat": &cfg.Chat, "improve": &cfg.Improve, "vision": &cfg.Vision,
	} {
		if *at, err = chatClient(t, node, link); err != nil {
			return nil, err
		}
	}
	found := link("search")
	cfg.Search, err = search.New(search.Config{Provider: found.Provider, Model: found.Model,
		BaseURL: found.BaseURL, APIKey: found.APIKey, HTTP: found.HTTP, Seed: t.Noise(), Timeout: toolrouter.SearchTimeout})
	if err != nil {
		return nil, err
	}
	drawn := link("image")
	cfg.Image, err = imagegen.New(imagegen.Config{Model: drawn.Model, BaseURL: drawn.BaseURL,
		APIKey: drawn.APIKey, HTTP: drawn.HTTP, Seed: t.Noise(), Async: s.Models["image"].Task > 0})
	if err != nil {
		return nil, err
	}
	a, err := toolrouter.New(cfg)
	return target.Within{Target: target.System{Agent: a}, Limit: s.Timeout}, err
}

// chatClient makes the client of a node. Prompts for pictures are improved by
// the chat model.
func chatClient(t eval.Trial, node string, link func(string) Link) (*llm.Client, error) {
	component := node
	if node == "improve" {
		component = "chat"
	}
	// Nobody waits a minute to learn who will answer.
	timeout := llm.DefaultTimeout
	if node == "router" || node == "improve" {
		timeout = toolrouter.DecisionTimeout
	}
	l := link(component)
	return llm.New(llm.Config{Node: node, Provider: cmp.Or(l.Provider, llm.Generic), Model: l.Model,
		BaseURL: l.BaseURL, APIKey: l.APIKey, HTTP: l.HTTP, Seed: t.Noise(), Timeout: timeout})
}
