package toolrouter

import (
	"encoding/json"
	"fmt"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/system"
	"evalctl/agent/toolrouter/intent"
)

// System returns the declaration of the tool router for the list of systems.
func System() system.System {
	return system.System{
		Name:    "toolrouter",
		Summary: "routes messages to image generation, web search, the clock or plain chat",
		Examples: []string{
			"run toolrouter --router llm-first --threshold 0.5,0.6,0.7",
			"run toolrouter --base-url http://127.0.0.1:8000/v1 --model my-model --prompt a.md,b.md",
			"run --target toolrouter --router rules --dataset cases.jsonl --out results",
			"run toolrouter --gate 'route.accuracy{variant=llm-first, fault=none} >= 90%'",
			"chat toolrouter --model deepseek:deepseek-v4-flash --without search+image+vision",
			"serve toolrouter --addr 127.0.0.1:8088",
			"show results tr-img-001",
			"show results tr-img-001 --variant llm-first --fault image:server_error",
		},
		Contract: system.Contract{
			LabelField:      "route",
			Labels:          Routes(),
			Options:         []string{"agent", "image_gen", "web_search", "dashscope_key"},
			AttributeFields: []string{visionAttribute},
			ValueChecks:     map[string]func([]string) error{visionAttribute: checkVision},
			StateFields: map[string]func(json.RawMessage) error{
				zoneField: func(raw json.RawMessage) error { _, err := clock.ZoneFromJSON(raw); return err }},
		},
		Components: []system.Component{
			{Name: "router", Role: system.RoleRouter, UsedIf: callsModel},
			{Name: "chat", Role: system.RoleChat},
			{Name: "vision", Role: system.RoleVision, UsedIf: system.IfIncluded("vision")},
			{Name: "search", Role: system.RoleSearchModel, UsedIf: system.IfIncluded("search")},
			{Name: "image", Role: system.RoleImage, UsedIf: system.IfIncluded("image")},
		},
		Settings: []system.Setting{
			{Name: "router", Help: "`ROUTER` that decides",
				Values:  []string{string(ModeRules), string(ModeLLM), string(ModeLLMFirst)},
				Default: string(ModeLLMFirst)},
			{Name: "prompt", IsPrompt: true, Help: "`FILE` with the prompt of the deciding model", IsFile: true,
				Check: system.CheckPlainPromptFile, UsedIf: callsModel},
			{Name: "threshold", Help: "confidence from `0..1` below which the rules of llm-first decide",
				Default: fmt.Sprint(defaultThreshold), IsThreshold: true,
				Check:  system.CheckNumber(0, 1),
				UsedIf: func(v system.SettingValues) bool { return v["router"] == string(ModeLLMFirst) }},
			{Name: "history", Help: "`N` earlier turns of the conversation shown to the deciding model", Default: "0",
				ChatDefault: "4",
				Check:       system.CheckInteger(0, maxHistory), UsedIf: callsModel},
			{Name: "time-zone", Help: "time `ZONE` of users whose request has none, such as Asia/Shanghai",
				Check: func(name string) error { _, err := clock.LoadZone(name); return err }},
			{Name: "image-rewrite-prompt", IsPrompt: true,
				Help: "`FILE` with the prompt that turns a request into an image prompt", IsFile: true,
				Check: system.CheckPlainPromptFile},
			{Name: "vision-prompt", IsPrompt: true, Help: "`FILE` with the prompt of the model that describes images",
				IsFile: true, Check: system.CheckPlainPromptFile},
			{Name: "chat-prompt", IsPrompt: true, Help: "`FILE` with the prompt of the chat model", IsFile: true,
				Check: system.CheckPlainPromptFile},
			{Name: "search-prompt", IsPrompt: true, Help: "`FILE` with the prompt of a search for facts", IsFile: true,
				Check: isSearchPrompt},
			{Name: "search-fallback-prompt", IsPrompt: true, Help: "`FILE` with the prompt of a search that found none",
				IsFile: true, Check: isSearchPrompt},
			system.ExcludeComponentsSetting("search", "image", "vision"),
		},
		DecisionSources:      []string{"llm", "rules", "guard"},
		SupportsDecisionOnly: true,
		NewRuleDecider:       rulesDecider,
		Open:                 open,
	}
}

// visionAttribute is the field of a case, and the attribute of a reply, that states whether the turn is
// answered with a look at an image: yes or no.
const visionAttribute = "vision"

func checkVision(values []string) error {
	for _, v := range values {
		if v != "yes" && v != "no" {
			return fmt.Errorf("%.40q is neither yes nor no", v)
		}
	}
	return nil
}

func callsModel(v system.SettingValues) bool { return v["router"] != string(ModeRules) }

// rulesDecider returns the keyword rules. The simulated decider applies them to texts that no case
// labels.
func rulesDecider(system.Options) (func(string) system.Decision, error) {
	return func(text string) system.Decision {
		route, _ := intent.Decide(text, allRoutes)
		return system.Decision{Label: routeName(route)}
	}, nil
}

func isSearchPrompt(path string) error {
	_, err := search.LoadPromptFile(path)
	return err
}

