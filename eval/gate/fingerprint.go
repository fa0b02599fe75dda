package gate

import (
	"hash/fnv"
	"slices"
	"strings"

	"evalctl/eval"
)

// caseFingerprint identifies the case of a result, to detect cases that changed since the baseline
// run. It contains the case hash, and the turn, text and labels that the result contains. Results
// of an older evalctl have no case hash. In a conversation, the turn depends on the answers.
type caseFingerprint struct {
	hash eval.CaseHash
	turn int
	text uint64 // hash of the message; 0: unknown
	want uint64 // hash of the expected labels; 0: none
}

func fingerprintOf(r eval.Result) caseFingerprint {
	q := caseFingerprint{hash: r.CaseHash, turn: len(r.Turns)}
	if i := slices.IndexFunc(r.Scores,
		func(s eval.Score) bool { return !s.IsAttribute && len(s.Expected) > 0 }); i >= 0 {
		q.turn, q.want = r.Scores[i].Turn, keyOf(strings.Join(r.Scores[i].Expected, "\x00"))
	}
	if r.Text != "" {
		q.text = keyOf(r.Text)
	}
	return q
}

// change returns the differences between the cases of two results. It also compares text and
// labels, because an edited result may still contain its old hash.
func (q caseFingerprint) change(other caseFingerprint) eval.CaseChange {
	c := q.hash.Diff(other.hash)
	if q.turn == other.turn {
		c.Text = c.Text || q.text != 0 && other.text != 0 && q.text != other.text
		c.Labels = c.Labels || q.want != 0 && other.want != 0 && q.want != other.want
	}
	return c
}

func keyOf(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
