package importer

import (
	"path/filepath"
	"strings"
)

// readBFCL reads BFCL_v4_*.json of berkeley-function-call-leaderboard in
// github.com/ShishirPatil/gorilla, and BFCL_v3_* in the same format. The README of its data
// describes the categories. The label is the name of the function to call:
//
//   - several calls at once: any of them, because the leaderboard accepts any order
//   - several turns: the first call of each turn, because the order matters; none without a call
//   - irrelevance: none
//   - live_relevance: any declared function, because the expected call is not specified
//
// The first accepted function is the primary label. The declared functions become documents with
// name and description, without parameters. Cases with several turns have none, because their
// functions are in other files. Answers are held in memory, one file at a time.
func readBFCL(j *job) error {
	paths, err := filesAt(j.Path, func(name string) bool {
		return strings.HasPrefix(name, "BFCL_") && filepath.Ext(name) == ".json" &&
			!strings.Contains(name, "format_sensitivity") // which lists IDs of other files
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
