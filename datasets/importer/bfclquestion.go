package importer

import (
	"errors"
	"fmt"
	"strings"

	v2 "github.com/go-json-experiment/json"

	"evalctl/agent"
)

// question is a line of a question file: the chat messages of each turn, and the functions.
type question struct {
	ID       string      `json:"id"`
	Question [][]message `json:"question"`
	Function []function  `json:"function"`
}

// function is a function that the agent may call. Parameters is a JSON Schema in which types have
// the names of Python.
type function struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  any    `json:"parameters"`
}

// tools returns the functions as the tools of a turn; nil: there are none.
func (q question) tools() (list []agent.Tool, err error) {
	for i, f := range q.Function {
		if f.Name == "" {
			return nil, fmt.Errorf("function %d has no name", i)
		}
		t := agent.Tool{Type: "function", Function: agent.Function{Name: f.Name, Description: f.Description}}
		if f.Parameters != nil {
			if t.Function.Parameters, err = v2.Marshal(withJSONTypes(f.Parameters), v2.Deterministic(true)); err != nil {
				return nil, fmt.Errorf("function %d: parameters cannot be written as JSON", i)
			}
		}
		list = append(list, t)
	}
	return list, nil
}

// jsonTypes maps the names of types in BFCL to those of JSON Schema, as the leaderboard does.
var jsonTypes = map[string]string{"dict": "object", "float": "number", "tuple": "array", "any": "string"}

// withJSONTypes returns a JSON Schema with the types of JSON Schema.
func withJSONTypes(schema any) any {
	switch v := schema.(type) {
	case []any:
		for i := range v {
			v[i] = withJSONTypes(v[i])
		}
	case map[string]any:
		for name, value := range v {
			if known, ok := jsonTypes[fmt.Sprint(value)]; ok && name == "type" {
				value = known
			}
			v[name] = withJSONTypes(value)
		}
	}
	return schema
}

// turns returns the turns of the case: each chat with its accepted labels.
func (q question) turns(labels [][]string) ([]turn, error) {
	if q.ID == "" {
		return nil, errors.New("id is missing")
	}
	if len(q.Question) != len(labels) {
		return nil, fmt.Errorf("has %d turns, and answers to %d", len(q.Question), len(labels))
	}
	tools, err := q.tools()
	if err != nil {
		return nil, err
	}
	var turns []turn
	for i, chat := range q.Question {
		if len(chat) == 0 {
			return nil, fmt.Errorf("question %d has no message: it adds functions, which cannot be said", i)
		}
		t, err := chatTurn(chat)
		if err != nil {
			return nil, fmt.Errorf("question %d: %w", i, err)
		}
		t.Tools = tools
		turns = append(turns, turn{Turn: t, labels: labels[i]})
	}
	return turns, nil
}

func (q question) functionNames() (names []string) {
	for _, f := range q.Function {
		names = append(names, f.Name)
	}
	return names
}

// category returns the ID of a question without its number: simple_python for simple_python_3.
func category(id string) string {
	if i := strings.LastIndexByte(id, '_'); i > 0 {
		return id[:i]
	}
	return id
}
