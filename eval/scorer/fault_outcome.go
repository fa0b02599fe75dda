package scorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// FaultOutcome scores whether the turns that an injected fault has affected end as expected. The
// expectation is the first of these that exists:
//
//   - the expected outcomes of the suite that name the case
//   - the case's own expectation under the fault, unless a decision before the fault was wrong
//   - the expected outcomes of the suite for all cases
//
// An error is wrong unless it is expected. A trial that the fault has not affected, or that has no
// expectation, gets a score without a name, which is not counted.
type FaultOutcome struct {
	Fault    string            // fault of the condition
	Field    string            // field of the case's expect object that contains the label
	Expected []ExpectedOutcome // accepted outcomes; nil: none is specified
	Tables   LabelTables       // label tables that Expected refers to
}

var _ eval.Scorer = FaultOutcome{}

// Score returns the score of the first affected turn that is wrong, or else of the last affected
// turn.
func (s FaultOutcome) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, p := range o.Turns {
		if !hasKind(p.Events, trace.KindFault) {
			continue
		}
		var failed *eval.Error
		if p.HasError || i == len(o.Turns)-1 {
			failed = o.Err
		}
		wrong, known, err := s.wrong(c, i, p, failed)
		if err != nil {
			return score, err
		}
		if !known {
			continue
		}
		score = attributeScore(eval.FaultCorrectScore, i+1, eval.PassIf(wrong == ""))
		if score.Reason = wrong; wrong != "" {
			break
		}
	}
	return score, nil
}

// wrong describes what is wrong with a turn, or returns "" if nothing is. known is false if there
// is no expectation for the turn.
func (s FaultOutcome) wrong(c eval.Case, turn int, p eval.TurnResult, failed *eval.Error) (wrong string,
	known bool, err error) {
	outcomes, isForCase := s.outcomesFor(c.ID)
	if turn < len(c.Turns) && !isForCase {
		want, err := s.caseExpectation(c.Turns[turn], p)
		if err != nil {
			return "", false, fmt.Errorf("%s: expect: %w", c.Pos, err)
		}
		if want != nil {
			return ExpectedOutcome{AnsweredBy: want, ErrorReply: anyErrorReply(p)}.wrong(p, failed), true, nil
		}
	}
	var list []string
	for _, d := range outcomes {
		d, hasLabel := d.withTables(s.Tables, c.ID, turn+1)
		if !hasLabel {
			return "", false, nil
		}
		list = append(list, d.wrong(p, failed))
	}
	if slices.Contains(list, "") {
		return "", true, nil
	}
	return strings.Join(list, "; or "), list != nil, nil
}

// outcomesFor returns the accepted outcomes for a case. own is true if they name the case.
func (s FaultOutcome) outcomesFor(id string) (list []ExpectedOutcome, own bool) {
	var all []ExpectedOutcome
	for _, d := range s.Expected {
		switch {
		case slices.Contains(d.CaseIDs, id):
			list = append(list, d)
		case d.CaseIDs == nil:
			all = append(all, d)
		}
	}
	if list != nil {
		return list, true
	}
	return all, false
}

// caseExpectation returns the components that the case itself accepts as answering this turn under
// the fault. It returns nil if there is no such expectation, or if a decision before the fault was
// wrong.
func (s FaultOutcome) caseExpectation(step eval.LabeledTurn, p eval.TurnResult) (eval.OneOf, error) {
	want, err := expectedUnderFault(step, s.Fault)
	if err != nil || want == nil || !isDecidedBeforeFault(p.Events) {
		return want, err
	}
	label, err := step.Labels(s.Field)
	if err != nil || label != nil && !label.Has(p.Reply.Predicted) {
		return nil, err
	}
	return want, nil
}

// isDecidedBeforeFault reports whether the turn made a decision before the fault.
func isDecidedBeforeFault(events []trace.Event) bool {
	first := slices.IndexFunc(events,
		func(e trace.Event) bool { return e.Kind == trace.KindRoute || e.Kind == trace.KindFault })
	return first >= 0 && events[first].Kind == trace.KindRoute
}

// anyErrorReply accepts any error reply, because cases name the component, not codes.
func anyErrorReply(p eval.TurnResult) []string {
	if p.Reply.ErrorReply == nil {
		return nil
	}
	return []string{p.Reply.ErrorReply.Code}
}
