package scorer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// Words of an ExpectedOutcome that are neither labels nor sources. A table name is another such
// word.
const (
	MatchPredicted   = "predicted"    // the predicted route answered
	MatchModelAnswer = "model_answer" // the prediction is named in the model's own answer
	MatchInvalid     = "invalid"      // label that results from an answer without a valid label
	NoDecision       = "none"         // nothing decided
)

// ExpectedOutcome is one accepted end of an affected turn. A list accepts any of its members, but
// Fallbacks and Events must all occur. A nil list is not checked, except that an error or an error
// reply must be listed.
type ExpectedOutcome struct {
	// ids: these cases must end this way, or as another outcome that names them; other cases must
	// not
	Cases      []string `yaml:"cases"`
	Predicted  []string `yaml:"predicted"`   // labels, a table, or MatchModelAnswer
	DecidedBy  []string `yaml:"decided_by"`  // sources, or NoDecision
	AnsweredBy []string `yaml:"answered_by"` // components that answered, a table, or MatchPredicted
	ErrorReply []string `yaml:"error_reply"` // codes of error replies
	Error      []string `yaml:"error"`       // kinds of errors in place of an answer
	Fallbacks  []string `yaml:"fallbacks"`   // FROM>TO, where TO may be a table
	Events     []string `yaml:"events"`      // kinds of events
	// reviewers of the last attempt, which passed; trace.NoReviewer: passed without a review
	Reviewer []string `yaml:"reviewer"`
}

// withTables returns the outcome with table names replaced by the tables' labels of a turn; false
// if a table has no label for it.
func (d ExpectedOutcome) withTables(tables LabelTables, id string, turn int) (ExpectedOutcome, bool) {
	known := true
	put := func(words []string) []string {
		var list []string
		all := true
		for _, word := range words {
			at := strings.LastIndex(word, ">") + 1 // start of TO in a fallback
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

// wrong returns the difference between a turn and the outcome, "" if none.
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

// missingEvent returns the missing fallback, event or review, "" if none.
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

// isModelAnswer reports whether the first model answer used for a decision names the prediction.
func isModelAnswer(p eval.TurnResult) bool {
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
