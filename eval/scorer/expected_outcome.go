package scorer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// These words have a special meaning in an ExpectedOutcome. All other words are labels, decision
// sources or names of label tables.
const (
	MatchPredicted   = "predicted"    // the route that was predicted must also have answered
	MatchModelAnswer = "model_answer" // the model's own answer must name the predicted label
	MatchInvalid     = "invalid"      // the predicted label is the one for an answer without a valid label
	NoDecision       = "none"         // no component decided
)

// ExpectedOutcome describes one accepted outcome of a turn that an injected fault has affected. A
// field accepts any element of its list, but all elements of Fallbacks and Events must occur. A nil
// list is not checked. Nil Error and ErrorReply accept no error and no error reply.
type ExpectedOutcome struct {
	// IDs of the cases that this outcome applies to; nil: all cases that no other outcome lists
	CaseIDs    []string `yaml:"cases"`
	Predicted  []string `yaml:"predicted"`   // accepted labels, a label table, or MatchModelAnswer
	DecidedBy  []string `yaml:"decided_by"`  // accepted decision sources, or NoDecision
	AnsweredBy []string `yaml:"answered_by"` // accepted answering components, a label table, or MatchPredicted
	ErrorReply []string `yaml:"error_reply"` // accepted codes of error replies
	Error      []string `yaml:"error"`       // accepted kinds of an error that ends the turn without an answer
	Fallbacks  []string `yaml:"fallbacks"`   // required fallbacks as FROM>TO; TO may be a label table
	Events     []string `yaml:"events"`      // required kinds of trace events
	// accepted reviewers of the last attempt, which must pass; trace.NoReviewer: it passes without
	// a review
	Reviewer []string `yaml:"reviewer"`
}

// withTables returns the outcome with the names of label tables replaced by the label for this
// turn. ok is false if a table has no label for the turn.
func (d ExpectedOutcome) withTables(tables LabelTables, id string, turn int) (ExpectedOutcome, bool) {
	known := true
	put := func(words []string) []string {
		var list []string
		all := true
		for _, word := range words {
			at := strings.LastIndex(word, ">") + 1 // start of TO in a fallback FROM>TO
			if table, ok := tables[word[at:]]; ok {
				label := table.label(id, turn)
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

// wrong describes the first difference between the turn and this outcome. It returns "" if the turn
// matches. failed is the error that ended the turn; nil: none.
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
	answeredBy := d.AnsweredBy
	if slices.Contains(answeredBy, MatchPredicted) {
		answeredBy = append(slices.Clone(answeredBy), r.Predicted)
	}
	source := r.DecidedBy
	if source == "" {
		source = NoDecision
	}
	switch {
	case code != "" && !slices.Contains(d.ErrorReply, code), code == "" && d.ErrorReply != nil && failed == nil:
		return fmt.Sprintf("error reply %q, expected %s", code, orNone(d.ErrorReply))
	case d.Predicted != nil && !slices.Contains(d.Predicted, r.Predicted) &&
		!(slices.Contains(d.Predicted, MatchModelAnswer) && isModelAnswer(p)):
		return fmt.Sprintf("predicted %q, expected %s", r.Predicted, orNone(d.Predicted))
	case d.DecidedBy != nil && !slices.Contains(d.DecidedBy, source):
		return fmt.Sprintf("decided by %s, expected %s", source, orNone(d.DecidedBy))
	case d.AnsweredBy != nil && !slices.Contains(answeredBy, r.AnsweredBy):
		return fmt.Sprintf("answered by %q, expected %s", r.AnsweredBy, orNone(d.AnsweredBy))
	}
	return d.missingEvent(p.Events)
}

// missingEvent describes the first required fallback, event or review that is missing.
func (d ExpectedOutcome) missingEvent(events []trace.Event) string {
	for _, step := range d.Fallbacks {
		if !slices.ContainsFunc(events,
			func(e trace.Event) bool { return e.Kind == trace.KindFallback && e.From+">"+e.To == step }) {
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
				return fmt.Sprintf("reviewed by %s, passed %v, expected a pass by %s", e.Review.Reviewer,
					e.Review.Passed, orNone(d.Reviewer))
			}
			return ""
		}
	}
	return "no review"
}

// isModelAnswer reports whether the model's answer in the first decision names the predicted label.
func isModelAnswer(p eval.TurnResult) bool {
	for _, e := range p.Events {
		if answer := e.RawAnswer(); e.Kind == trace.KindRoute && answer != "" {
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
