package finding

import (
	"strings"
	"time"

	"evalctl/agent/text"
	"evalctl/agent/trace"
	"evalctl/eval/metric"
)

// minPolls is the minimum number of consecutive polls that become one row.
const minPolls = 3

// merged returns the rows with the polls of a task merged into one row. Polls are consecutive calls
// of a node to one provider that succeeded and used no tokens.
func (w formatter) merged(list []TimelineRow) []TimelineRow {
	var out []TimelineRow
	for len(list) > 0 {
		n := polls(list)
		if n < minPolls {
			out, list = append(out, list[0]), list[1:]
			continue
		}
		first, last := list[0], list[n-1]
		first.Duration = last.Start + last.Duration - first.Start
		first.Text = strings.TrimPrefix(text.EscapeLine(provider(*first.call))+", ", ", ") +
			"asked " + metric.Plural(int64(n), "time") + ", " + metric.FormatDuration(first.Duration)
		for _, m := range list[1:n] {
			first.MergedStarts = append(first.MergedStarts, m.Start)
		}
		out, list = append(out, first), list[n:]
	}
	return out
}

// polls returns how many rows at the start of the list are polls of the same task.
func polls(list []TimelineRow) (n int) {
	end := time.Duration(-1)
	for n < len(list) && isPoll(list[n]) && list[n].Node == list[0].Node && list[n].Start >= end &&
		list[n].call.Provider == list[0].call.Provider && list[n].call.Model == list[0].call.Model {
		end = list[n].Start + list[n].Duration
		n++
	}
	return n
}

func isPoll(m TimelineRow) bool {
	return m.call != nil && m.call.Error == "" && m.call.Tokens == (trace.Tokens{}) && !m.call.UsageUnreported
}
