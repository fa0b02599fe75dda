// Package suggest tells of a word that is none of the known, and which one may
// have been meant.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// UnknownWordError says that word is no such thing, and which one may have been meant.
func UnknownWordError[S ~string](what string, word S, known []S) error {
	if now, ok := Renamed(word, known); ok {
		return fmt.Errorf("unknown %s %q: it is now %q", what, word, now)
	}
	if near, ok := Closest(word, known); ok {
		return fmt.Errorf("unknown %s %q, did you mean %q?", what, word, near)
	}
	return fmt.Errorf("unknown %s %q (known: %s)", what, word, Join(known))
}

// CheckWord is nil for a known word, else Unknown's error.
func CheckWord[S ~string](what string, word S, known []S) error {
	if slices.Contains(known, word) {
		return nil
	}
	return UnknownWordError(what, word, known)
}

// Join lists words.
func Join[S ~string](list []S) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// Closest finds the known word that is a few slips of the keyboard away.
func Closest[S ~string](word S, known []S) (near S, ok bool) {
	best := max(1, len(word)/3) + 1
	for _, k := range known {
		if d := slips(string(word), string(k)); d < best {
			near, best, ok = k, d, true
		}
	}
	return near, ok
}

// slips is the Levenshtein distance, with a swap of neighbours as one slip.
func slips(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
