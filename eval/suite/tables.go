package suite

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"evalctl/eval/scorer"
	"evalctl/eval/suggest"
)

// checkTables returns an error if a label table of the suite file contains an unknown label, or if
// the name of a table is also a keyword of expected outcomes.
func (s Suite) checkTables() error {
	c := s.System().Contract
	labels := slices.Concat(c.Labels, c.OtherRoutes)
	for _, name := range slices.Sorted(maps.Keys(s.LabelTables)) {
		if slices.Contains(slices.Concat(labels, s.System().DecisionSources,
			[]string{scorer.MatchPredicted, scorer.MatchModelAnswer, scorer.MatchInvalid, scorer.NoDecision}), name) {
			return fmt.Errorf("%s: is a word of its own", name)
		}
		for _, label := range slices.Sorted(maps.Keys(s.LabelTables[name])) {
			if err := suggest.CheckKnown("label", label, labels); err != nil && !c.HasDatasetLabels() {
				return fmt.Errorf("%s.%s: %w", name, label, err)
			}
		}
	}
	return nil
}

// checkTableCases returns an error if the cases of a label table are not those that run. It also
// rejects a case that a table contains twice.
func (s Suite) checkTableCases() error {
	for _, name := range slices.Sorted(maps.Keys(s.LabelTables)) {
		// listed contains the entries of the table; inTurns contains the cases with entries for
		// single turns
		listed, inTurns := map[string]bool{}, map[string]bool{}
		for _, label := range slices.Sorted(maps.Keys(s.LabelTables[name])) {
			for i, entry := range s.LabelTables[name][label] {
				id := scorer.EntryCaseID(entry)
				err := suggest.CheckKnown("case", id, s.Cases)
				if listed[entry] || listed[id] || entry == id && inTurns[id] {
					err = errors.New("is given twice")
				}
				if err != nil {
					return fmt.Errorf("label_tables.%s.%s[%d]: %s: %w", name, label, i, entry, err)
				}
				listed[entry], inTurns[id] = true, inTurns[id] || entry != id
			}
		}
		for _, id := range s.Cases {
			if !listed[id] && !inTurns[id] {
				return fmt.Errorf("label_tables.%s: has no entry for case %s, which is run", name, id)
			}
		}
	}
	return nil
}
