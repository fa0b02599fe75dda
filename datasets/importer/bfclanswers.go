package importer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// noCall is the label of a turn in which the agent must not call a function.
const noCall = "none"

// answer is a line of a file in possible_answer: the expected calls for a question.
type answer struct {
	ID    string           `json:"id"`
	Truth []jsontext.Value `json:"ground_truth"`
}

// expectedCalls returns a function that returns the accepted labels of each turn of a question. The
// labels come from the file with the same name in possible_answer. Without that file, they come
// from the category in the name of the file.
func (j *job) expectedCalls(path string) (func(question) ([][]string, error), error) {
	extra := filepath.Join(filepath.Dir(path), "possible_answer", filepath.Base(path))
	if _, err := os.Stat(extra); err == nil {
		return j.givenCalls(extra)
	}
	switch name := filepath.Base(path); {
	case strings.Contains(name, "irrelevance"):
		return func(q question) ([][]string, error) {
			return slices.Repeat([][]string{{noCall}}, len(q.Question)), nil
		}, nil
	case strings.Contains(name, "relevance"):
		return func(q question) ([][]string, error) {
			return slices.Repeat([][]string{distinct(q.functionNames())}, len(q.Question)), nil
		}, nil
	}
	return func(question) ([][]string, error) {
		return nil, fmt.Errorf("has no possible answer: there is no %s", oneLine(extra))
	}, nil
}

func (j *job) givenCalls(path string) (func(question) ([][]string, error), error) {
	type truth struct {
		labels [][]string
		err    error
	}
	known := map[string]truth{}
	err := eachObject(j, path, func(at Position, a answer) error {
		if _, twice := known[a.ID]; twice {
			return j.reject(at, fmt.Sprintf("id: %s is used before", quoted(a.ID)))
		}
		labels, err := a.labels()
		known[a.ID] = truth{labels, err}
		return nil
	})
	return func(q question) ([][]string, error) {
		t, ok := known[q.ID]
		if !ok {
			return nil, fmt.Errorf("has no possible answer: %s does not know %s", oneLine(path), quoted(q.ID))
		}
		return t.labels, t.err
	}, err
}

// labels returns the names of the accepted functions for each turn. ground_truth is a list of calls
// if there is one turn, and a list of such lists if there are several.
func (a answer) labels() ([][]string, error) {
	if len(a.Truth) == 0 {
		return nil, errors.New("ground_truth is empty")
	}
	if a.Truth[0].Kind() != '[' {
		names, err := calls(a.Truth)
		return [][]string{distinct(names)}, err
	}
	var turns [][]string
	for i, turn := range a.Truth {
		var list []jsontext.Value
		if err := v2.Unmarshal(turn, &list); err != nil {
			return nil, fmt.Errorf("ground_truth[%d] is not a list of calls", i)
		}
		names, err := calls(list)
		if err != nil {
			return nil, err
		}
		turns = append(turns, append(names, noCall)[:1])
	}
	return turns, nil
}

// calls returns the function names of calls, which are written as {"f": {…}} or as "f(…)".
func calls(list []jsontext.Value) (names []string, err error) {
	for i, value := range list {
		name := ""
		switch value.Kind() {
		case '{':
			var call map[string]jsontext.Value
			if err := v2.Unmarshal(value, &call); err == nil && len(call) == 1 {
				for name = range call {
				}
			}
		case '"':
			var text string
			if err := v2.Unmarshal(value, &text); err == nil {
				if before, _, ok := strings.Cut(text, "("); ok && strings.HasSuffix(strings.TrimSpace(text), ")") &&
					isName(before) {
					name = before
				}
			}
		}
		if name == "" {
			return nil, fmt.Errorf("ground_truth[%d] is not a call of a function", i)
		}
		names = append(names, name)
	}
	return names, nil
}

// isName reports whether s, the text before a parenthesis, can be the name of a function.
func isName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}
