package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/agent"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// talkFlags say which agent is talked to, by chat and by serve, and what
// stands behind it.
type talkFlags struct {
	router, profile, critic, painter string
	model                            string
	endpointFlags
	real, faults []string
	seed         uint64
}

func (f *talkFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.router, "router", "", "`WHO` decides in toolrouter: "+join(suite.Routers())+" (llm-first)")
	flags.StringVar(&f.profile, "profile", "", "`VERSION` of studio: "+join(suite.Profiles())+" (v2)")
	flags.StringVar(&f.critic, "critic", "", "`WHO` reviews in studio: "+join(suite.Critics())+" (heuristic)")
	flags.StringVar(&f.painter, "painter", "", "`WHO` paints in studio: "+join(suite.Painters())+" (placeholder)")
	flags.StringVar(&f.model, "model", "", "real chat model `NAME` or PROVIDER:NAME ("+join(hosted())+")")
	flags.StringVar(&f.baseURL, "base-url", "", "OpenAI-compatible `URL` of the model")
	flags.StringVar(&f.keyEnv, "api-key-env", "", "environment `VARIABLE` that holds the model's API key")
	flags.StringArrayVar(&f.real, "real", nil, "real `COMPONENT=PROVIDER:NAME`, as in image=dashscope:qwen-image-max; the key comes from the provider's usual variable")
	flags.StringSliceVar(&f.faults, "fault", nil, "injected fault `COMPONENT:KIND[@N|%P]` of what is simulated")
	flags.Uint64Var(&f.seed, "seed", 1, "`SEED` of all that is random")
}

// talkers makes the agents: each with mocks of its own behind whatever is not
// real, in real time.
func (f *talkFlags) talkers(targets []string) (map[string]agent.Agent, error) {
	if err := f.check(targets); err != nil {
		return nil, err
	}
	agents := map[string]agent.Agent{}
	for _, target := range targets {
		a, err := f.talker(target)
		if err != nil {
			return nil, err
		}
		agents[target] = a
	}
	return agents, nil
}

func (f *talkFlags) talker(target string) (agent.Agent, error) {
	s, err := f.suite(target)
	if err != nil {
		return nil, err
	}
	schema, err := targetSchema(target)
	if err != nil {
		return nil, err
	}
	known := labelsOf(schema)
	if known.guess, err = guessFor(target); err != nil {
		return nil, err
	}
	w, err := newWorld(s, known, outside())
	if err != nil {
		return nil, err
	}
	v := s.Variants[0]
	t := eval.Trial{Cell: &eval.Cell{Fault: cmp.Or(strings.Join(s.Faults, "+"), eval.NoFault)}, Seed: f.seed}
	link, err := w.connect(t, v)
	if err != nil {
		return nil, err
	}
	return s.Agent(v, t.Noise(), link)
}

// suite is the target's shipped suite with one variant, as the flags have it.
func (f *talkFlags) suite(target string) (suite.Suite, error) {
	s, err := suite.Load(target)
	if err != nil {
		return s, err
	}
	v := suite.Plain(target)
	if suite.Has(target, "router") {
		v.Router = cmp.Or(f.router, v.Router)
	}
	if suite.Has(target, "profile") {
		v.Profile, v.Critic, v.Painter = cmp.Or(f.profile, v.Profile), f.critic, f.painter
	}
	if f.model != "" {
		if _, err := f.withModel(&v, f.model); err != nil {
			return s, flagError("model", err)
		}
	}
	for _, text := range f.real {
		if err := makeReal(&s, &v, text); err != nil {
			return s, flagError("real", err)
		}
	}
	s.Faults = f.faultsOf(target)
	s.Variants = []suite.Variant{v}
	// A talking partner is right as often as it can be.
	m := s.Models["router"]
	m.Accuracy, m.Slots = 1, 1
	s.Models["router"] = m
	return s, s.Check()
}

// faultsOf are those that can strike an agent, all at once: agents that are
// served together do not have the same components.
func (f *talkFlags) faultsOf(target string) []string {
	var mine []string
	for part := range strings.SplitSeq(strings.Join(f.faults, "+"), "+") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), ":")
		if strikable(target, name) {
			mine = append(mine, part)
		}
	}
	if mine == nil {
		return nil
	}
	return []string{strings.Join(mine, "+")}
}

