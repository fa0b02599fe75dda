package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"evalctl/agent"
	"evalctl/agent/foreign"
	"evalctl/agent/program"
	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// System declares the target exec, with its settings for suites and the command line.
func System() system.System {
	return system.System{
		Name:    "exec",
		Summary: "your agent as a command that reads and writes JSON lines: evalctl help external-agents",
		Examples: []string{
			"run --target exec --dataset cases.jsonl -- python3 agent.py",
			"chat exec --labels refund,delivery,other -- node agent.mjs",
		},
		Contract:   foreign.Contract(),
		Components: []system.Component{foreign.Component(address)},
		Settings: slices.Concat([]system.Setting{
			{Name: "command", Help: "`COMMAND` that is the agent, with its arguments, as behind --; no shell reads it; $VARIABLE is a value of the environment, which no output repeats",
				AllowCommas: true, IsList: true, IsCommand: true, Check: checkCommand},
			{Name: "workdir", Help: "`FOLDER` in which it works", IsFile: true, IsWorkDir: true},
			foreign.TimeoutSetting(),
		}, foreign.PathSettings()),
		DecisionSources: []string{foreign.DecisionSource},
		Open:            open,
	}
}

// address returns the command line of the agent for reports, with secrets redacted. A command that
// cannot be parsed is redacted as plain text.
func address(v system.SettingValues) string {
	words, err := program.SplitCommand(v["command"])
	if err != nil {
		return secret.Mask(v["command"])
	}
	return program.JoinCommand(secret.MaskArgs(words))
}

func checkCommand(text string) error {
	_, err := program.SplitCommand(text)
	return err
}

// open creates a variant with a pool for its command. Processes are started when a trial needs one.
func open(o system.Options) (system.LoadedVariant, error) {
	if o.SettingValues["command"] == "" {
		return system.LoadedVariant{},
			errors.New("command: is missing: say what to run behind --, as in -- python3 agent.py")
	}
	secrets := &secret.Set{}
	secrets.AddFromText(o.SettingValues["command"])
	argv, err := program.ExpandCommand(o.SettingValues["command"], secrets)
	if err != nil {
		return system.LoadedVariant{}, fmt.Errorf("command: %w", err)
	}
	version, err := system.Fingerprint(o.Labels)
	if err != nil {
		return system.LoadedVariant{}, err
	}
	pool, nodes := NewPool(argv, o.SettingValues["workdir"]), &foreign.NodeNames{}
	labels, paths := foreign.NewValidLabels(o.Labels, o.Aliases), foreign.PathsFromSettings(o.SettingValues)
	return system.LoadedVariant{Version: version, Close: pool.Close,
		NewAgent: func(_ uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			l := link(foreign.Node)
			c := &processTransport{
				Pool:    pool,
				Paths:   paths,
				Model:   l.Model,
				Timeout: foreign.TimeoutFromSettings(o.SettingValues),
				Secrets: cmp.Or(l.Secrets, secrets),
			}
			return &foreign.Agent{
				Transport: c,
				Labels:    labels,
				Session:   foreign.NewID(),
				Nodes:     nodes,
				Secrets:   cmp.Or(l.Secrets, secrets),
			}, nil
		}}, nil
}
