package intent

import "strings"

// lexicon finds, in one pass, which of many word lists have a word in a text. Patterns of the other
// lists cannot match, so the slower matching skips them.
type lexicon struct {
	starts [1 << 12][]entry // words by a hash of their first two bytes
	count  int
	always lists // lists without words, which every text matches
	known  map[string]lists
}

type entry struct {
	word string
	of   lists
}

// lists is a bit set of word lists in a lexicon.
type lists uint64

// add adds a word list and returns its bit. Equal lists share one. Words have at least two bytes and
// are separated by spaces; _ is a space within a word.
func (l *lexicon) add(words string) (added lists) {
	if same, ok := l.known[words]; ok {
		return same
	}
	if l.known == nil {
		l.known = map[string]lists{}
	}
	added = 1 << l.count
	l.known[words] = added
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
