package scorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// Words of a Demand that are no labels, and no source.
const (
	AsDecided = "decided" // whatever was decided has answered
	Nobody    = "nobody"  // has decided
)

// Demand is one way in which a turn may end that a fault struck. A list accepts any of its
// members, but of Steps and Events all must be there. What is left out is not asked,
// except that an error or an apology must be demanded.
type Demand struct {
	Cases   []string `yaml:"cases"`   // ids: these must end so, or as another demand that names them says, and no other case may
	Decided []string `yaml:"decided"` // the decision
	Source  []string `yaml:"source"`  // who made it, or Nobody
	Served  []string `yaml:"served"`  // what answered, or AsDecided
	Failure []string `yaml:"failure"` // code of what the answer apologises for
	Error   []string `yaml:"error"`   // kind of the error in place of an answer
	Steps   []string `yaml:"steps"`   // down to another: FROM>TO
	Events  []string `yaml:"events"`  // kinds of what happened
	Review  []string `yaml:"review"`  // who judged the last attempt, which passed; trace.Nobody: it was passed unjudged
}

// Degraded judges, of the turns that an injected fault struck, how they ended: by the
// demands that name the case, else by what the case expects under the fault, else by what
// its suite demands of all. An error is wrong where it is not demanded. A trial that nothing struck is left unjudged, without
// a name, and so is one of which nobody knows what should come of it.
type Degraded struct {
	Fault   string   // of the cell
	Demands []Demand // any of which will do; none: nobody knows
}

var _ eval.Scorer = Degraded{}

// Score is of the first struck turn that is wrong, else of the last.
func (s Degraded) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, p := range o.Turns {
		if !hasKind(p.Events, trace.KindFault) {
			continue
		}
		var failed *eval.Error
		if p.Failed || i == len(o.Turns)-1 {
			failed = o.Err
		}
		wrong, known, err := s.wrong(c, i, p, failed)
		if err != nil {
			return score, err
		}
		if !known {
			continue
		}
		score = aspect(eval.DegradedScore, i+1, eval.PassIf(wrong == ""))
		if score.Reason = wrong; wrong != "" {
			break
		}
	}
	return score, nil
}

// wrong says what is wrong with a turn, "" where nothing is; known is false where nobody
// can say.
func (s Degraded) wrong(c eval.Case, turn int, p eval.Played, failed *eval.Error) (wrong string, known bool, err error) {
	demands, own := s.of(c.ID)
	if turn < len(c.Turns) && !own {
		want, err := underOf(c.Turns[turn], s.Fault)
		if err != nil {
			return "", false, fmt.Errorf("%s: expect: %w", c.Pos, err)
		}
		if want != nil {
			return Demand{Served: want, Failure: anyFailure(p)}.wrong(p, failed), true, nil
		}
	}
	var list []string
	for _, d := range demands {
		wrong := d.wrong(p, failed)
		if wrong == "" {
			return "", true, nil
		}
		list = append(list, wrong)
	}
	return strings.Join(list, "; or "), demands != nil, nil
}

// of are the demands of a case: own are those that name it, which no others stand beside.
func (s Degraded) of(id string) (list []Demand, own bool) {
	var all []Demand
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

// anyFailure accepts an apology: a case names what serves, and no codes.
func anyFailure(p eval.Played) []string {
	if p.Reply.Failure == nil {
		return nil
	}
	return []string{p.Reply.Failure.Code}
}

// wrong says what in a turn is not as demanded, "" where all is.
func (d Demand) wrong(p eval.Played, failed *eval.Error) string {
	r := p.Reply
	if failed != nil {
		if !slices.Contains(d.Error, string(failed.Kind)) {
			return fmt.Sprintf("error %s, wants %s", failed.Kind, orNone(d.Error))
		}
	} else if d.Error != nil {
		return "no error, wants " + orNone(d.Error)
	}
	code := ""
	if r.Failure != nil {
		code = r.Failure.Code
	}
	served := d.Served
	if slices.Contains(served, AsDecided) {
		served = append(slices.Clone(served), r.Predicted)
	}
	source := r.Source
	if source == "" {
		source = Nobody
	}
	switch {
	case code != "" && !slices.Contains(d.Failure, code), code == "" && d.Failure != nil && failed == nil:
		return fmt.Sprintf("apology %q, wants %s", code, orNone(d.Failure))
	case d.Decided != nil && !slices.Contains(d.Decided, r.Predicted):
		return fmt.Sprintf("decided %q, wants %s", r.Predicted, orNone(d.Decided))
	case d.Source != nil && !slices.Contains(d.Source, source):
		return fmt.Sprintf("decided by %s, wants %s", source, orNone(d.Source))
	case d.Served != nil && !slices.Contains(served, r.Served):
		return fmt.Sprintf("served %q, wants %s", r.Served, orNone(d.Served))
	}
	return d.lacks(p.Events)
}

// lacks says which step or event is not there.
func (d Demand) lacks(events []trace.Event) string {
	for _, step := range d.Steps {
		if !slices.ContainsFunc(events, func(e trace.Event) bool { return e.Kind == trace.KindFallback && e.From+">"+e.To == step }) {
			return "no step " + step
		}
	}
	for _, kind := range d.Events {
		if !hasKind(events, trace.Kind(kind)) {
			return "no event " + kind
		}
	}
	if d.Review == nil {
		return ""
	}
	for _, e := range slices.Backward(events) {
		if e.Kind == trace.KindReview && e.Review != nil {
			if !e.Review.Passed || !slices.Contains(d.Review, e.Review.By) {
				return fmt.Sprintf("reviewed by %s, passed %v, wants one passed by %s", e.Review.By, e.Review.Passed, orNone(d.Review))
			}
			return ""
		}
	}
	return "no review"
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, " or ")
}

func hasKind(events []trace.Event, kind trace.Kind) bool {
	return slices.ContainsFunc(events, func(e trace.Event) bool { return e.Kind == kind })
}
