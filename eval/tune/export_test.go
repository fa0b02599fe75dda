package tune

import "fmt"

// Folds returns the fold that each case is assigned to. labels contains the label of each case.
func Folds(labels []string, n int, seed uint64) []int {
	c := &curve{}
	for i, l := range labels {
		c.cases = append(c.cases, cluster{id: fmt.Sprint(i), label: l})
	}
	return c.folds(n, seed)
}

const MaxPoints = maxPoints
