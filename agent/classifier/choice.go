package classifier

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/system"
)

// choice is what the model chooses from in a turn.
type choice struct {
	labels  label.Set
	lines   string // {{labels}} of the prompt: one line per label
	invalid string // label for invalid answers
}

// newChoice returns the choice between labels. Aliases of other labels are ignored.
func newChoice(list []system.Label, aliases map[string]string) choice {
	names := system.LabelNames(list)
	own := map[string]string{}
	for alias, name := range aliases {
		if slices.Contains(names, name) {
			own[alias] = name
		}
	}
	return choice{
		labels:  label.NewSet(names...).WithAliases(own),
		lines:   labelLines(list),
		invalid: label.InvalidAnswerLabel(names...),
	}
}

// choiceOf returns the choice for a turn: its own tools with the out-of-scope label, or else the
// labels of the dataset.
func (a *Agent) choiceOf(t agent.Turn) choice {
	if t.Tools == nil {
		return a.choice
	}
	var list []system.Label
	for _, tool := range t.Tools {
		list = append(list, toolLabel(tool.Function))
	}
	if oos := a.cfg.OOSLabel; oos != "" && !slices.Contains(agent.ToolNames(t.Tools), oos) {
		i := slices.IndexFunc(a.cfg.Labels, func(l system.Label) bool { return l.Name == oos })
		list = append(list, a.cfg.Labels[i])
	}
	return newChoice(list, a.cfg.Aliases)
}

// toolLabel returns a function as a label. Its description, on one line, contains the JSON Schema of
// the parameters.
func toolLabel(f agent.Function) system.Label {
	l := system.Label{Name: f.Name, Description: strings.Join(strings.Fields(f.Description), " ")}
	var schema bytes.Buffer
	if f.Parameters != nil && json.Compact(&schema, f.Parameters) == nil {
		l.Description = strings.TrimSpace(l.Description + " Parameters: " + schema.String())
	}
	return l
}
