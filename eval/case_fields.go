package eval

import (
	"context"
	"fmt"
	"slices"
)

// EncodeCaseFields returns, as one text, the fields of a result that come from its trial and case.
// Two results with equal texts belong to the same trial of the same case.
func (r Result) EncodeCaseFields() []byte {
	text := fmt.Appendf(nil, "%q %q %q %q %q %q %d %q %q %q %q",
		r.Key, r.Suite, r.Case, r.CaseHash, r.Variant, r.Fault, r.Epoch, r.Tags, r.Text, r.Language,
		[]string(r.Expected))
	for _, s := range r.Scores {
		if s.isWhole() {
			for _, j := range s.labeled() {
				text = fmt.Appendf(text, " %s %d %q", s.Name, j.Turn, []string(j.Expected))
			}
		}
	}
	return text
}

// CopyCaseFields copies the fields that [Result.EncodeCaseFields] covers from another result of the
// same trial.
func (r *Result) CopyCaseFields(source Result) {
	r.Key = source.Key
	r.Suite = source.Suite
	r.Case = source.Case
	r.Variant = source.Variant
	r.Fault = source.Fault
	r.Epoch = source.Epoch
	r.CaseHash = source.CaseHash
	r.Tags = source.Tags
	r.Text = source.Text
	r.Language = source.Language
	r.Expected = source.Expected
	for i := range min(len(r.Scores), len(source.Scores)) {
		s, t := &r.Scores[i], source.Scores[i]
		s.Name, s.Expected = t.Name, t.Expected
		for k := range min(len(s.Turns), len(t.Turns)) {
			s.Turns[k].Expected = t.Turns[k].Expected
		}
	}
}

// labeled returns the scores of the turns that have an expected label.
func (s Score) labeled() []TurnScore {
	if len(s.Turns) > 0 || len(s.Expected) == 0 {
		return s.Turns
	}
	return []TurnScore{{Turn: s.Turn, Expected: s.Expected}}
}

// EmptyResults returns results of the trial that contain everything except the answer. They serve
// to check whether a stored result belongs to the trial. There is one result for each turn that may
// become the scored turn.
func (t Trial) EmptyResults() (rows []Result) {
	r := Result{
		Key:      t.Key(),
		Suite:    t.Condition.Suite,
		Case:     t.Case.ID,
		CaseHash: t.Case.Fingerprint,
		Variant:  t.Condition.Variant,
		Fault:    t.Condition.Fault,
		Epoch:    t.Epoch,
		Tags:     t.Case.Tags,
	}
	t.score(context.Background(), &r)
	i := slices.IndexFunc(r.Scores, func(s Score) bool { return s.isWhole() && len(s.Expected) > 0 })
	if i < 0 {
		r.setText(t.Case.Turns)
		return []Result{r}
	}
	for _, j := range r.Scores[i].labeled() {
		r.Scores = slices.Clone(r.Scores)
		r.Scores[i].Turn, r.Scores[i].Expected, r.Expected = j.Turn, j.Expected, j.Expected
		r.setText(t.Case.Turns)
		rows = append(rows, r)
	}
	return rows
}
