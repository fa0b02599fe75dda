// Package suggest builds error messages for unknown words, such as a mistyped flag: they contain
// the new name of a renamed word, the most similar known word, or all known words.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// UnknownWordError returns the error for an unknown word. The error contains the new name of the
// word, else the most similar known word, else all known words. what is the kind of word, such as
// "component".
func UnknownWordError[S ~string](what string, word S, known []S) error {
	if now, ok := CurrentName(word, known); ok {
		return fmt.Errorf("unknown %s %q: it is now %q", what, word, now)
	}
	if near, ok := Closest(word, known); ok {
		return fmt.Errorf("unknown %s %q, did you mean %q?", what, word, near)
	}
	return fmt.Errorf("unknown %s %q (known: %s)", what, word, JoinWords(known))
}

// CheckKnown returns nil if word is among the known words, otherwise an [UnknownWordError].
func CheckKnown[S ~string](what string, word S, known []S) error {
	if slices.Contains(known, word) {
		return nil
	}
	return UnknownWordError(what, word, known)
}

// JoinWords returns the words separated by ", ".
func JoinWords[S ~string](list []S) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// Closest returns the known word with the smallest edit distance to word. The distance may be up to
// a third of the length of word, and at least 1. ok is false if no word is that similar.
func Closest[S ~string](word S, known []S) (near S, ok bool) {
	best := max(1, len(word)/3) + 1
	for _, k := range known {
		if d := editDistance(string(word), string(k)); d < best {
			near = k
			best = d
			ok = true
		}
	}
	return near, ok
}

// editDistance returns the Levenshtein distance of two texts in bytes. A swap of two neighbors
// counts as one edit (optimal string alignment).
func editDistance(a, b string) int {
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
