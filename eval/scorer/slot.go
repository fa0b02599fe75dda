package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"evalctl/agent"
	"evalctl/eval"
)

// Slot judges one value that the decision names besides the route, such as the
// subject of a picture: right when it holds one of the accepted words; where ""
// is accepted, when it is empty. A case of several turns is right when all of
// its labelled turns are.
type Slot struct {
	Name string // of the slot, in the expectation and in the reply
}

var _ eval.Scorer = Slot{}

// Score leaves a decision that could not be made unjudged, and gives a case
// without the label no name.
func (s Slot) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	return labelled{name: "slots." + s.Name, want: s.want, rule: s.rule}.score(c, o)
}

func (s Slot) want(step eval.Step) (want eval.OneOf, known bool, err error) {
	if len(step.Want) == 0 {
		return nil, false, nil
	}
	var expect struct {
		Slots map[string]eval.OneOf `json:"slots"`
	}
	if err := json.Unmarshal(step.Want, &expect); err != nil {
		return nil, false, fmt.Errorf("expect.slots: %w", err)
	}
	want = expect.Slots[s.Name]
	return want, want != nil, nil
}

func (s Slot) rule(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict) {
	if r.Failure != nil && r.Slots == nil {
		return "", eval.Unjudged
	}
	got = r.Slots[s.Name]
	return got, eval.PassIf(holds(got, want))
}

// holds compares without regard to case and width, in Chinese also without
// regard to spaces. A word of an alphabet must stand there as a word, or as its
// plural: ink is no part of pink.
func holds(got string, want eval.OneOf) bool {
	got = fold(got)
	for _, w := range want {
		w = fold(w)
		switch {
		case w == got:
			return true
		case w == "":
		case contains(got, w):
			return true
		case !strings.ContainsFunc(w, alphabetic) && strings.Contains(strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(w, " ", "")):
			return true
		}
	}
	return false
}

func fold(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), " ")
}

// contains looks for word between the ends of words.
func contains(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		begin, end := from+i, from+i+len(word)
		if !joined(text, begin) && (!joined(text, end) || plural(text, end)) {
			return true
		}
		from = begin + 1
	}
}

// joined tells whether two letters of an alphabet meet at i.
func joined(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return alphabetic(before) && alphabetic(after)
}

func alphabetic(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// plural tells whether only the end of a plural stands between i and the end of
// the word.
func plural(text string, i int) bool {
	for _, ending := range []string{"s", "es"} {
		if strings.HasPrefix(text[i:], ending) && !joined(text, i+len(ending)) {
			return true
		}
	}
	return false
}
