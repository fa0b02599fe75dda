package importer

import (
	"errors"
	"fmt"
	"strings"

	"evalctl/agent"
)

// question is a line of a question file: the chat messages of each turn, and the functions.
type question struct {
	ID       string      `json:"id"`
	Question [][]message `json:"question"`
	Function []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"function"`
}

// turns returns the turns of the case: each chat with its accepted labels.
func (q question) turns(labels [][]string) ([]turn, error) {
	if q.ID == "" {
		return nil, errors.New("id is missing")
	}
	if len(q.Question) != len(labels) {
		return nil, fmt.Errorf("has %d turns, and answers to %d", len(q.Question), len(labels))
	}
	var offered []agent.Document
	for i, f := range q.Function {
		if f.Name == "" {
			return nil, fmt.Errorf("function %d has no name", i)
		}
		offered = append(offered, agent.Document{Name: f.Name, Content: f.Description})
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
		t.Documents = offered
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
