package reports

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"evalctl/agent"
	"evalctl/reports/document"
)

// pathLines describes a turn in which an agent made several decisions. It returns one line for each
// decision (step): what was executed, what was proposed instead, what decided and why.
func pathLines(steps []agent.Step, width int) (lines []document.Line) {
	digits := len(strconv.Itoa(len(steps)))
	for i, s := range steps {
		mark := padLeft(strconv.Itoa(i+1), digits)
		lines = append(lines, document.Line{Indent: 2, Mark: mark, Text: stepText(s, width-2-digits-1)})
	}
	return lines
}

func pathSummary(steps []agent.Step) string {
	if len(steps) == 0 {
		return ""
	}
	corrected, calledAgain := 0, 0
	for _, s := range steps {
		if s.IsCorrected() {
			corrected++
		}
		if s.IsDiscarded() {
			calledAgain++
		}
	}
	text := plural(int64(len(steps)), "step")
	if corrected > 0 {
		text += fmt.Sprintf(", %d corrected", corrected)
	}
	if calledAgain > 0 {
		text += fmt.Sprintf(", %d called again", calledAgain)
	}
	return text
}

// stepText formats one step of a turn. If the width is small, it omits what decided, then shortens
// the names in the middle.
func stepText(s agent.Step, width int) string {
	why := []string{clean(s.DecidedBy)}
	if s.Reason != "" {
		why = []string{clean(s.DecidedBy + ": " + s.Reason), clean(s.Reason)}
	}
	for _, w := range why {
		if text := withNames(s, w, width); columnsOf(text) <= width {
			return text
		}
	}
	last := why[len(why)-1]
	for room := width; room > document.MinNameWidth; room-- {
		if text := withNames(s, last, room); columnsOf(text) <= width {
			return text
		}
	}
	return shorten(withNames(s, last, document.MinNameWidth), width)
}

// withNames formats a step, and shortens each name in it to at most room columns.
func withNames(s agent.Step, why string, room int) string {
	text := shortenMiddle(named(cmp.Or(s.Executed, "(called again)")), room)
	if s.IsDecision() && s.Proposed != s.Executed {
		text += " ← " + shortenMiddle(named(cmp.Or(s.Proposed, "(nothing)")), room)
	}
	return strings.TrimSuffix(text+" · "+why, " · ")
}
