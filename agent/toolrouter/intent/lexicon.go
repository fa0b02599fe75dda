package intent

import "strings"

// lexicon holds word lists. In one pass over a text it finds every list with a word in it.
type lexicon struct {
	starts [1 << 12][]entry // indexed by a hash of the first two bytes of a word
	count  int
	always lists // lists without words
}

type entry struct {
	word string
	of   lists
}

// lists is a bit set of word lists.
type lists uint64

// add adds a list of words of at least two bytes, separated by spaces; _ is a space within a word.
func (l *lexicon) add(words string) (added lists) {
	added = 1 << l.count
	if added == 0 {
		panic("intent: more lists than a set can hold")
	}
	l.count++
	if words == "" {
		l.always |= added
	}
	for word := range strings.FieldsSeq(words) {
		word = strings.ReplaceAll(word, "_", " ")
		at := &l.starts[hashPair(word)]
		*at = append(*at, entry{word, added})
	}
	return added
}

func (l *lexicon) find(text string) lists {
	found := l.always
	for ; len(text) >= 2; text = text[1:] {
		for _, e := range l.starts[hashPair(text)] {
			if strings.HasPrefix(text, e.word) {
				found |= e.of
			}
		}
	}
	return found
}

func hashPair(text string) int { return (int(text[0])<<6 ^ int(text[1])) & (1<<12 - 1) }
