package scorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// FaultOutcome judges, of the turns that an injected fault struck, how they ended: by the
// demands that name the case, else by what the case expects under the fault, unless its turn
// was decided otherwise than it is labelled before anything was struck, which is not the
// fallback's, else by what its suite demands of all. An error is wrong where it is not demanded. A trial that nothing
// struck is left unjudged, without a name, and so is one of which nobody knows what should
// come of it: none is demanded, or a demand goes by a table that does not have the case. Such
// a one is not called wrong either: who cannot be right is no part of a share.
type FaultOutcome struct {
	Fault   string            // of the cell
	Field   string            // of the expectation that holds the label
	Demands []ExpectedOutcome // any of which will do; none: nobody knows
	Tables  LabelTables       // that the demands name
}

var _ eval.Scorer = FaultOutcome{}

// Score is of the first struck turn that is wrong, else of the last.
func (s FaultOutcome) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, p := range o.Turns {
		if !hasKind(p.Events, trace.KindFault) {
			continue
		}
		var failed *eval.Error
		if p.Error || i == len(o.Turns)-1 {
			failed = o.Err
		}
		wrong, known, err := s.wrong(c, i, p, failed)
		if err != nil {
			return score, err
		}
		if !known {
			continue
		}
		score = aspect(eval.FaultCorrectScore, i+1, eval.PassIf(wrong == ""))
		if score.Reason = wrong; wrong != "" {
			break
		}
	}
	return score, nil
}

// wrong says what is wrong with a turn, "" where nothing is; known is false where nobody
// can say.
func (s FaultOutcome) wrong(c eval.Case, turn int, p eval.TurnResult, failed *eval.Error) (wrong string, known bool, err error) {
	demands, own := s.of(c.ID)
	if turn < len(c.Turns) && !own {
		want, err := s.under(c.Turns[turn], p)
		if err != nil {
			return "", false, fmt.Errorf("%s: expect: %w", c.Pos, err)
		}
		if want != nil {
			return ExpectedOutcome{AnsweredBy: want, ErrorReply: anyFailure(p)}.wrong(p, failed), true, nil
		}
	}
	var list []string
	for _, d := range demands {
		d, laidDown := d.in(s.Tables, c.ID, turn+1)
		if !laidDown {
			return "", false, nil
		}
		list = append(list, d.wrong(p, failed))
	}
	if slices.Contains(list, "") {
		return "", true, nil
	}
	return strings.Join(list, "; or "), list != nil, nil
}

// of are the demands of a case: own are those that name it, which no others stand beside.
func (s FaultOutcome) of(id string) (list []ExpectedOutcome, own bool) {
	var all []ExpectedOutcome
	for _, d := range s.Demands {
		switch {
		case slices.Contains(d.Cases, id):
			list = append(list, d)
		case d.Cases == nil:
			all = append(all, d)
		}
	}
	if list != nil {
		return list, true
	}
	return all, false
}

// under is what a case expects of a turn under the fault; nil: it says nothing of this one.
func (s FaultOutcome) under(step eval.LabeledTurn, p eval.TurnResult) (eval.OneOf, error) {
	want, err := underOf(step, s.Fault)
	if err != nil || want == nil || !isDecidedUnstruck(p.Events) {
		return want, err
	}
	label, err := step.Labels(s.Field)
	if err != nil || label != nil && !label.Has(p.Reply.Predicted) {
		return nil, err
	}
	return want, nil
}

// isDecidedUnstruck tells a turn in which a decision was made before the first fault.
func isDecidedUnstruck(events []trace.Event) bool {
	first := slices.IndexFunc(events, func(e trace.Event) bool { return e.Kind == trace.KindRoute || e.Kind == trace.KindFault })
	return first >= 0 && events[first].Kind == trace.KindRoute
}

// anyFailure accepts an apology: a case names what serves, and no codes.
func anyFailure(p eval.TurnResult) []string {
	if p.Reply.ErrorReply == nil {
		return nil
	}
	return []string{p.Reply.ErrorReply.Code}
}
