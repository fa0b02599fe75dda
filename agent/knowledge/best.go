package knowledge

// match is how similar a style is to one of the texts of a query.
type match struct {
	text, style int
	similarity  float64
}

// best picks from matches, the most similar first, at most limit styles: the
// best of each of the first texts, which are names, before all others. It keeps
// the order.
func best(matches []match, names, limit int) (picked []match) {
	taken, answered := map[int]bool{}, map[int]bool{}
	for _, m := range matches {
		if m.text < names && !answered[m.text] && len(taken) < limit {
			taken[m.style] = true
		}
		answered[m.text] = true
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
