package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
)

// test is one of promptfoo.dev/docs/configuration/test-cases.
type test struct {
	Vars   map[string]any `json:"vars" yaml:"vars"`
	Assert []assertion    `json:"assert" yaml:"assert"`
}

// textVars are the names that a test's text usually has, the likeliest first.
var textVars = []string{"text", "query", "input", "question", "message", "prompt"}

// readPromptfoo reads tests of promptfoo: YAML and JSON, a list of them or a
// config with tests, and CSV with a column __expected. What a test asserts of
// the answer as a whole gives the label (see assertion.go); variables besides the
// text go into the input's state. A test has no id and no split.
func readPromptfoo(j *job) error {
	others := 0
	add := func(at Place, n int64, t test) error {
		r, more, err := t.row(at, n, j.Options.Text)
		if err != nil {
			return j.reject(at, err.Error())
		}
		others += more
		return j.add(r)
	}
	var err error
	switch ending := strings.ToLower(filepath.Ext(j.Path)); ending {
	case ".csv":
		err = j.eachRecord(j.Path, table{delimiter: ',', trim: true}, func(at Place, r record) error {
			return add(at, r.n, r.test())
		})
	case ".json":
		err = j.readTree(j.Path, asIs, func(t *tree) error { return t.tests(add) })
	case ".yaml", ".yml":
		err = j.eachYAMLTest(j.Path, add)
	default:
		return fmt.Errorf("%s: ends in %q, not in .yaml, .json or .csv", plain(j.Path), plain(ending))
	}
	if others > 0 {
		j.note("assertions left out beside those that give a label: %d", others)
	}
	return err
}

// tests reads a list, or a config.
func (t *tree) tests(add func(at Place, n int64, one test) error) error {
	list := func() error {
		return t.list("tests", func(at Place, i int, value jsontext.Value) error {
			var one test
			if err := v2.Unmarshal(value, &one); err != nil {
				return t.job.reject(at, explain(err))
			}
			return add(at, int64(i)+1, one)
		})
	}
	if t.kind() != '{' {
		return list()
	}
	found := false
	err := t.object("the document", func(name string) error {
		if name == "tests" {
			found = true
			return list()
		}
		t.job.notApplied(t.path, name)
		return t.skip()
	})
	if err == nil && !found {
		err = &errShape{"has no tests"}
	}
	return err
}

// notApplied tells of what a config would add to the tests.
func (j *job) notApplied(path, name string) {
	if slices.Contains([]string{"defaultTest", "scenarios"}, name) {
		j.note("%s: %s is not taken over", path, name)
	}
}

// test makes a test of a row: columns with two underscores in front are
// promptfoo's, all others variables.
func (r record) test() test {
	t := test{Vars: map[string]any{}}
	for i, column := range r.columns {
		switch {
		case strings.HasPrefix(column, "__expected"):
			if strings.TrimSpace(r.fields[i]) != "" {
				t.Assert = append(t.Assert, parseAssertion(r.fields[i]))
			}
		case !strings.HasPrefix(column, "__"):
			t.Vars[column] = r.fields[i]
		}
	}
	return t
}

// row makes a case, and says how many assertions it leaves out.
func (t test) row(at Place, n int64, textVar string) (row, int, error) {
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
		return row{}, 0, fmt.Errorf("variable %s is no text", quoted(name))
	}
	said := turn{Turn: agent.Turn{Text: text}, labels: labels}
	for other, value := range t.Vars {
		if other == name {
			continue
		}
		raw, err := v2.Marshal(value, v2.Deterministic(true))
		if err != nil {
			return row{}, 0, fmt.Errorf("variable %s cannot be written as JSON", quoted(other))
		}
		if said.State == nil {
			said.State = map[string]json.RawMessage{}
		}
		said.State[other] = json.RawMessage(raw)
	}
	return row{place: at, id: numbered("promptfoo", "", n), turns: []turn{said}}, others, nil
}

// textVar finds the variable that holds the text.
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
	return "", fmt.Errorf("has the variables %s, and nobody says which is the text", strings.Join(texts, ", "))
}
