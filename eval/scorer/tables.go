package scorer

import (
	"slices"
	"strconv"
	"strings"
)

// LabelTables contains label tables by name. A label table assigns the correct label to single
// cases for expected outcomes. It is written by hand from the specification of the system.
type LabelTables map[string]LabelTable

// LabelTable maps a label to its cases. A case is given by its ID, or as ID#TURN (from 1) for a
// single turn.
type LabelTable map[string][]string

// label returns the label of a turn, or "" if the table does not contain the turn.
func (t LabelTable) label(id string, turn int) string {
	for label, ids := range t {
		if slices.Contains(ids, id) || slices.Contains(ids, id+"#"+strconv.Itoa(turn)) {
			return label
		}
	}
	return ""
}

// EntryCaseID returns the case ID of an entry in a label table, without #TURN.
func EntryCaseID(entry string) string {
	id, turn, ok := strings.Cut(entry, "#")
	if _, err := strconv.ParseUint(turn, 10, 16); !ok || err != nil {
		return entry
	}
	return id
}
