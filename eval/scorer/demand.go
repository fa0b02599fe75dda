package scorer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// Words of a Demand that are no labels, and no source. The name of a table is one, too.
const (
	MatchPredicted   = "predicted"    // whatever was decided has answered
	MatchModelAnswer = "model_answer" // what the model's own answer names was decided
	MatchInvalid     = "invalid"      // what is decided by an answer that names no label
	NoDecision       = "none"         // has decided
)

// ExpectedOutcome is one way in which a turn may end that a fault struck. A list accepts any of its
// members, but of Steps and Events all must be there. What is left out is not asked,
// except that an error or an apology must be demanded.
type ExpectedOutcome struct {
	Cases      []string `yaml:"cases"`       // ids: these must end so, or as another demand that names them says, and no other case may
	Predicted  []string `yaml:"predicted"`   // the decision, a table, or MatchModelAnswer
	DecidedBy  []string `yaml:"decided_by"`  // who made it, or Nobody
	AnsweredBy []string `yaml:"answered_by"` // what answered, a table, or MatchPredicted
	ErrorReply []string `yaml:"error_reply"` // code of what the answer apologises for
	Error      []string `yaml:"error"`       // kind of the error in place of an answer
	Fallbacks  []string `yaml:"fallbacks"`   // down to another, or to what a table says: FROM>TO
	Events     []string `yaml:"events"`      // kinds of what happened
	Reviewer   []string `yaml:"reviewer"`    // who judged the last attempt, which passed; trace.NoReviewer: it was passed unjudged
}

// in is the demand with what tables lay down of a turn in the place of their names; false
// where one says nothing of it, and is not asked.
func (d ExpectedOutcome) in(tables LabelTables, id string, turn int) (ExpectedOutcome, bool) {
	known := true
	put := func(words []string) []string {
		var list []string
		all := true
		for _, word := range words {
			at := strings.LastIndex(word, ">") + 1 // of what a step leads to
			if table, ok := tables[word[at:]]; ok {
				label := table.of(id, turn)
				all = all && label != ""
				word = word[:at] + label
			}
			list = append(list, word)
		}
		if known = known && all; !all {
			return nil
		}
		return list
	}
	d.Predicted, d.AnsweredBy, d.Fallbacks = put(d.Predicted), put(d.AnsweredBy), put(d.Fallbacks)
	return d, known
}

// wrong says what in a turn is not as demanded, "" where all is.
func (d ExpectedOutcome) wrong(p eval.TurnResult, failed *eval.Error) string {
	r := p.Reply
	if failed != nil {
		if !slices.Contains(d.Error, string(failed.Kind)) {
			return fmt.Sprintf("error %s, expected %s", failed.Kind, orNone(d.Error))
		}
	} else if d.Error != nil {
		return "no error, expected " + orNone(d.Error)
	}
	code := ""
	if r.ErrorReply != nil {
		code = r.ErrorReply.Code
	}
	served := d.AnsweredBy
	if slices.Contains(served, MatchPredicted) {
		served = append(slices.Clone(served), r.Predicted)
	}
	source := r.DecidedBy
	if source == "" {
		source = NoDecision
	}
	switch {
	case code != "" && !slices.Contains(d.ErrorReply, code), code == "" && d.ErrorReply != nil && failed == nil:
		return fmt.Sprintf("error reply %q, expected %s", code, orNone(d.ErrorReply))
	case d.Predicted != nil && !slices.Contains(d.Predicted, r.Predicted) && !(slices.Contains(d.Predicted, MatchModelAnswer) && isByAnswer(p)):
		return fmt.Sprintf("predicted %q, expected %s", r.Predicted, orNone(d.Predicted))
	case d.DecidedBy != nil && !slices.Contains(d.DecidedBy, source):
		return fmt.Sprintf("decided by %s, expected %s", source, orNone(d.DecidedBy))
	case d.AnsweredBy != nil && !slices.Contains(served, r.AnsweredBy):
		return fmt.Sprintf("answered by %q, expected %s", r.AnsweredBy, orNone(d.AnsweredBy))
	}
	return d.lacks(p.Events)
}

// lacks says which step or event is not there.
func (d ExpectedOutcome) lacks(events []trace.Event) string {
	for _, step := range d.Fallbacks {
		if !slices.ContainsFunc(events, func(e trace.Event) bool { return e.Kind == trace.KindFallback && e.From+">"+e.To == step }) {
			return "no fallback " + step
		}
	}
	for _, kind := range d.Events {
		if !hasKind(events, trace.Kind(kind)) {
			return "no event " + kind
		}
	}
	if d.Reviewer == nil {
		return ""
	}
	for _, e := range slices.Backward(events) {
		if e.Kind == trace.KindReview && e.Review != nil {
			if !e.Review.Passed || !slices.Contains(d.Reviewer, e.Review.Reviewer) {
				return fmt.Sprintf("reviewed by %s, passed %v, expected a pass by %s", e.Review.Reviewer, e.Review.Passed, orNone(d.Reviewer))
			}
			return ""
		}
	}
	return "no review"
}

// isByAnswer tells whether the first answer of a model on which a decision was made names
// what was decided.
func isByAnswer(p eval.TurnResult) bool {
	for _, e := range p.Events {
		if answer := e.Answer(); e.Kind == trace.KindRoute && answer != "" {
			label := p.Reply.Predicted
			return label != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(label)+`\b`).MatchString(answer)
		}
	}
	return false
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
