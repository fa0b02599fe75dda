package studio

import (
	"fmt"

	"evalctl/agent"
	"evalctl/agent/imagegen"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// What the settings painter and embedder may be.
const (
	styleLibrary  = "style_library"
	placeholder   = "placeholder" // pictures that nobody paints
	dashScope     = "dashscope"
	localEmbedder = "local"
	apiEmbedder   = "api"
)

// System is the image studio's declaration.
func System() system.System {
	return system.System{
		Name:  "studio",
		Short: "plans, looks up styles, paints, and has a critic send pictures back",
		Examples: []string{
			"run studio --profile v1,v2 --critic heuristic,llm",
			"chat studio --profile v1 --critic llm",
			"serve studio --critic llm --model deepseek:deepseek-flash --image-generator dashscope --real image=dashscope:qwen-image-max",
		},
		Contract: system.Contract{
			Field:    "action",
			Labels:   Actions(),
			Served:   []string{"failed", "busy"},
			Slots:    []string{"subject", "style"},
			Finds:    "styles",
			Known:    styleIDs,
			Pictures: true,
			Wordless: true,
		},
		Parts:     parts(),
		Settings:  settings(),
		Sources:   []string{"llm", "rules", "guard"},
		Scoped:    true,
		Guess:     guess,
		Form:      form,
		Recognise: recognise,
		Open:      open,
	}
}

func parts() []system.Part {
	return []system.Part{
		{Name: "router", Work: system.Decides, Node: plannerNode},
		{Name: "embedding", Work: system.Embeds, Wire: system.Values{"embedder": apiEmbedder},
			Used: func(v system.Values) bool { return v["embedder"] == apiEmbedder }},
		{Name: styleLibrary, Work: system.Keeps, Free: styleLibrary,
			Local: shelf},
		{Name: "image", Work: system.Paints, Node: executorNode, Free: placeholder, Wire: system.Values{"image-generator": dashScope}, Local: painted},
		{Name: "critic", Work: system.Judges,
			Used: func(v system.Values) bool { return v["critic"] != string(Heuristic) },
			// One who looks at pictures is left to a model that can.
			ByModel: func(v system.Values) bool { return v["critic"] == string(LLM) }},
	}
}

func painted(v system.Values) string {
	if v["image-generator"] == dashScope {
		return ""
	}
	return "placeholder pictures"
}

func settings() []system.Setting {
	return []system.Setting{
		{Name: "profile", Help: "`VERSION` of the design", Values: texts(Profiles()), Usual: string(V2)},
		{Name: "critic", Help: "`WHO` reviews the pictures", Values: texts(Critics()), Usual: string(Heuristic)},
		{Name: "image-generator", Help: "`WHO` paints", Values: []string{placeholder, dashScope}, Usual: placeholder},
		{Name: "embedder", Help: "`WHO` makes the vectors of styles", Values: []string{localEmbedder, apiEmbedder}, Usual: localEmbedder},
		{Name: "prompt", Prompt: true, Help: "`FILE` with the prompt of the deciding model", File: true, Check: system.PromptFile},
		{Name: "plan-retry-prompt", Prompt: true, Help: "`FILE` with the prompt that asks once more for a plan", File: true, Check: system.PromptFile,
			Used: func(v system.Values) bool { return v["profile"] == string(V1) }},
		{Name: "review-prompt", Prompt: true, Help: "`FILE` with the prompt of the critic", File: true, Check: system.PromptFile,
			Used: func(v system.Values) bool { return v["critic"] != string(Heuristic) }},
		{Name: "style-library", Help: "`FILE` with a library of styles", File: true},
	}
}

func texts[T ~string](list []T) []string {
	all := make([]string, len(list))
	for i, w := range list {
		all[i] = string(w)
	}
	return all
}

// styleIDs are those of the shipped library: another one has others.
func styleIDs(v system.Values) ([]string, error) {
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

// shelf is the library of styles that is looked into.
func shelf(v system.Values) string {
	if file := v["style-library"]; file != "" {
		return "the library " + file
	}
	return "the shipped library"
}

// open reads a variant's prompts and indexes its library of styles.
func open(o system.Options) (system.Opened, error) {
	profile := Profile(o.Values["profile"])
	prompts, err := promptsOf(profile, o.Values)
	if err != nil {
		return system.Opened{}, fmt.Errorf("prompt: %w", err)
	}
	lib, version, err := openLibrary(o)
	if err != nil {
		return system.Opened{}, fmt.Errorf("style library: %w", err)
	}
	cfg := Config{Profile: profile, Critic: Critic(o.Values["critic"]), Prompts: prompts, DecisionOnly: o.DecisionOnly}
	opened := system.Opened{Version: prompts.Hash() + version, Order: Order(profile), Components: Schema(), Busy: busyIn(profile),
		Judge: cfg.judgeAgain,
		Agent: func(seed uint64, link func(string) system.Link) (agent.Agent, error) {
			return cfg.connect(o.Values, lib, seed, link)
		}}
	if !isShared(o.Values) {
		opened.Close = lib.Close
	}
	return opened, nil
}

// connect makes a whole studio.
func (cfg Config) connect(v system.Values, lib *knowledge.Library, seed uint64, link func(string) system.Link) (agent.Agent, error) {
	cfg.Seed = seed
	var err error
	if cfg.Planner, err = link("router").Client(llm.Config{Node: plannerNode, Seed: seed, Timeout: PlannerTimeout}); err != nil {
		return nil, err
	}
	if err := cfg.connectReviewer(link); err != nil {
		return nil, err
	}
	embedder, err := embedderOf(v, seed, link)
	if err != nil {
		return nil, err
	}
	cfg.Styles = library{styles: lib, embedder: embedder, before: link(styleLibrary).Before}
	if v["style-library"] != "" {
		cfg.Known = lib.Styles()
	}
	if cfg.Painter, err = painterOf(v, seed, link("image")); err != nil {
		return nil, err
	}
	return New(cfg)
}

func painterOf(v system.Values, seed uint64, l system.Link) (Painter, error) {
	profile := Profile(v["profile"])
	if v["image-generator"] != dashScope {
		return Placeholder{Profile: profile, Seed: seed, Before: l.Before, Instant: l.Instant}, nil
	}
	client, err := imagegen.New(imagegen.Config{Node: executorNode, Model: l.Model, BaseURL: l.BaseURL, APIKey: l.APIKey,
		HTTP: l.HTTP, Seed: seed, Retries: PaintRetries(profile), Async: l.Tasks})
	return DashScope{Client: client}, err
}
