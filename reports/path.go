package reports

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"evalctl/agent"
)

// pathLines has a line for each decision of a turn in which it is decided again and
// again: what was done, in place of what, who decided on it, and why.
func pathLines(steps []agent.Step, width int) (lines []string) {
	digits := len(strconv.Itoa(len(steps)))
	for i, s := range steps {
		lead := "  " + pad(strconv.Itoa(i+1), digits, true) + " "
		lines = append(lines, lead+stepText(s, width-columnsOf(lead)))
	}
	return lines
}

// pathSummary says how many decisions there were, and how many were not followed;
// "" without any.
func pathSummary(steps []agent.Step) string {
	if len(steps) == 0 {
		return ""
	}
	corrected, again := 0, 0
	for _, s := range steps {
		if s.IsCorrected() {
			corrected++
		}
		if s.IsCalledAgain() {
			again++
		}
	}
	text := counted(int64(len(steps)), "step")
	if corrected > 0 {
		text += fmt.Sprintf(", %d corrected", corrected)
	}
	if again > 0 {
		text += fmt.Sprintf(", %d called again", again)
	}
	return text
}

// stepText is a step on so many columns: where these are few, the reason stands for
// who decided, and names lose their middles.
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
	for room := width; room > leastName; room-- {
		if text := withNames(s, last, room); columnsOf(text) <= width {
			return text
		}
	}
	return shorten(withNames(s, last, leastName), width)
}

// withNames writes a step with names of at most so many columns.
func withNames(s agent.Step, why string, room int) string {
	text := middle(named(cmp.Or(s.Executed, "(called again)")), room)
	if s.IsDecision() && s.Proposed != s.Executed {
		text += " ← " + middle(named(cmp.Or(s.Proposed, "(nothing)")), room)
	}
	return strings.TrimSuffix(text+" · "+why, " · ")
}
