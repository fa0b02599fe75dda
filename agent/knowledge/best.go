package knowledge

// match is the similarity between a style and one text of a query. Both are given by index.
type match struct {
	text, style int
	similarity  float64
}

// exactSimilarity is the similarity of a text that is the name of a style, apart from rounding.
const exactSimilarity = 1 - 2e-6

// withoutNear drops the styles with similar names from matches, which are sorted by similarity: if
// a text is the name of a style, or is most similar to a style that another text names, it matches
// only the named styles. 水墨 is not 水墨漫画.
func withoutNear(matches []match) (list []match) {
	isNamed, namesOnly, seen := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, m := range matches {
		isNamed[m.style] = isNamed[m.style] || m.similarity >= exactSimilarity
	}
	for _, m := range matches {
		if !seen[m.text] {
			seen[m.text], namesOnly[m.text] = true, isNamed[m.style]
		}
		if isNamed[m.style] || !namesOnly[m.text] {
			list = append(list, m)
		}
	}
	return list
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
