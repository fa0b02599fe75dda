package gate

import (
	"hash/fnv"
	"slices"
	"strings"

	"evalctl/eval"
)

// question is what a trial's row tells of its case: the turn that it speaks of, with
// its text and labels. Which turn of a conversation that is depends on the answers.
type question struct {
	turn int
	text uint64 // 0: not told
	want uint64 // 0: none
}

func questionOf(r eval.Result) question {
	q := question{turn: len(r.Turns)}
	if i := slices.IndexFunc(r.Scores, func(s eval.Score) bool { return !s.Aspect && len(s.Want) > 0 }); i >= 0 {
		q.turn, q.want = r.Scores[i].Turn, keyOf(strings.Join(r.Scores[i].Want, "\x00"))
	}
	if r.Text != "" {
		q.text = keyOf(r.Text)
	}
	return q
}

// isOtherText tells that the same turn has another text.
func (q question) isOtherText(other question) bool {
	return q.turn == other.turn && q.text != 0 && other.text != 0 && q.text != other.text
}

// isOtherLabel tells that the same turn wants something else.
func (q question) isOtherLabel(other question) bool {
	return q.turn == other.turn && q.want != 0 && other.want != 0 && q.want != other.want
}

func keyOf(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
