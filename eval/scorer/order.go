package scorer

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// EventOrder judges the stream of events that a user interface is sent: every turn
// has them in the right order, no component twice in one visit of a node, and
// the answer at the end.
type EventOrder struct {
	Pattern *regexp.Regexp // matches a right stream as a whole: a word "KIND:NODE " for each event of the ordered kinds
}

// ordered are the kinds of events whose order is judged: all that clients hear of, but
// for pieces of texts.
var ordered = []trace.Kind{
	trace.KindThoughtLog, trace.KindError, trace.KindGenUIComponent,
	trace.KindThinkingStart, trace.KindThinkingEnd, trace.KindNodeComplete, trace.KindNodeError,
	trace.KindSummaryInit, trace.KindSummaryStart, trace.KindSummaryComplete, trace.KindSummaryError,
}

var _ eval.Scorer = EventOrder{}

// Score names the first turn that is out of order; no turn is unjudged.
func (s EventOrder) Score(_ context.Context, _ eval.Case, o eval.Outcome) (eval.Score, error) {
	return streams("events.in_order", o, s.check), nil
}

// check says what is wrong with a stream, "" when nothing is.
func (s EventOrder) check(events []trace.Event) string {
	var stream strings.Builder
	node, shown, ended := "", map[string]bool{}, false
	for i, e := range events {
		if e.Kind == trace.KindDone {
			if i != len(events)-1 {
				return "events follow the end"
			}
			ended = true
			continue
		}
		if !slices.Contains(ordered, e.Kind) {
			continue
		}
		if e.Node != node {
			node, shown = e.Node, map[string]bool{}
		}
		if e.Kind == trace.KindGenUIComponent {
			if shown[string(e.Data)] {
				return fmt.Sprintf("%s shows a component twice", e.Node)
			}
			shown[string(e.Data)] = true
		}
		stream.WriteString(string(e.Kind) + ":" + e.Node + " ")
	}
	if !ended {
		return "no end"
	}
	if !s.Pattern.MatchString(stream.String()) {
		return "out of order: " + strings.TrimSpace(stream.String())
	}
	return ""
}
