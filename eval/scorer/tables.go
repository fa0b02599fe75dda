package scorer

import (
	"slices"
	"strconv"
	"strings"
)

// LabelTables has tables by name. A table gives the correct label of single cases, written by hand
// from the system's specification.
type LabelTables map[string]LabelTable

// LabelTable has case ids by label; ID#TURN (from 1) for a single turn.
type LabelTable map[string][]string

// of returns the label of a turn; "": not in the table.
func (t LabelTable) of(id string, turn int) string {
	for label, ids := range t {
		if slices.Contains(ids, id) || slices.Contains(ids, id+"#"+strconv.Itoa(turn)) {
			return label
		}
	}
	return ""
}

// CaseOf returns the case id of a table entry.
func CaseOf(entry string) string {
	id, turn, ok := strings.Cut(entry, "#")
	if _, err := strconv.ParseUint(turn, 10, 16); !ok || err != nil {
		return entry
	}
	return id
}
