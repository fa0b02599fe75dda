package intent

// Example is a row of the tables with its two examples, for the test that plays
// them.
type Example struct {
	Rule    Rule
	Yes, No string
	Fires   func(text string) bool
}

// Rows are the rows of all tables.
func Rows() (list []Example) {
	for _, table := range [][]row{imageRows, timeRows, searchRows} {
		for _, r := range table {
			list = append(list, Example{r.rule, r.yes, r.no, func(text string) bool {
				return first(compile([]row{r}), plain(text)) != ""
			}})
		}
	}
	return list
}
