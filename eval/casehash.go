package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// CaseHash is a fingerprint of a case, to detect that a dataset has changed between two runs. It
// consists of three hashes of eight hexadecimal digits: TEXT.INPUT.LABELS. "" means unknown.
//
//   - TEXT covers the messages of all turns.
//   - INPUT covers the rest of the input: history, images, documents, state, options, sessions,
//     pauses, time.
//   - LABELS covers the expectations of all turns, with all accepted alternatives.
//
// The ID, the tags, the split and the formatting of the dataset have no effect on it.
type CaseHash string

// NewCaseHash computes the fingerprint of a case.
func NewCaseHash(c Case) (CaseHash, error) {
	var room [3][192]byte
	text, input, labels := room[0][:0], room[1][:0], room[2][:0]
	if !c.Now.IsZero() {
		input = appendPart(input, c.Now.UTC().Format(time.RFC3339Nano))
	}
	for _, step := range c.Turns {
		if step.Batch == nil {
			text = appendPart(text, step.Text)
		}
		if step.Batch != nil { // a batch of one message must have another hash than a plain message
			text = append(text, 'b')
		}
		for _, m := range step.Batch {
			text = appendPart(text, m)
		}
		text = append(text, '\n')
		rest := step.Turn
		rest.Text, rest.Batch = "", nil
		if !reflect.ValueOf(&rest).Elem().IsZero() {
			b, err := json.Marshal(rest)
			if err != nil {
				return "", err
			}
			if input, err = appendJSON(input, b); err != nil {
				return "", err
			}
		}
		input = append(input, '\n')
		var err error
		if labels, err = appendJSON(labels, step.Expected); err != nil {
			return "", err
		}
	}
	hash := make([]byte, 0, 26)
	for i, part := range [...][]byte{text, input, labels} {
		if i > 0 {
			hash = append(hash, '.')
		}
		sum := sha256.Sum256(part)
		hash = hex.AppendEncode(hash, sum[:4])
	}
	return CaseHash(hash), nil
}

// appendPart appends a text with its length, so that adjacent texts cannot be confused.
func appendPart(b []byte, text string) []byte {
	return append(append(strconv.AppendInt(b, int64(len(text)), 10), ':'), text...)
}

// appendJSON appends a line with a JSON value in canonical form (RFC 8785), so that formatting has
// no effect on a hash. The line is empty if the value is empty.
func appendJSON(b, value []byte) ([]byte, error) {
	if len(value) > 0 {
		from := len(b)
		b = append(b, value...)
		canonical := jsontext.Value(b[from:len(b):len(b)])
		if err := canonical.Canonicalize(); err != nil {
			return nil, err
		}
		b = append(b[:from], canonical...)
	}
	return append(b, '\n'), nil
}

// RenamedCases finds the cases that have another ID in another run: for each ID that only now
// contains, it returns the ID that only before contains, if the cases have the same hash. A hash that
// is unknown, or that several cases of a run have, identifies no case.
func RenamedCases(before, now map[string]CaseHash) map[string]string {
	idsOf := func(list map[string]CaseHash) map[CaseHash][]string {
		ids := map[CaseHash][]string{}
		for id, hash := range list {
			ids[hash] = append(ids[hash], id)
		}
		return ids
	}
	renamed, old := map[string]string{}, idsOf(before)
	for hash, ids := range idsOf(now) {
		if hash == "" || len(ids) > 1 || len(old[hash]) != 1 {
			continue
		}
		_, isInBoth := before[ids[0]]
		_, isKept := now[old[hash][0]]
		if !isInBoth && !isKept {
			renamed[ids[0]] = old[hash][0]
		}
	}
	return renamed
}

var caseHash = regexp.MustCompile(`^([0-9a-f]{8})\.([0-9a-f]{8})\.([0-9a-f]{8})$`)

// IsValid reports whether the hash is "" (unknown) or has the form TEXT.INPUT.LABELS.
func (h CaseHash) IsValid() bool { return h == "" || caseHash.MatchString(string(h)) }

// CaseChange reports which parts of a case differ between two versions of a dataset: the messages,
// the rest of the input, or the labels.
type CaseChange struct{ Text, Input, Labels bool }

// IsChanged reports whether the case changed at all.
func (c CaseChange) IsChanged() bool { return c != CaseChange{} }

// Diff compares the hashes of two versions of a case. It reports no change if one of the hashes
// is unknown.
func (h CaseHash) Diff(other CaseHash) CaseChange {
	if h == other {
		return CaseChange{}
	}
	a, b := caseHash.FindStringSubmatch(string(h)), caseHash.FindStringSubmatch(string(other))
	if a == nil || b == nil {
		return CaseChange{}
	}
	return CaseChange{Text: a[1] != b[1], Input: a[2] != b[2], Labels: a[3] != b[3]}
}
