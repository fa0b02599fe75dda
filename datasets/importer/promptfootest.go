package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"

	"evalctl/agent"
)

// test is a test case of promptfoo, as described in promptfoo.dev/docs/configuration/test-cases.
type test struct {
	Vars   map[string]any `json:"vars" yaml:"vars"`
	Assert []assertion    `json:"assert" yaml:"assert"`
}

// labels returns the labels that a test accepts. They are the value of an equals assertion, or else
// the words of contains assertions. It returns an error if two assertions accept different labels.
// others counts the assertions that check something else and are not imported.
func (t test) labels() (labels []string, others int, err error) {
	exact := slices.ContainsFunc(t.Assert, func(a assertion) bool { return a.Type == "equals" })
	var seen []string
	for i, a := range t.Assert {
		seen = append(seen, oneLine(a.Type))
		if exact && a.Type != "equals" {
			others++
			continue
		}
		wanted, ok, err := a.labels()
		switch {
		case err != nil:
			return nil, 0, fmt.Errorf("assert[%d]: %s: %w", i, oneLine(a.Type), err)
		case !ok:
			others++
		case labels == nil:
			labels = wanted
		case !slices.Equal(labels, wanted):
			return nil, 0, fmt.Errorf("assert[%d]: %s: contradicts the labels before", i, oneLine(a.Type))
		}
	}
	if labels == nil {
		return nil, 0, fmt.Errorf("asserts no label (equals, contains, contains-any), only: %s",
			cmp.Or(strings.Join(seen, ", "), "nothing"))
	}
	return labels, others, nil
}

// textVars are usual names of the variable with the user's text, the most likely first.
var textVars = []string{"text", "query", "input", "question", "message", "prompt"}

// toCase converts the test to a case without an ID. The second result is the number of assertions that are not
// imported.
func (t test) toCase(at Position, textVar string) (row, int, error) {
	labels, others, err := t.labels()
	if err != nil {
		return row{}, 0, err
	}
	name, err := t.textVar(textVar)
	if err != nil {
		return row{}, 0, err
	}
	text, ok := t.Vars[name].(string)
	if !ok || strings.HasPrefix(text, "file://") {
		return row{}, 0, fmt.Errorf("variable %s is not a text", quoted(name))
	}
	asked := turn{Turn: agent.Turn{Text: text}, labels: labels}
	for other, value := range t.Vars {
		if other == name {
			continue
		}
		raw, err := v2.Marshal(value, v2.Deterministic(true))
		if err != nil {
			return row{}, 0, fmt.Errorf("variable %s cannot be written as JSON", quoted(other))
		}
		if asked.State == nil {
			asked.State = map[string]json.RawMessage{}
		}
		asked.State[other] = json.RawMessage(raw)
	}
	return row{place: at, turns: []turn{asked}}, others, nil
}

// textVar returns the name of the variable with the user's text. named is the name that the user
// has chosen; "": none.
func (t test) textVar(named string) (string, error) {
	for _, name := range append([]string{named}, textVars...) {
		if _, ok := t.Vars[name]; ok && name != "" {
			return name, nil
		}
		if name != "" && name == named {
			return "", fmt.Errorf("has no variable %s", quoted(named))
		}
	}
	var texts []string
	for name, value := range t.Vars {
		if _, ok := value.(string); ok {
			texts = append(texts, name)
		}
	}
	switch len(texts) {
	case 0:
		return "", errors.New("has no variable that is a text")
	case 1:
		return texts[0], nil
	}
	slices.Sort(texts)
	return "", fmt.Errorf("has the variables %s, name the text with --text-column", strings.Join(texts, ", "))
}

// noteIgnored warns about a key of the config that changes tests but is not supported.
func (j *job) noteIgnored(path, name string) {
	if slices.Contains([]string{"defaultTest", "scenarios"}, name) {
		j.note("%s: %s is not taken over", path, name)
	}
}