// open reads the prompts of a variant once, before any trial. A prompt that the variant does not
// set is the built-in one.
func open(o system.Options) (system.LoadedVariant, error) {
	prompts, err := ShippedPrompts()
	if err != nil {
		return system.LoadedVariant{}, err
	}
	searchPrompts, err := search.ShippedPrompts()
	if err != nil {
		return system.LoadedVariant{}, err
	}
	texts := map[string]string{}
	for _, own := range []struct {
		setting string
		at      *llm.Prompt
		load    func(string) (llm.Prompt, error)
	}{
		{"prompt", &prompts.Router, llm.LoadPlainPromptFile},
		{"image-rewrite-prompt", &prompts.ImageRewrite, llm.LoadPlainPromptFile},
		{"vision-prompt", &prompts.Vision, llm.LoadPlainPromptFile},
		{"chat-prompt", &prompts.Chat, llm.LoadPlainPromptFile},
		{"search-prompt", &searchPrompts.Extract, search.LoadPromptFile},
		{"search-fallback-prompt", &searchPrompts.Fallback, search.LoadPromptFile},
	} {
		if file := o.SettingValues[own.setting]; file != "" {
			if *own.at, err = own.load(file); err != nil {
				return system.LoadedVariant{}, fmt.Errorf("%s: %w", own.setting, err)
			}
		}
		texts[own.setting] = own.at.Text
	}
	intent.CompileRules()
	threshold := o.Number("threshold")
	cfg := Config{
		Mode:         RoutingMode(o.SettingValues["router"]),
		Threshold:    &threshold,
		HistoryTurns: int(o.Number("history")),
		Prompts:      prompts,
		DecisionOnly: o.DecisionOnly,
		Disabled:     DisabledFeatures{WebSearch: !o.HasComponent("search"), ImageGen: !o.HasComponent("image")},
		NoVision:     !o.HasComponent("vision"),
	}
	if name := o.SettingValues["time-zone"]; name != "" {
		if cfg.Zone, err = clock.LoadZone(name); err != nil {
			return system.LoadedVariant{}, fmt.Errorf("time-zone: %w", err)
		}
	}
	version := prompts.Hash() + searchPrompts.Hash()
	if cfg.DecisionOnly && cfg.Mode == ModeRules { // without a model, all trials can share one agent
		rules, err := New(cfg)
		return system.LoadedVariant{Version: version, Prompts: texts,
			NewAgent: func(uint64, func(string) system.Endpoint) (agent.Agent, error) { return rules, nil }}, err
	}
	return system.LoadedVariant{Version: version, Prompts: texts,
		NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			return cfg.connect(seed, link, searchPrompts)
		}}, nil
}

// connect returns an agent with clients for one trial. With DecisionOnly, only the deciding model
// has a client.
func (cfg Config) connect(seed uint64, link func(string) system.Endpoint, searchPrompts search.Prompts) (agent.Agent,
	error) {
	clients := []client{{"router", "router", decisionLimits, &cfg.Router}}
	if !cfg.DecisionOnly {
		clients = append(clients, client{"chat", "chat", answerLimits, &cfg.Chat},
			client{"improve", "chat", decisionLimits, &cfg.PromptRewriter})
		if !cfg.NoVision {
			clients = append(clients, client{"vision", "vision", answerLimits, &cfg.Vision})
		}
	}
	for _, c := range clients {
		c.cfg.Node, c.cfg.Seed = c.node, seed
		var err error
		if *c.at, err = link(c.part).NewClient(c.cfg); err != nil {
			return nil, err
		}
	}
	if cfg.DecisionOnly {
		return New(cfg)
	}
	return cfg.connectTools(seed, link, searchPrompts)
}

type client struct {
	node, part string
	cfg        llm.Config
	at         **llm.Client
}

// decisionLimits and answerLimits configure the model calls of a turn. The routing decision has a
// shorter timeout than the answer, because the rules can replace it.
var decisionLimits, answerLimits = llm.Config{Timeout: DecisionTimeout}, llm.Config{}

// connectTools adds the clients for web search and image generation, and returns the agent.
func (cfg Config) connectTools(seed uint64, link func(string) system.Endpoint,
	searchPrompts search.Prompts) (agent.Agent,
	error) {
	var err error
	if !cfg.Disabled.WebSearch {
		found := link("search")
		cfg.Search, err = search.New(search.Config{
			Provider: found.Provider,
			Model:    found.Model,
			BaseURL:  found.BaseURL,
			APIKey:   found.APIKey,
			HTTP:     found.HTTP,
			Seed:     seed,
			Timeout:  SearchTimeout,
			Prompts:  searchPrompts,
		})
		if err != nil {
			return nil, err
		}
	}
	if !cfg.Disabled.ImageGen {
		drawn := link("image")
		cfg.Image, err = imagegen.New(imagegen.Config{
			Model:   drawn.Model,
			BaseURL: drawn.BaseURL,
			APIKey:  drawn.APIKey,
			HTTP:    drawn.HTTP,
			Seed:    seed,
			Async:   drawn.AsyncTasks,
		})
		if err != nil {
			return nil, err
		}
	}
	return New(cfg)
}
