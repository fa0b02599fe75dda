package toolcaller

import (
	"encoding/json"
	"fmt"
	"slices"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/mcp"
	"evalctl/agent/system"
)

// System returns the declaration of the agent for the list of systems.
func System() system.System {
	return system.System{
		Name:    "tool-calling",
		Summary: "has any model that speaks chat completions call a tool: the tool called is the label",
		Examples: []string{
			"run --target tool-calling --dataset cases.jsonl --oos-label other --model my-model --base-url http://127.0.0.1:8000/v1",
			"run --target tool-calling --dataset cases.jsonl --tools tools.json --tool-choice required --model deepseek:deepseek-v4-flash",
		},
		Contract: system.Contract{LabelField: "label", AllowTools: true, NewTurnCheck: checkTurn},
		Components: []system.Component{
			{Name: NodeName, Role: system.RoleRouter},
		},
		Settings: []system.Setting{
			{Name: "prompt", IsPrompt: true, Help: "`FILE` with the prompt of the deciding model", IsFile: true,
				Check: system.CheckPlainPromptFile},
			{Name: "tools", IsPrompt: true,
				Help:   "`FILE` of tools in OpenAI's format: descriptions and parameters of labels, and further tools",
				IsFile: true, Check: checkToolsFile},
			mcpSetting(),
			{Name: "tool-choice", Help: "`WHETHER` a tool must be called", Values: []string{choiceAuto, choiceRequired},
				Default: choiceAuto},
			{Name: "no-tool-label", Help: "`LABEL` where no tool is called (the one out of scope, which --oos-label names)"},
			{Name: "temperature", Help: "temperature of the model, from `0..2`", Check: system.CheckNumber(0, 2)},
		},
		DecisionSources:      []string{"llm"},
		SupportsDecisionOnly: true,
		AnswerFormat: func(system.SettingValues) system.AnswerFormat {
			return system.AnswerFormat{ToolCall: true, LabelName: ToolName}
		},
		Open: open,
	}
}

func mcpSetting() system.Setting {
	return system.Setting{
		Name: "mcp",
		Help: "`SERVER` of the Model Context Protocol whose tools these are: a command, or the address of one that " +
			"speaks streamable HTTP; ' + ' joins several; $VARIABLE is a value of the environment, which no output repeats",
		Separator:   " + ",
		IsURL:       true,
		IsCommand:   true,
		AllowCommas: true,
		Check:       checkServers,
	}
}

func checkServers(value string) error {
	for _, server := range mcpSetting().Elements(value) {
		if err := mcp.CheckServer(server.Text); err != nil {
			return err
		}
	}
	return nil
}

func checkToolsFile(path string) error {
	_, err := readTools(path)
	return err
}

func open(o system.Options) (system.LoadedVariant, error) {
	cfg := Config{
		ToolsPerTurn: o.ToolsPerTurn,
		ToolChoice:   o.SettingValues["tool-choice"],
		NoToolLabel:  o.OOSLabel,
		Aliases:      o.Aliases,
	}
	if label := o.SettingValues["no-tool-label"]; label != "" {
		if !slices.ContainsFunc(o.Labels, func(l system.Label) bool { return l.Name == label }) {
			return system.LoadedVariant{}, fmt.Errorf("no-tool-label: %.80q is not one of the labels", label)
		}
		cfg.NoToolLabel = label
	}
	var err error
	if path := o.SettingValues["prompt"]; path != "" {
		if cfg.Prompt, err = llm.LoadPlainPromptFile(path); err != nil {
			return system.LoadedVariant{}, fmt.Errorf("prompt: %w", err)
		}
	}
	if cfg.Tools, err = toolsOf(o, cfg); err != nil {
		return system.LoadedVariant{}, err
	}
	if o.SettingValues["temperature"] != "" {
		t := o.Number("temperature")
		cfg.Temperature = &t
	}
	if cfg.Model, err = client(0, o.EndpointOf); err != nil {
		return system.LoadedVariant{}, err
	}
	made, err := New(cfg)
	if err != nil {
		return system.LoadedVariant{}, err
	}
	version, err := made.version()
	if err != nil {
		return system.LoadedVariant{}, err
	}
	tools, err := json.MarshalIndent(made.offer.declared, "", "  ")
	prompts := map[string]string{"prompt": made.cfg.Prompt.Text}
	if made.offer.declared != nil {
		prompts["tools"] = string(tools)
	}
	return system.LoadedVariant{
		Version: version,
		Prompts: prompts,
		NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			model, err := client(seed, link)
			return made.withModel(model), err
		}}, err
}

// checkTurn returns a function that checks that a request can offer the tools of a turn.
func checkTurn(system.SettingValues) (func(agent.Turn, map[string][]string) error, error) {
	return func(t agent.Turn, _ map[string][]string) error {
		if t.Tools == nil {
			return nil
		}
		return checkTools(fromTurn(t.Tools))
	}, nil
}

// version returns a hash of everything that the model receives, to detect changes between runs.
func (a *Agent) version() (string, error) {
	shown, err := system.Fingerprint([]any{a.offer.declared, a.cfg.ToolChoice, a.cfg.NoToolLabel})
	return a.cfg.Prompt.Hash + shown, err
}

func client(seed uint64, link func(string) system.Endpoint) (*llm.Client, error) {
	return link(NodeName).NewClient(llm.Config{Node: NodeName, Seed: seed})
}