// makeReal has a component reached at its provider's own address, by a variant
// that makes use of it.
func makeReal(s *suite.Suite, v *suite.Variant, text string) error {
	component, model, ok := strings.Cut(text, "=")
	p, name := llm.SplitModel(model)
	switch {
	case !ok || name == "":
		return fmt.Errorf("%q is no COMPONENT=PROVIDER:NAME, as in image=dashscope:qwen-image-max", text)
	case !slices.Contains(suite.Components(s.Target), component):
		return nil // of another agent
	case p.BaseURL == "":
		return fmt.Errorf("%s: %w", text, missingProvider(model))
	}
	m := suite.Model{Model: model, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv}
	if component == "image" {
		m.BaseURL = imagegen.DefaultBaseURL
	}
	s.Models[component] = m
	if suite.Has(s.Target, "painter") {
		reachOut(v, component)
	}
	if !s.Reaches(*v, component) || component == "image" && suite.Has(s.Target, "painter") && v.Painter != "dashscope" {
		return fmt.Errorf("%s: %s makes no use of it with these settings", text, s.Target)
	}
	return nil
}

// reachOut has a studio that would paint or embed by itself ask for it, unless
// it was told who does.
func reachOut(v *suite.Variant, component string) {
	switch component {
	case "image":
		v.Painter = cmp.Or(v.Painter, "dashscope")
	case "embedding":
		v.Embedder = cmp.Or(v.Embedder, "api")
	}
}

// check finds bad values while the flag that holds them is known.
func (f *talkFlags) check(targets []string) error {
	for _, c := range []struct {
		flag, value string
		known       []string
	}{
		{"router", f.router, suite.Routers()},
		{"profile", f.profile, suite.Profiles()},
		{"critic", f.critic, suite.Critics()},
		{"painter", f.painter, suite.Painters()},
	} {
		switch {
		case c.value == "":
		case !slices.Contains(c.known, c.value):
			return flagError(c.flag, unknown(c.flag, c.value, c.known))
		case !slices.ContainsFunc(targets, func(t string) bool { return suite.Has(t, c.flag) }):
			return flagError(c.flag, fmt.Errorf("%s has none", join(targets)))
		}
	}
	if err := cmp.Or(f.wantsModel(f.model != ""), f.checkFlags()); err != nil {
		return err
	}
	if err := each(f.faults, checkFault); err != nil {
		return flagError("fault", err)
	}
	if err := f.checkStruck(targets); err != nil {
		return flagError("fault", err)
	}
	return f.checkReal(targets)
}

// checkStruck finds a fault that strikes none of the agents.
func (f *talkFlags) checkStruck(targets []string) error {
	for part := range strings.SplitSeq(strings.Join(f.faults, "+"), "+") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), ":")
		if name != "" && !slices.ContainsFunc(targets, func(t string) bool { return strikable(t, name) }) {
			return fmt.Errorf("%q: %s has no %s", part, join(targets), name)
		}
	}
	return nil
}

// checkReal finds a component that none of the agents has.
func (f *talkFlags) checkReal(targets []string) error {
	var known []string
	for _, t := range targets {
		known = append(known, suite.Components(t)...)
	}
	for _, text := range f.real {
		component, _, _ := strings.Cut(text, "=")
		if err := checkKnown("component", component, known); err != nil {
			return flagError("real", err)
		}
	}
	return nil
}

// checkTargets finds an agent that there is not.
func checkTargets(names []string) error {
	for _, name := range names {
		if err := checkKnown("agent", name, suite.Targets()); err != nil {
			return err
		}
	}
	return nil
}

// providersHelp tells where keys are looked for.
func providersHelp() string {
	var parts []string
	for _, p := range llm.Providers() {
		if p.KeyEnv != "" {
			parts = append(parts, p.Name+" "+p.KeyEnv)
		}
	}
	return strings.Join(parts, ", ")
}
