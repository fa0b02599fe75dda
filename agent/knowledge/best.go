package knowledge

// match is the similarity between a style and one text of a query. Both are given by index.
type match struct {
	text, style int
	similarity  float64
}

// best selects at most limit styles from matches, which are sorted by similarity. The first texts
// of the query (names of them) are style names, and the best style for each has priority. The
// result stays sorted.
func best(matches []match, names, limit int) (picked []match) {
	taken, hasBest := map[int]bool{}, map[int]bool{}
	for _, m := range matches {
		if m.text < names && !hasBest[m.text] && len(taken) < limit {
			taken[m.style] = true
		}
		hasBest[m.text] = true
	}
	for _, m := range matches {
		if len(taken) < limit {
			taken[m.style] = true
		}
	}
	for _, m := range matches {
		if taken[m.style] {
			picked = append(picked, m)
			delete(taken, m.style)
		}
	}
	return picked
}
