package importer

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"evalctl/agent"
)

// question is a line of the Berkeley Function Calling Leaderboard: one chat a
// turn, and the functions on offer.
type question struct {
	ID       string      `json:"id"`
	Question [][]message `json:"question"`
	Function []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"function"`
}

// readBFCL reads BFCL_v4_*.json of berkeley-function-call-leaderboard in
// github.com/ShishirPatil/gorilla, and BFCL_v3_* which look the same; the README
// of its data says what the categories mean. The label is the name of the
// function to call:
//
//   - several called at once: any of them is right, for the leaderboard's own
//     checker takes parallel calls in any order; the first is the primary one;
//   - several turns: the first call of each, for there the order matters, and
//     none in a turn without a call;
//   - irrelevance: none; live_relevance, where some call is wanted and nobody
//     says which: any function on offer.
//
// The functions on offer become documents, a name and a description each; their
// parameters are left out. Cases of several turns have none: their functions
// stand elsewhere. Answers are held in memory, a file's at a time.
func readBFCL(j *job) error {
	paths := []string{j.Path}
	if isFolder(j.Path) {
		var err error
		paths, err = filesIn(j.Path, func(name string) bool {
			return strings.HasPrefix(name, "BFCL_") && filepath.Ext(name) == ".json" &&
				!strings.Contains(name, "format_sensitivity") // which lists ids of the others
		})
		if err != nil {
			return err
		}
		if len(paths) == 0 {
			return fmt.Errorf("%s: holds no BFCL_*.json", plain(j.Path))
		}
	}
	for _, path := range paths {
		if err := j.readQuestions(path); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) readQuestions(path string) error {
	right, err := j.rightCalls(path)
	if err != nil {
		return err
	}
	return eachObject(j, path, func(at Place, q question) error {
		labels, err := right(q)
		if err != nil {
			return j.reject(at, err.Error())
		}
		turns, err := q.turns(labels)
		if err != nil {
			return j.reject(at, err.Error())
		}
		return j.add(row{
			place: at,
			id:    "bfcl-" + q.ID,
			tags:  []tag{{"category", category(q.ID)}, {"source", "gorilla/BFCL"}},
			turns: turns,
		})
	})
}

// category is the id without its number: live_parallel_0-0-0, simple_python_3.
func category(id string) string {
	if i := strings.LastIndexByte(id, '_'); i > 0 {
		return id[:i]
	}
	return id
}

// turns pairs each chat with its labels.
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
		t, err := converse(chat)
		if err != nil {
			return nil, fmt.Errorf("question %d: %w", i, err)
		}
		t.Documents = offered
		turns = append(turns, turn{Turn: t, labels: labels[i]})
	}
	return turns, nil
}
