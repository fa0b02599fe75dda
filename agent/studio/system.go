package studio

import (
	"fmt"

	"evalctl/agent"
	"evalctl/agent/imagegen"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// Values of settings, and the name of the component for the style library.
const (
	styleLibrary  = "style_library"
	placeholder   = "placeholder" // stock photos, without a model
	dashScope     = "dashscope"
	localEmbedder = "local"
	apiEmbedder   = "api"

	showSuggestions  = "show"
	applySuggestions = "apply"
)

// System returns the declaration of the studio for the list of systems.
func System() system.System {
	return system.System{
		Name:    "studio",
		Summary: "plans, looks up styles, paints, and has a critic send pictures back",
		Examples: []string{
			"run studio --profile v1,v2 --critic heuristic,llm",
			"chat studio --profile v1 --critic llm",
			"serve studio --critic llm --model deepseek:deepseek-v4-flash --image-generator dashscope --real image=dashscope:qwen-image-max",
		},
		Contract: system.Contract{
			LabelField:     "action",
			Labels:         Actions(),
			OtherRoutes:    []string{"failed", "busy"},
			ButtonIDs:      ButtonIDs(),
			Slots:          []string{"subject", "style"},
			RetrievalField: "styles",
			RetrievableIDs: styleIDs,
			HasImageLabels: true,
			AllowEmptyText: true,
		},
		Components:           parts(),
		Settings:             settings(),
		DecisionSources:      []string{"llm", "rules", "guard"},
		SupportsDecisionOnly: true,
		NewRuleDecider:       keywordPlanner,
		AnswerFormat:         answerFormat,
		SettingsFromPrompt:   profileOfPrompt,
		Open:                 open,
	}
}

func parts() []system.Component {
	return []system.Component{
		{Name: "router", Role: system.RoleRouter, Node: plannerNode},
		{Name: "embedding", Role: system.RoleEmbedding, RemoteSettings: system.SettingValues{"embedder": apiEmbedder},
			UsedIf: func(v system.SettingValues) bool { return v["embedder"] == apiEmbedder }},
		{Name: styleLibrary, Role: system.RoleStore, LocalProviderName: styleLibrary,
			LocalImplementation: styleLibraryName},
		{Name: "image", Role: system.RoleImage, Node: executorNode, LocalProviderName: placeholder,
			RemoteSettings: system.SettingValues{"image-generator": dashScope}, LocalImplementation: localGenerator},
		{Name: "critic", Role: system.RoleCritic,
			UsedIf: func(v system.SettingValues) bool { return v["critic"] != string(CriticHeuristic) },
			// the critic "vision" requires a model with image input
			UsesVariantModel: func(v system.SettingValues) bool { return v["critic"] == string(CriticLLM) }},
	}
}

func localGenerator(v system.SettingValues) string {
	if v["image-generator"] == dashScope {
		return ""
	}
	return "placeholder pictures"
}

func settings() []system.Setting {
	return []system.Setting{
		{Name: "profile", Help: "`VERSION` of the design", Values: toStrings(Profiles()), Default: string(ProfileV2)},
		{Name: "critic", Help: "`CRITIC` that reviews the images", Values: toStrings(criticNames()),
			Default: string(CriticHeuristic)},
		{Name: "critic-suggestions", Help: "`USE` of the critic's suggestions in the next attempt",
			Values: []string{showSuggestions, applySuggestions}, Default: showSuggestions,
			UsedIf: func(v system.SettingValues) bool { return v["critic"] != string(CriticHeuristic) }},
		{Name: "image-generator", Help: "`GENERATOR` of images", Values: []string{placeholder, dashScope},
			Default: placeholder},
		{Name: "embedder", Help: "`EMBEDDER` that computes the vectors of styles",
			Values:  []string{localEmbedder, apiEmbedder},
			Default: localEmbedder},
		{Name: "prompt", IsPrompt: true, Help: "`FILE` with the prompt of the deciding model", IsFile: true,
			Check: system.CheckPromptFile},
		{Name: "plan-retry-prompt", IsPrompt: true, Help: "`FILE` with the prompt that requests a plan again",
			IsFile: true, Check: system.CheckPromptFile,
			UsedIf: func(v system.SettingValues) bool { return v["profile"] == string(ProfileV1) }},
		{Name: "review-prompt", IsPrompt: true, Help: "`FILE` with the prompt of the critic", IsFile: true,
			Check:  system.CheckPromptFile,
			UsedIf: func(v system.SettingValues) bool { return v["critic"] != string(CriticHeuristic) }},
		{Name: "style-library", Help: "`FILE` with a library of styles", IsFile: true},
	}
}

func toStrings[T ~string](list []T) []string {
	all := make([]string, len(list))
	for i, w := range list {
		all[i] = string(w)
	}
	return all
}

// styleIDs returns the ids of the built-in styles, which cases may expect. It returns nil for
// another library.
func styleIDs(v system.SettingValues) ([]string, error) {
	if v["style-library"] != "" {
		return nil, nil
	}
	styles, err := shippedStyles()
	ids := make([]string, len(styles))
	for i, s := range styles {
		ids[i] = s.ID
	}
	return ids, err
}

func styleLibraryName(v system.SettingValues) string {
	if file := v["style-library"]; file != "" {
		return "the library " + file
	}
	return "the shipped library"
}

// open reads the prompts and the style library of a variant once, before any trial.
func open(o system.Options) (system.LoadedVariant, error) {
	profile := Profile(o.SettingValues["profile"])
	prompts, err := promptsOf(profile, o.SettingValues)
	if err != nil {
		return system.LoadedVariant{}, fmt.Errorf("prompt: %w", err)
	}
	lib, version, err := openLibrary(o)
	if err != nil {
		return system.LoadedVariant{}, fmt.Errorf("style library: %w", err)
	}
	cfg := Config{
		Profile:      profile,
		Critic:       Critic(o.SettingValues["critic"]),
		Prompts:      prompts,
		DecisionOnly: o.DecisionOnly,

		ApplySuggestions: o.SettingValues["critic-suggestions"] == applySuggestions,
	}
	opened := system.LoadedVariant{
		Version:           prompts.Hash() + version,
		Prompts:           llm.PromptTexts(prompts.bySetting()),
		EventOrderPattern: EventOrderPattern(profile),
		ComponentSchema:   ComponentSchema(),
		BusyAgent:         busyAgent(profile),
		NewJudge:          cfg.newJudge,
		NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			return cfg.connect(o.SettingValues, lib, seed, link)
		},
	}
	if !isShared(o.SettingValues) {
		opened.Close = lib.Close
	}
	return opened, nil
}

