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

// EventOrder scores the events that an agent sends to a user interface. In every turn they must
// have the correct order and end with the answer. A component must not be sent twice while the same
// node runs.
type EventOrder struct {
	// Pattern matches the events of a correct turn, each written as "KIND:NODE ".
	Pattern *regexp.Regexp
}

// ordered contains the kinds of events that are checked: what clients receive, except text.
var ordered = []trace.Kind{
	trace.KindThoughtLog, trace.KindError, trace.KindGenUIComponent,
	trace.KindThinkingStart, trace.KindThinkingEnd, trace.KindNodeComplete, trace.KindNodeError,
	trace.KindSummaryInit, trace.KindSummaryStart, trace.KindSummaryComplete, trace.KindSummaryError,
}

var _ eval.Scorer = EventOrder{}

// Score passes if all turns are correct. Otherwise its reason describes what is wrong in the first
// incorrect turn. An outcome without turns is unscored.
func (s EventOrder) Score(_ context.Context, _ eval.Case, o eval.Outcome) (eval.Score, error) {
	return streams("events.in_order", o, s.check), nil
}

// check returns what is wrong with the events of a turn, or "" if nothing is.
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
