package intent

import "slices"

// Example is a row of a rule table, for tests of its two examples.
type Example struct {
	Rule    Rule
	Yes, No string
	Fires   func(text string) bool
	Asks    func(text string) bool // like Fires, but without the check for words
}

// Rows returns the rows of all rule tables.
func Rows() (list []Example) {
	b := rules()
	for _, table := range []struct {
		rows     []patternRow
		patterns []pattern
	}{{notImageRows, b.notImages}, {imageRows, b.images}, {imageEditRows, b.imageEdits}, {timeRows, b.times}, {searchRows, b.searches}} {
		for i, r := range table.rows {
			p := &table.patterns[i]
			list = append(list, Example{Rule: r.rule, Yes: r.yes, No: r.no,
				Fires: func(text string) bool { return anyOf(text, p.matches) },
				Asks:  func(text string) bool { return anyOf(text, p.matchesText) }})
		}
	}
	return list
}

func anyOf(text string, holds func(*clause) bool) bool {
	return slices.ContainsFunc(rules().clauses(text), func(c clause) bool { return holds(&c) })
}
