package page

import (
	"slices"
	"strings"

	"evalctl/eval"
)

// names assigns numbers to different texts, in the order in which they are added. The number of the
// empty text is −1.
type names struct {
	list []string
	at   map[string]int
}

func (n *names) add(text string) int {
	if text == "" {
		return -1
	}
	if at, ok := n.at[text]; ok {
		return at
	}
	if n.at == nil {
		n.at = map[string]int{}
	}
	text = strings.Clone(text) // a copy, so that the line of the file that contains the text can be freed
	n.at[text] = len(n.list)
	n.list = append(n.list, text)
	return len(n.list) - 1
}

// interned returns the stored copy of a text, so that equal texts use memory once.
func (n *names) interned(text string) string {
	if at := n.add(text); at >= 0 {
		return n.list[at]
	}
	return ""
}

// sorted returns all texts in alphabetical order, and for each number the index of its text in this
// list.
func (n *names) sorted() (list []string, rank ranks) {
	list = append([]string{}, n.list...)
	slices.Sort(list)
	places := make(map[string]int, len(list))
	for i, text := range list {
		places[text] = i
	}
	rank = make(ranks, len(n.list))
	for i, text := range n.list {
		rank[i] = places[text]
	}
	return list, rank
}

// ranks maps the number of a text to its index in alphabetical order.
type ranks []int

// rank returns the index for a number; −1 for −1.
func (r ranks) rank(number int) int {
	if number < 0 {
		return -1
	}
	return r[number]
}

// expectedIndex returns the number of a set of expected labels; −1 for an empty set.
func (s *suite) expectedIndex(want eval.OneOf) int {
	if len(want) == 0 {
		return -1
	}
	number := s.expect.add(strings.Join(want, "\x00"))
	if number == len(s.expectedSets) {
		list := make([]int, len(want))
		for i, label := range want {
			list[i] = s.labels.add(label)
		}
		s.expectedSets = append(s.expectedSets, list)
	}
	return number
}
