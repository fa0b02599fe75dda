package newsroom

import (
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/system"
)

// System returns the declaration of the newsroom for the list of systems: its settings, components
// and labels.
func System() system.System {
	return system.System{
		Name:    "newsroom",
		Summary: "a supervisor sends eight agents to write a post with pictures, until the review lets it go",
		Examples: []string{
			"run newsroom --supervisor-prompt minimal,complete,few-shot",
			"run newsroom --supervisor-prompt few-shot --fault router:fallback_label",
			"chat newsroom --store threads.db",
			"serve newsroom --model deepseek:deepseek-chat --without search --real reference=dashscope:qwen-vl-max --real image=dashscope:qwen-image-max",
		},
		Contract:             contract(),
		Components:           parts(),
		Settings:             settings(),
		DecisionSources:      []string{byLLM, byPrecondition, byReview, byLimit},
		SupportsDecisionOnly: true,
		NewRuleDecider:       newHeuristicDecider,
		SimulateNextDecision: simulateNext,
		AnswerFormat:         answerFormat,
		Open:                 open,
	}
}

func contract() system.Contract {
	return system.Contract{
		LabelField:        "next_agent",
		Labels:            DecisionLabels(),
		OtherRoutes:       []string{supervisorNode, servedClarification, servedExhausted, servedFailed},
		Options:           []string{singleStep},
		DecisionPathField: "path",
		ExtraLabelFields:  []string{"backtrack"},
		SimulatedFields: map[string]func(json.RawMessage) error{"simulated_reviews": checkReviews,
			"simulated_questions": checkQuestionKeys},
		StateFields:         stateChecks(),
		LabelDependsOnState: true,
	}
}

func parts() []system.Component {
	always := func(system.SettingValues) bool { return true }
	return []system.Component{
		{Name: "router", Role: system.RoleRouter, Node: supervisorNode},
		{Name: "brief", Role: system.RoleStructured, Node: briefAgent, Simulate: simulateBrief,
			MatchPrompt: matchesField("creativeBrief")},
		{Name: "research", Role: system.RoleStructured, Node: researchAgent, Simulate: simulateResearch,
			MatchPrompt: matchesField("evidencePack")},
		{Name: "layout", Role: system.RoleStructured, Node: layoutAgent, Simulate: simulateLayout,
			MatchPrompt: matchesField("layoutSpec")},
		{Name: "image_plan", Role: system.RoleStructured, Node: imagePlanAgent, Simulate: simulateImagePlan,
			MatchPrompt: matchesField("imagePlans")},
		{Name: "writer", Role: system.RoleStructured, Node: writerAgent, Simulate: simulateWriter,
			MatchPrompt: matchesField("generatedContent")},
		{Name: imageAgent, Role: system.RoleStructured, Node: imageAgent, Simulate: simulateImageAgent,
			MatchPrompt: matchesField("generatedImageAssetIds")},
		{Name: "search", Role: system.RoleSearchModel, UsedIf: system.IfIncluded("search")},
		{Name: "reference", Role: system.RoleVision, Node: referenceAgent, Simulate: simulateReference,
			MatchPrompt: matchesField("referenceAnalyses")},
		{Name: "image", Role: system.RoleImage, Node: imageNode, LocalProviderName: placeholder,
			RemoteSettings:      system.SettingValues{"image-generator": dashScope},
			LocalImplementation: localImageGenerator},
		{Name: "review", Role: system.RoleCritic, Node: reviewAgent, UsesVariantModel: always, Simulate: simulateReview,
			MatchPrompt: matchesField("reviewFeedback")},
		{Name: "checkpoint", Role: system.RoleStore, Node: checkpointNode, LocalProviderName: checkpointNode,
			LocalImplementation: threadLocation},
	}
}

// matchesField returns a function that recognizes an agent's prompt, built-in or custom, by the
// JSON field that only this agent returns.
func matchesField(field string) func(string) bool {
	return func(prompt string) bool { return strings.Contains(prompt, `"`+field+`"`) }
}

func localImageGenerator(v system.SettingValues) string {
	if v["image-generator"] == dashScope {
		return ""
	}
	return "placeholder pictures"
}

// threadLocation returns where conversations are stored, as text for the user.
func threadLocation(v system.SettingValues) string {
	if v["store"] != "" {
		return "the file " + v["store"]
	}
	return "memory"
}

