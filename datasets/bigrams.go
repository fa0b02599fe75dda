package datasets

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"evalctl/eval"
)

// gram is a bigram: a pair of adjacent characters.
type gram struct{ a, b rune }

// bigrams returns the character pairs of a text, in lower case and without spaces. Pairs that occur
// twice are returned twice, so 哈哈 differs from 哈哈哈哈. A text of one character has one bigram, an
// empty text none.
func bigrams(text string) []gram {
	chars := make([]rune, 0, len(text))
	for _, r := range text {
		if !unicode.IsSpace(r) {
			chars = append(chars, unicode.ToLower(r))
		}
	}
	if len(chars) == 1 {
		return []gram{{a: chars[0]}}
	}
	var all []gram
	for i := 1; i < len(chars); i++ {
		all = append(all, gram{chars[i-1], chars[i]})
	}
	return all
}

// userText returns the user's texts of all turns of a case, joined.
func userText(c eval.Case) string {
	var b strings.Builder
	for _, s := range c.Turns {
		b.WriteString(s.Text)
	}
	return b.String()
}

// vocabulary assigns a number to each bigram and counts in how many places it occurs.
type vocabulary struct {
	ids  map[gram]int32
	uses []int32
}

func (v *vocabulary) add(grams []gram) []int32 {
	ids := make([]int32, len(grams))
	for i, g := range grams {
		id, known := v.ids[g]
		if !known {
			id = int32(len(v.uses))
			v.ids[g], v.uses = id, append(v.uses, 0)
		}
		v.uses[id]++
		ids[i] = id
	}
	return ids
}

// byRarity renumbers the bigrams by frequency, so that the rarest one is 0. It sorts each set by
// the new numbers, because join requires that order.
func (v *vocabulary) byRarity(sets [][]int32) {
	order := make([]int32, len(v.uses))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(v.uses[a], v.uses[b]), cmp.Compare(a, b)) })
	rank := make([]int32, len(order))
	for at, id := range order {
		rank[id] = int32(at)
	}
	for _, set := range sets {
		for i, id := range set {
			set[i] = rank[id]
		}
		slices.Sort(set)
	}
}
