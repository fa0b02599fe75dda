package suite

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/session"
	"evalctl/agent/studio"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// Profiles names the versions of the image studio.
func Profiles() []string { return words(studio.Profiles()) }

// Critics names those who may review the studio's pictures.
func Critics() []string { return words(studio.Critics()) }

// Painters names those who may paint for the studio.
func Painters() []string { return []string{"placeholder", "dashscope"} }

func words[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = string(w)
	}
	return texts
}

func imageStudio() system {
	return system{
		name:       "studio",
		components: []string{"router", "embedding", "knowledge", "image", "critic"},
		settings:   []string{"profile", "critic", "review", "library", "painter", "embedder"},
		plain:      Variant{Name: "v2", Profile: string(studio.V2)},
		check:      checkStudio,
		reaches:    studioReaches,
		talks:      studioTalks,
		open:       openStudio,
	}
}

func checkStudio(v Variant) error {
	for _, setting := range []struct {
		name, value string
		known       []string
	}{
		{"profile", v.Profile, Profiles()},
		{"critic", v.Critic, Critics()},
		{"painter", v.Painter, Painters()},
		{"embedder", v.Embedder, []string{"local", "api"}},
	} {
		if setting.value != "" && !slices.Contains(setting.known, setting.value) {
			return fmt.Errorf("%s: unknown %q (known: %s)", setting.name, setting.value, strings.Join(setting.known, ", "))
		}
	}
	return nil
}

// studioReaches leaves out what a variant does by itself.
func studioReaches(v Variant, component string) bool {
	switch component {
	case "critic":
		return v.Critic != "" && v.Critic != string(studio.Heuristic)
	case "embedding":
		return v.Embedder == "api"
	case "poll":
		return v.Painter == "dashscope"
	}
	return true
}

// studioTalks leaves a critic who looks at pictures to a model that can.
func studioTalks(v Variant, component string) bool {
	return component == "router" || component == "critic" && v.Critic == string(studio.LLM)
}

// openStudio reads a variant's prompts and indexes the library of styles.
func openStudio(s Suite, v Variant, link func(string) Link) (opened, error) {
	profile := studio.Profile(v.Profile)
	prompts, err := studio.ShippedPrompts(profile)
	if err == nil && v.Prompt != "" {
		prompts.Planner, err = llm.LoadPromptFile(s.Path(v.Prompt))
	}
	if err == nil && v.Review != "" {
		prompts.Review, err = llm.LoadPromptFile(s.Path(v.Review))
	}
	if err != nil {
		return opened{}, fmt.Errorf("prompt: %w", err)
	}
	lib, version, err := s.library(v, link)
	if err != nil {
		return opened{}, fmt.Errorf("style library: %w", err)
	}
	components, err := scorer.NewComponents(studio.Schema())
	if err != nil {
		return opened{}, err
	}
	return opened{
		version: prompts.Hash() + version,
		agent: func(noise uint64, link func(string) Link) (agent.Agent, error) {
			return s.studio(noise, v, prompts, lib, link)
		},
		scorers: func(fault string) []eval.Scorer {
			return []eval.Scorer{scorer.Route{Field: "action"}, scorer.Fallback{Fault: fault},
				scorer.Slot{Name: "subject"}, scorer.Slot{Name: "style"}, scorer.Retrieval{Field: "styles"},
				scorer.Order{Pattern: studio.Order(profile)}, components}
		},
	}, nil
}

// studio is a whole image studio with a memory for its sessions.
func (s Suite) studio(noise uint64, v Variant, prompts studio.Prompts, lib library, link func(string) Link) (agent.Agent, error) {
	profile := studio.Profile(v.Profile)
	cfg := studio.Config{Profile: profile, Critic: studio.Critic(v.Critic), Prompts: prompts, Seed: noise}
	var err error
	if cfg.Planner, err = link("router").client(llm.Config{Node: "planner", Seed: noise, Timeout: studio.PlannerTimeout}); err != nil {
		return nil, err
	}
	if studioReaches(v, "critic") {
		if cfg.Reviewer, err = link("critic").client(llm.Config{Node: "critic", Seed: noise, Timeout: studio.CriticTimeout}); err != nil {
			return nil, err
		}
	}
	embedder, err := embedderOf(v, noise, link)
	if err != nil {
		return nil, err
	}
	cfg.Styles = reach{lib, embedder, link("knowledge").Local}
	if cfg.Painter, err = s.painter(noise, v, link("image")); err != nil {
		return nil, err
	}
	a, err := studio.New(cfg)
	if err != nil {
		return nil, err
	}
	memory, err := session.New(session.Config{Refuse: profile == studio.V1})
	return &session.Agent{Agent: a, Store: memory, Busy: studio.Busy()}, err
}

func (s Suite) painter(noise uint64, v Variant, l Link) (studio.Painter, error) {
	profile := studio.Profile(v.Profile)
	if v.Painter != "dashscope" {
		return studio.Placeholder{Profile: profile, Seed: noise, Before: l.Local}, nil
	}
	client, err := imagegen.New(imagegen.Config{Node: "executor", Model: l.Model, BaseURL: l.BaseURL, APIKey: l.APIKey,
		HTTP: l.HTTP, Seed: noise, Retries: studio.PaintRetries(profile), Async: s.Models["image"].Task > 0})
	return studio.DashScope{Client: client}, err
}
