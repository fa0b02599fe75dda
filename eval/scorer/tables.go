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

// label returns the label of a turn; "": not in the table.
func (t LabelTable) label(id string, turn int) string {
	for label, ids := range t {
		if slices.Contains(ids, id) || slices.Contains(ids, id+"#"+strconv.Itoa(turn)) {
			return label
		}
	}
	return ""
}

// CaseID returns the case id of a table entry.
func CaseID(entry string) string {
	id, turn, ok := strings.Cut(entry, "#")
	if _, err := strconv.ParseUint(turn, 10, 16); !ok || err != nil {
		return entry
	}
	return id
}
