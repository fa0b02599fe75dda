package intent

import "strings"

// lexicon has lists of words, and tells in one pass which of them a text holds a word of.
type lexicon struct {
	starts [1 << 12][]entry // by the first two bytes of words, some pairs together
	known  int
	always lists // those without words
}

type entry struct {
	word string
	of   lists
}

// lists is a set of lists, a bit each.
type lists uint64

// add takes a list of words of two bytes and more, parted by spaces, _ for a space within one.
func (l *lexicon) add(words string) (added lists) {
	added = 1 << l.known
	if added == 0 {
		panic("intent: more lists than a set can hold")
	}
	l.known++
	if words == "" {
		l.always |= added
	}
	for word := range strings.FieldsSeq(words) {
		word = strings.ReplaceAll(word, "_", " ")
		at := &l.starts[pair(word)]
		*at = append(*at, entry{word, added})
	}
	return added
}

func (l *lexicon) heldBy(text string) lists {
	found := l.always
	for ; len(text) >= 2; text = text[1:] {
		for _, e := range l.starts[pair(text)] {
			if strings.HasPrefix(text, e.word) {
				found |= e.of
			}
		}
	}
	return found
}

func pair(text string) int { return (int(text[0])<<6 ^ int(text[1])) & (1<<12 - 1) }
