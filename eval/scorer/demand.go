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
	AsDecided  = "predicted"    // whatever was decided has answered
	AsAnswered = "model_answer" // what the model's own answer names was decided
	AsInvalid  = "invalid"      // what is decided by an answer that names no label
	Nobody     = "none"         // has decided
)

// Demand is one way in which a turn may end that a fault struck. A list accepts any of its
// members, but of Steps and Events all must be there. What is left out is not asked,
// except that an error or an apology must be demanded.
type Demand struct {
	Cases   []string `yaml:"cases"`       // ids: these must end so, or as another demand that names them says, and no other case may
	Decided []string `yaml:"predicted"`   // the decision, a table, or AsAnswered
	Source  []string `yaml:"decided_by"`  // who made it, or Nobody
	Served  []string `yaml:"answered_by"` // what answered, a table, or AsDecided
	Failure []string `yaml:"error_reply"` // code of what the answer apologises for
	Error   []string `yaml:"error"`       // kind of the error in place of an answer
	Steps   []string `yaml:"fallbacks"`   // down to another, or to what a table says: FROM>TO
	Events  []string `yaml:"events"`      // kinds of what happened
	Review  []string `yaml:"reviewer"`    // who judged the last attempt, which passed; trace.Nobody: it was passed unjudged
}

// in is the demand with what tables lay down of a turn in the place of their names; false
// where one says nothing of it, and is not asked.
func (d Demand) in(tables Tables, id string, turn int) (Demand, bool) {
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
	d.Decided, d.Served, d.Steps = put(d.Decided), put(d.Served), put(d.Steps)
	return d, known
}

// wrong says what in a turn is not as demanded, "" where all is.
func (d Demand) wrong(p eval.Played, failed *eval.Error) string {
	r := p.Reply
	if failed != nil {
		if !slices.Contains(d.Error, string(failed.Kind)) {
			return fmt.Sprintf("error %s, expected %s", failed.Kind, orNone(d.Error))
		}
	} else if d.Error != nil {
		return "no error, expected " + orNone(d.Error)
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
		return fmt.Sprintf("error reply %q, expected %s", code, orNone(d.Failure))
	case d.Decided != nil && !slices.Contains(d.Decided, r.Predicted) && !(slices.Contains(d.Decided, AsAnswered) && isByAnswer(p)):
		return fmt.Sprintf("predicted %q, expected %s", r.Predicted, orNone(d.Decided))
	case d.Source != nil && !slices.Contains(d.Source, source):
		return fmt.Sprintf("decided by %s, expected %s", source, orNone(d.Source))
	case d.Served != nil && !slices.Contains(served, r.Served):
		return fmt.Sprintf("answered by %q, expected %s", r.Served, orNone(d.Served))
	}
	return d.lacks(p.Events)
}

// lacks says which step or event is not there.
func (d Demand) lacks(events []trace.Event) string {
	for _, step := range d.Steps {
		if !slices.ContainsFunc(events, func(e trace.Event) bool { return e.Kind == trace.KindFallback && e.From+">"+e.To == step }) {
			return "no fallback " + step
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
				return fmt.Sprintf("reviewed by %s, passed %v, expected a pass by %s", e.Review.By, e.Review.Passed, orNone(d.Review))
			}
			return ""
		}
	}
	return "no review"
}

// isByAnswer tells whether the first answer of a model on which a decision was made names
// what was decided.
func isByAnswer(p eval.Played) bool {
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
