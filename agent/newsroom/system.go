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

// System is the newsroom's declaration.
func System() system.System {
	return system.System{
		Name:  "newsroom",
		Short: "a supervisor sends eight agents to write a post with pictures, until the review lets it go",
		Examples: []string{
			"run newsroom --supervisor-prompt minimal,complete,few-shot",
			"run newsroom --supervisor-prompt few-shot --fault router:fallback_label",
			"chat newsroom --store threads.db",
			"serve newsroom --model deepseek:deepseek-chat --without search --real reference=dashscope:qwen-vl-max --real image=dashscope:qwen-image-max",
		},
		Contract: contract(),
		Parts:    parts(),
		Settings: settings(),
		Sources:  []string{byLLM, byPrecondition, byReview, byLimit},
		Scoped:   true,
		Guess:    guess,
		Next:     nextOn,
		Form:     form,
		Open:     open,
	}
}

func contract() system.Contract {
	return system.Contract{
		Field:     "next_agent",
		Labels:    Decisions(),
		Served:    []string{supervisorNode, servedClarification, servedExhausted, servedFailed},
		Options:   []string{singleStep},
		Path:      "path",
		Also:      []string{"backtrack"},
		Simulated: map[string]func(json.RawMessage) error{"simulated_reviews": checkReviews, "simulated_questions": checkAsks},
		State:     stateChecks(),
	}
}

func parts() []system.Part {
	always := func(system.Values) bool { return true }
	return []system.Part{
		{Name: "router", Work: system.Decides, Node: supervisorNode},
		{Name: "brief", Work: system.Writes, Node: briefAgent, Says: saysBrief, Recognise: demands("creativeBrief")},
		{Name: "research", Work: system.Writes, Node: researchAgent, Says: saysResearch, Recognise: demands("evidencePack")},
		{Name: "layout", Work: system.Writes, Node: layoutAgent, Says: saysLayout, Recognise: demands("layoutSpec")},
		{Name: "image_plan", Work: system.Writes, Node: imagePlanAgent, Says: saysImagePlan, Recognise: demands("imagePlans")},
		{Name: "writer", Work: system.Writes, Node: writerAgent, Says: saysWriter, Recognise: demands("generatedContent")},
		{Name: imageAgent, Work: system.Writes, Node: imageAgent, Says: saysIllustrator, Recognise: demands("generatedImageAssetIds")},
		{Name: "search", Work: system.Searches, Used: system.Unless("search")},
		{Name: "reference", Work: system.Looks, Node: referenceAgent, Says: saysReference, Recognise: demands("referenceAnalyses")},
		{Name: "image", Work: system.Paints, Node: imageNode, Free: placeholder, Wire: system.Values{"image-generator": dashScope}, Local: paintedLocally},
		{Name: "review", Work: system.Judges, Node: reviewAgent, ByModel: always, Says: saysReview, Recognise: demands("reviewFeedback")},
		{Name: "checkpoint", Work: system.Keeps, Node: checkpointNode, Free: checkpointNode, Local: shelf},
	}
}

// demands knows a prompt, also one in the shipped one's place, by the field of the JSON
// that it asks for and no other prompt does.
func demands(field string) func(string) bool {
	return func(prompt string) bool { return strings.Contains(prompt, `"`+field+`"`) }
}

func paintedLocally(v system.Values) string {
	if v["image-generator"] == dashScope {
		return ""
	}
	return "placeholder pictures"
}

// shelf is where threads are kept.
func shelf(v system.Values) string {
	if v["store"] != "" {
		return "the file " + v["store"]
	}
	return "memory"
}