// connect returns an agent with clients for one trial.
func (cfg Config) connect(v system.SettingValues, lib *knowledge.StyleLibrary, seed uint64,
	link func(string) system.Endpoint) (agent.Agent, error) {
	cfg.Seed = seed
	var err error
	if cfg.Planner, err = link("router").
		NewClient(llm.Config{Node: plannerNode, Seed: seed, Timeout: PlannerTimeout}); err != nil {
		return nil, err
	}
	if err := cfg.connectReviewer(link); err != nil {
		return nil, err
	}
	embedder, err := embedderOf(v, seed, link)
	if err != nil {
		return nil, err
	}
	cfg.Styles = library{styles: lib, embedder: embedder, before: link(styleLibrary).BeforeCall}
	if v["style-library"] != "" {
		cfg.KnownStyles = lib.Styles()
	}
	if cfg.ImageGenerator, err = imageGeneratorOf(v, seed, link("image")); err != nil {
		return nil, err
	}
	return New(cfg)
}

func imageGeneratorOf(v system.SettingValues, seed uint64, l system.Endpoint) (ImageGenerator, error) {
	profile := Profile(v["profile"])
	if v["image-generator"] != dashScope {
		return PlaceholderGenerator{
			Profile:       profile,
			Seed:          seed,
			BeforeAttempt: l.BeforeCall,
			NoDelay:       l.NoDelay,
		}, nil
	}
	client, err := imagegen.New(imagegen.Config{
		Node:    executorNode,
		Model:   l.Model,
		BaseURL: l.BaseURL,
		APIKey:  l.APIKey,
		HTTP:    l.HTTP,
		Seed:    seed,
		Retries: ImageRetries(profile),
		Async:   l.AsyncTasks,
	})
	return DashScopeGenerator{Client: client}, err
}
