package intent

import "slices"

// Example is a row of the tables with its two examples, for the test that plays
// them.
type Example struct {
	Rule    Rule
	Yes, No string
	Fires   func(text string) bool
	Asks    func(text string) bool // as Fires, without the words that it is on
}

// Rows are the rows of all tables.
func Rows() (list []Example) {
	for _, table := range [][]row{imageRows, timeRows, searchRows} {
		for _, r := range table {
			p := &compile([]row{r})[0]
			list = append(list, Example{Rule: r.rule, Yes: r.yes, No: r.no,
				Fires: func(text string) bool { return anyOf(text, p.fires) },
				Asks:  func(text string) bool { return anyOf(text, p.asks) }})
		}
	}
	return list
}

func anyOf(text string, holds func(*clause) bool) bool {
	return slices.ContainsFunc(plain(text), func(c clause) bool { return holds(&c) })
}
