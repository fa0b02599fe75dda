package importer

import (
	"path/filepath"
	"strings"
)

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
	paths, err := filesAt(j.Path, func(name string) bool {
		return strings.HasPrefix(name, "BFCL_") && filepath.Ext(name) == ".json" &&
			!strings.Contains(name, "format_sensitivity") // which lists ids of the others
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
	right, err := j.rightCalls(path)
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
