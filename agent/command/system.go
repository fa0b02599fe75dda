package command

import (
	"cmp"
	"errors"
	"fmt"

	"evalctl/agent"
	"evalctl/agent/foreign"
	"evalctl/agent/program"
	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// System is the declaration of an agent that is a program.
func System() system.System {
	return system.System{
		Name:  "exec",
		Short: "your agent as a command that reads and writes JSON lines: evalctl help external-agents",
		Examples: []string{
			"run --target exec --dataset cases.jsonl -- python3 agent.py",
			"chat exec --labels refund,delivery,other -- node agent.mjs",
		},
		Contract: foreign.Contract(),
		Parts:    []system.Part{foreign.Part(address)},
		Settings: []system.Setting{
			{Name: "command", Help: "`COMMAND` that is the agent, with its arguments, as behind --; no shell reads it; $VARIABLE is a value of the environment, which no output repeats",
				Verbatim: true, List: true, Runs: true, Check: checkCommand},
			{Name: "workdir", Help: "`FOLDER` in which it works", File: true, WorkDir: true},
			foreign.Timeout(),
		},
		Sources: []string{foreign.Source},
		Open:    open,
	}
}

// address is the command as one would type it, without secrets; of one that cannot be read,
// as it is.
func address(v system.Values) string {
	words, err := program.Words(v["command"])
	if err != nil {
		return secret.Mask(v["command"])
	}
	return program.Line(secret.MaskArgs(words))
}

func checkCommand(text string) error {
	_, err := program.Words(text)
	return err
}

// open makes a pool; nothing is started before it is asked.
func open(o system.Options) (system.Opened, error) {
	if o.Values["command"] == "" {
		return system.Opened{}, errors.New("command: is missing: say what to run behind --, as in -- python3 agent.py")
	}
	secrets := &secret.Set{}
	secrets.AddText(o.Values["command"])
	argv, err := program.Expanded(o.Values["command"], secrets)
	if err != nil {
		return system.Opened{}, fmt.Errorf("command: %w", err)
	}
	version, err := system.Fingerprint(o.Labels)
	if err != nil {
		return system.Opened{}, err
	}
	pool, labels, nodes := NewPool(argv, o.Values["workdir"]), foreign.NewLabels(o.Labels), &foreign.Nodes{}
	return system.Opened{Version: version, Close: pool.Close,
		Agent: func(_ uint64, link func(string) system.Link) (agent.Agent, error) {
			l := link(foreign.Node)
			c := &Conversation{Pool: pool, Model: l.Model, Timeout: foreign.TimeoutOf(o.Values)}
			return &foreign.Agent{Way: c, Labels: labels, Session: foreign.NewID(), Nodes: nodes, Secrets: cmp.Or(l.Secrets, secrets)}, nil
		}}, nil
}
