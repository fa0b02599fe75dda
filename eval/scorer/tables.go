package scorer

import (
	"slices"
	"strconv"
	"strings"
)

// LabelTables lay down, by name, what is right of single cases, written by hand from what a
// system is to do.
type LabelTables map[string]LabelTable

// LabelTable has cases by label: ids, or where turns differ ID#TURN, from 1.
type LabelTable map[string][]string

// of is the label of a turn; "" where the table says nothing of it.
func (t LabelTable) of(id string, turn int) string {
	for label, ids := range t {
		if slices.Contains(ids, id) || slices.Contains(ids, id+"#"+strconv.Itoa(turn)) {
			return label
		}
	}
	return ""
}

// CaseOf is the case of which a table's entry is.
func CaseOf(entry string) string {
	id, turn, ok := strings.Cut(entry, "#")
	if _, err := strconv.ParseUint(turn, 10, 16); !ok || err != nil {
		return entry
	}
	return id
}