func settings() []system.Setting {
	list := []system.Setting{
		{Name: "supervisor-prompt", IsPrompt: true, Help: "`PROMPT` of the supervisor, of those that are shipped",
			Values: []string{minimal, complete, fewShot}, Default: fewShot,
			UsedIf: func(v system.SettingValues) bool { return v["prompt"] == "" }},
		{Name: "prompt", IsPrompt: true, Help: "`FILE` with the prompt of the deciding model", IsFile: true,
			Check: system.CheckPromptFile},
		{Name: "max-iterations", Help: "`N` decisions of the supervisor, after which it ends",
			Default: fmt.Sprint(defaultIterations), Check: system.CheckInteger(1, iterationLimit)},
		{Name: "quality-threshold", Help: "score from `0..1` that every dimension must have",
			Default: fmt.Sprint(defaultQuality), Check: system.CheckNumber(0.01, 1)},
		{Name: "max-clarification-rounds", Help: "`N` rounds of questions to the user",
			Default: fmt.Sprint(defaultRounds), Check: system.CheckInteger(1, 10),
			UsedIf: func(v system.SettingValues) bool { return v["clarification"] != "off" }},
		{Name: "clarification", Help: "`WHETHER` agents may ask the user", Values: []string{"on", "off"},
			Default: "on"},
		{Name: "image-generator", Help: "`GENERATOR` of images", Values: []string{placeholder, dashScope},
			Default: placeholder},
		{Name: "store", Help: "`FILE` with the threads of conversations", IsFile: true, IsPersistent: true},
	}
	for _, r := range roles() {
		list = append(list, system.Setting{
			Name:     r.setting(),
			IsPrompt: true,
			Help:     "`FILE` with the prompt of the " + strings.ReplaceAll(r.name, "_", " "),
			IsFile:   true,
			Check:    system.CheckPromptFile,
		})
	}
	return append(list, system.ExcludeComponentsSetting("search"))
}

// open loads the prompts of a variant and opens its storage of conversations.
func open(o system.Options) (system.LoadedVariant, error) {
	prompts, err := promptsOf(o.SettingValues)
	if err != nil {
		return system.LoadedVariant{}, err
	}
	threads, err := openThreads(o.SettingValues["store"])
	if err != nil {
		return system.LoadedVariant{}, err
	}
	cfg := Config{
		Prompts:              prompts,
		MaxIterations:        int(o.Number("max-iterations")),
		QualityThreshold:     o.Number("quality-threshold"),
		MaxQuestionRounds:    int(o.Number("max-clarification-rounds")),
		DisableClarification: o.SettingValues["clarification"] == "off",
		Threads:              threads,
		DecisionOnly:         o.DecisionOnly,
		NoSearch:             !o.HasComponent("search"),
	}
	return system.LoadedVariant{Version: prompts.Hash(), Prompts: prompts.texts(),
		NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			return cfg.connect(o.SettingValues, seed, link)
		}}, nil
}

// connect creates a newsroom Agent with clients for its models.
func (cfg Config) connect(v system.SettingValues, seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
	var err error
	if cfg.Supervisor, err = link("router").
		NewClient(llm.Config{Node: supervisorNode, Seed: seed, Timeout: decisionTimeout}); err != nil {
		return nil, err
	}
	cfg.Agents = map[string]*llm.Client{}
	for _, r := range roles() {
		if cfg.Agents[r.name], err = link(r.component).
			NewClient(llm.Config{Node: r.name, Seed: seed, Timeout: agentTimeout}); err != nil {
			return nil, err
		}
	}
	if !cfg.NoSearch {
		found := link("search")
		cfg.Search, err = search.New(search.Config{
			Provider: found.Provider,
			Model:    found.Model,
			BaseURL:  found.BaseURL,
			APIKey:   found.APIKey,
			HTTP:     found.HTTP,
			Seed:     seed,
			Timeout:  searchTimeout,
		})
		if err != nil {
			return nil, err
		}
	}
	if cfg.ImageGenerator, cfg.ImageGenerators, err = imageGeneratorsOf(v, seed, link("image")); err != nil {
		return nil, err
	}
	cfg.BeforeThreadAccess = link("checkpoint").BeforeCall
	return New(cfg)
}

// imageGeneratorsOf returns the configured image generator, and the generators that a state may
// select. If a real endpoint of DashScope is configured, a state cannot select placeholders.
func imageGeneratorsOf(v system.SettingValues, seed uint64, l system.Endpoint) (ImageGenerator,
	map[string]ImageGenerator, error) {
	free := PlaceholderGenerator{BeforeAttempt: l.BeforeCall, NoDelay: l.NoDelay}
	if v["image-generator"] != dashScope {
		return free, map[string]ImageGenerator{placeholder: free}, nil
	}
	client, err := imagegen.New(imagegen.Config{
		Node:    imageNode,
		Model:   l.Model,
		BaseURL: l.BaseURL,
		APIKey:  l.APIKey,
		HTTP:    l.HTTP,
		Seed:    seed,
		Async:   l.AsyncTasks,
	})
	paid := DashScopeGenerator{Client: client}
	if l.BaseURL != "" {
		return paid, map[string]ImageGenerator{dashScope: paid}, err
	}
	return paid, map[string]ImageGenerator{placeholder: free, dashScope: paid}, err
}