func settings() []system.Setting {
	list := []system.Setting{
		{Name: "supervisor-prompt", Prompt: true, Help: "`PROMPT` of the supervisor, of those that are shipped", Values: []string{minimal, complete, fewShot}, Usual: fewShot,
			Used: func(v system.Values) bool { return v["prompt"] == "" }},
		{Name: "prompt", Prompt: true, Help: "`FILE` with the prompt of the deciding model", File: true, Check: system.PromptFile},
		{Name: "max-iterations", Help: "`N` decisions of the supervisor, after which it ends", Usual: fmt.Sprint(DefaultIterations), Check: system.Whole(1, mostIterations)},
		{Name: "quality-threshold", Help: "score from `0..1` that every dimension must have", Usual: fmt.Sprint(DefaultQuality), Check: system.Number(0.01, 1)},
		{Name: "max-clarification-rounds", Help: "`N` rounds of questions to the user", Usual: fmt.Sprint(DefaultRounds), Check: system.Whole(1, 10),
			Used: func(v system.Values) bool { return v["clarification"] != "off" }},
		{Name: "clarification", Help: "`WHETHER` agents may ask the user", Values: []string{"on", "off"}, Usual: "on"},
		{Name: "image-generator", Help: "`WHO` paints", Values: []string{placeholder, dashScope}, Usual: placeholder},
		{Name: "store", Help: "`FILE` with the threads of conversations", File: true, Lasting: true},
	}
	for _, r := range roles() {
		list = append(list, system.Setting{Name: r.setting(), Prompt: true, Help: "`FILE` with the prompt of the " + strings.ReplaceAll(r.name, "_", " "),
			File: true, Check: system.PromptFile})
	}
	return append(list, system.WithoutSetting("search"))
}

// open reads a variant's prompts.
func open(o system.Options) (system.Opened, error) {
	prompts, err := promptsOf(o.Values)
	if err != nil {
		return system.Opened{}, err
	}
	threads, err := openThreads(o.Values["store"])
	if err != nil {
		return system.Opened{}, err
	}
	cfg := Config{Prompts: prompts, Iterations: int(o.Number("max-iterations")), Quality: o.Number("quality-threshold"), Rounds: int(o.Number("max-clarification-rounds")),
		NoAsking: o.Values["clarification"] == "off", Threads: threads, DecisionOnly: o.DecisionOnly, NoSearch: !o.Has("search")}
	return system.Opened{Version: prompts.Hash(), Agent: func(seed uint64, link func(string) system.Link) (agent.Agent, error) {
		return cfg.connect(o.Values, seed, link)
	}}, nil
}

// connect makes a whole newsroom.
func (cfg Config) connect(v system.Values, seed uint64, link func(string) system.Link) (agent.Agent, error) {
	var err error
	if cfg.Supervisor, err = link("router").Client(llm.Config{Node: supervisorNode, Seed: seed, Timeout: decisionTimeout}); err != nil {
		return nil, err
	}
	cfg.Agents = map[string]*llm.Client{}
	for _, r := range roles() {
		if cfg.Agents[r.name], err = link(r.part).Client(llm.Config{Node: r.name, Seed: seed, Timeout: agentTimeout}); err != nil {
			return nil, err
		}
	}
	if !cfg.NoSearch {
		found := link("search")
		cfg.Search, err = search.New(search.Config{Provider: found.Provider, Model: found.Model, BaseURL: found.BaseURL, APIKey: found.APIKey,
			HTTP: found.HTTP, Seed: seed, Timeout: searchTimeout})
		if err != nil {
			return nil, err
		}
	}
	if cfg.Painter, cfg.Painters, err = paintersOf(v, seed, link("image")); err != nil {
		return nil, err
	}
	cfg.Before = link("checkpoint").Before
	return New(cfg)
}

// paintersOf are the one that is set, and those that a state may name besides. Beside a
// real painter a state cannot choose placeholders.
func paintersOf(v system.Values, seed uint64, l system.Link) (Painter, map[string]Painter, error) {
	free := Placeholder{Before: l.Before, Instant: l.Instant}
	if v["image-generator"] != dashScope {
		return free, map[string]Painter{placeholder: free}, nil
	}
	client, err := imagegen.New(imagegen.Config{Node: imageNode, Model: l.Model, BaseURL: l.BaseURL, APIKey: l.APIKey,
		HTTP: l.HTTP, Seed: seed, Async: l.Tasks})
	paid := DashScope{Client: client}
	if l.BaseURL != "" {
		return paid, map[string]Painter{dashScope: paid}, err
	}
	return paid, map[string]Painter{placeholder: free, dashScope: paid}, err
}
