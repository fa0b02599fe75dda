package gate

import (
	"hash/fnv"
	"slices"
	"strings"

	"evalctl/eval"
)

// caseFingerprint is what a trial's row says about its case: the hash of all that it asks and
// expects, and the turn that the row shows, with its text and labels. Which turn of a
// conversation that is depends on the answers. Rows of an older evalctl have no hash.
type caseFingerprint struct {
	hash eval.CaseHash
	turn int
	text uint64 // 0: unknown
	want uint64 // 0: none
}

func questionOf(r eval.Result) caseFingerprint {
	q := caseFingerprint{hash: r.CaseHash, turn: len(r.Turns)}
	if i := slices.IndexFunc(r.Scores, func(s eval.Score) bool { return !s.Attribute && len(s.Expected) > 0 }); i >= 0 {
		q.turn, q.want = r.Scores[i].Turn, keyOf(strings.Join(r.Scores[i].Expected, "\x00"))
	}
	if r.Text != "" {
		q.text = keyOf(r.Text)
	}
	return q
}

// change is what differs between the cases of two rows. What the rows show counts beside the
// hashes, which an edited row may still have.
func (q caseFingerprint) change(other caseFingerprint) eval.CaseChange {
	c := q.hash.Change(other.hash)
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
