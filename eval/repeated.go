package eval

import (
	"context"
	"fmt"
	"slices"
)

// Repeated is what the row repeats of its trial and case, as one text.
func (r Result) Repeated() []byte {
	said := fmt.Appendf(nil, "%q %q %q %q %q %q %d %q %q %q %q",
		r.Key, r.Suite, r.Case, r.CaseHash, r.Variant, r.Fault, r.Epoch, r.Tags, r.Text, r.Language, []string(r.Expected))
	for _, s := range r.Scores {
		if s.isWhole() {
			for _, j := range s.labelled() {
				said = fmt.Appendf(said, " %s %d %q", s.Name, j.Turn, []string(j.Want))
			}
		}
	}
	return said
}

// Repeat gives the row what another one repeats of the same trial.
func (r *Result) Repeat(of Result) {
	r.Key, r.Suite, r.Case, r.Variant, r.Fault, r.Epoch = of.Key, of.Suite, of.Case, of.Variant, of.Fault, of.Epoch
	r.CaseHash = of.CaseHash
	r.Tags, r.Text, r.Language, r.Expected = of.Tags, of.Text, of.Language, of.Expected
	for i := range min(len(r.Scores), len(of.Scores)) {
		s, t := &r.Scores[i], of.Scores[i]
		s.Name, s.Want = t.Name, t.Want
		for k := range min(len(s.Turns), len(t.Turns)) {
			s.Turns[k].Want = t.Turns[k].Want
		}
	}
}

// labelled are the turns that have a label.
func (s Score) labelled() []Judgement {
	if len(s.Turns) > 0 || len(s.Want) == 0 {
		return s.Turns
	}
	return []Judgement{{Turn: s.Turn, Want: s.Want}}
}

// Blanks are the trial's row before anything came of it, once for each turn that it may
// come to speak of.
func (t Trial) Blanks() (rows []Result) {
	r := Result{
		Key: t.Key(), Suite: t.Cell.Suite, Case: t.Case.ID, CaseHash: t.Case.Fingerprint,
		Variant: t.Cell.Variant, Fault: t.Cell.Fault, Epoch: t.Epoch, Tags: t.Case.Tags,
	}
	t.score(context.Background(), &r)
	i := slices.IndexFunc(r.Scores, func(s Score) bool { return s.isWhole() && len(s.Want) > 0 })
	if i < 0 {
		r.ask(t.Case.Turns)
		return []Result{r}
	}
	for _, j := range r.Scores[i].labelled() {
		r.Scores = slices.Clone(r.Scores)
		r.Scores[i].Turn, r.Scores[i].Want, r.Expected = j.Turn, j.Want, j.Want
		r.ask(t.Case.Turns)
		rows = append(rows, r)
	}
	return rows
}
