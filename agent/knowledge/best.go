package knowledge

// match is the similarity of a style to one text of a query.
type match struct {
	text, style int
	similarity  float64
}

// best selects at most limit styles from matches, which are sorted by similarity. The best style
// for each of the first texts, which are names, precedes all others. The order is kept.
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
