package importer

import (
	"path/filepath"
	"strings"
)

// readBFCL imports the Berkeley Function Calling Leaderboard: BFCL_v4_*.json, or BFCL_v3_* in the
// same format, of berkeley-function-call-leaderboard in github.com/ShishirPatil/gorilla. The label
// of a turn is the name of the function to call. It depends on the category of the question:
//
//   - several calls in one turn: any of the functions, because the leaderboard accepts any order
//   - several turns: the function of the first call of each turn, or none
//   - irrelevance: none
//   - live_relevance: any declared function, because the expected call is not specified
//
// The declared functions become the tools of the input, in OpenAI's format, with parameters. Cases
// with several turns have no tools, because their functions are in other files. The expected answers
// of one file at a time are in memory.
func readBFCL(j *job) error {
	paths, err := filesAt(j.Path, func(name string) bool {
		return strings.HasPrefix(name, "BFCL_") && filepath.Ext(name) == ".json" &&
			!strings.Contains(name, "format_sensitivity") // this file lists IDs of other files
	}, "holds no BFCL_*.json")
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := j.readQuestions(path); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) readQuestions(path string) error {
	right, err := j.expectedCalls(path)
	if err != nil {
		return err
	}
	return eachObject(j, path, func(at Position, q question) error {
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
