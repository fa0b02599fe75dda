// Package event says in words what the events of a trial's turns tell, for a
// timeline, and what came of them.
package event

import (
	"cmp"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"evalctl/agent/trace"
	"evalctl/eval/number"
	"evalctl/reports/visible"
)

// TimelineRow is a row of a timeline. Its texts are one harmless line each.
type TimelineRow struct {
	At       time.Duration // since the turn began
	Duration time.Duration // how long it lasted; negative: it was an instant
	Node     string
	Text     string

	Answer string // the model's behind what was decided or judged; "": none is kept

	Role         Role
	Minor        bool            // tells little besides the others
	MergedStarts []time.Duration // when calls began that are merged into this one

	call *trace.Span // nil: it is none
}

// Role is what a moment is to its turn.
type Role string

const (
	RoleCall   Role = "call"
	RoleFailed Role = "failed" // a call, or what gave up
	RoleMark   Role = "mark"
)

// noDuration is the span of what does not last.
const noDuration = -1

// TimelineRows are a turn's, in the order in which they began. most is how many columns of
// a free text they show.
func TimelineRows(events []trace.Event, most int) []TimelineRow {
	return words{most: most}.moments(events)
}

// Rows are Moments with the polls of one task in one, and times in seconds from one on.
func Rows(events []trace.Event, most int) []TimelineRow {
	w := words{most: most}
	return w.merged(w.moments(events))
}

func (w words) moments(events []trace.Event) []TimelineRow {
	var list []TimelineRow
	for i := 0; i < len(events); i++ {
		e := events[i]
		if unseen(e) {
			continue
		}
		if !isPiece(e.Kind) {
			list = append(list, w.moment(e))
			continue
		}
		n := 1
		for i+n < len(events) && events[i+n].Kind == e.Kind && events[i+n].Node == e.Node {
			n++
		}
		list = append(list, w.chunks(events[i:i+n]))
		i += n - 1
	}
	slices.SortStableFunc(list, func(a, b TimelineRow) int { return cmp.Compare(a.At, b.At) })
	return list
}

// moment says what an event was.
func (w words) moment(e trace.Event) TimelineRow {
	m := TimelineRow{At: e.Offset, Duration: noDuration, Node: line(e.Node), Answer: line(e.Answer()), Role: roleOf(e), Minor: isMinor(e.Kind)}
	switch {
	case e.Kind == trace.KindSpan && e.Span != nil:
		m.call = e.Span
		m.At, m.Duration, m.Text = e.Span.Start, max(0, e.Span.Duration), w.spanText(*e.Span)
	case e.Kind == trace.KindDone:
		m.Text = "done, " + number.Plural(int64(utf8.RuneCountInString(e.Text)), "character")
	case e.Kind == trace.KindThoughtLog:
		m.Text = "thought: " + w.brief(e.Text)
	case e.Kind == trace.KindReview && e.Review != nil:
		m.Text = w.reviewText(*e.Review)
	case e.Kind == trace.KindLoop && e.Reason == trace.Exhausted:
		m.Text = fmt.Sprintf("exhausted, %s → %s", e.From, e.To)
	case e.Kind == trace.KindGenUIComponent:
		m.Text = w.componentText(e.Data)
	case e.Kind == trace.KindError:
		m.Text = w.errorText(e.Data)
	case e.Kind == trace.KindFormCheck:
		m.Text = "not in the requested form (" + e.Reason + ")" + w.remarkOf(e.Text)
	case e.Kind == trace.KindMessage:
		m.Text = w.messageText(e.Data)
	case e.Kind == trace.KindQuestion:
		m.Text = w.questionText(e.Data)
	case e.Kind == trace.KindCompression:
		m.Text = w.eventText(e) + w.remarkOf(compressionText(e.Data))
	case e.Kind == trace.KindNodeComplete:
		m.Text = w.eventText(e) + w.remarkOf(sessionText(e.Data))
	case isOfDocuments(e.Kind):
		m.Text = w.eventText(e) + w.remarkOf(documentText(e.Data))
	default:
		m.Text = w.eventText(e)
	}
	m.Text = line(m.Text)
	return m
}

// chunks tells pieces of an answer, or of a thought, that came one after another as one.
func (w words) chunks(run []trace.Event) TimelineRow {
	first, last := run[0], run[len(run)-1]
	size := 0
	for _, e := range run {
		size += utf8.RuneCountInString(e.Text)
	}
	text := fmt.Sprintf("▸ %s, %s, first at %s", number.Plural(int64(len(run)), "chunk"),
		number.Plural(int64(size), "character"), number.Duration(first.Offset))
	if first.Kind == trace.KindThoughtChunk {
		text = "thought" + w.remarkOf(first.Text)
		if len(run) > 1 {
			text += " … " + number.Plural(int64(size), "character")
		}
	}
	return TimelineRow{At: first.Offset, Duration: max(0, last.Offset-first.Offset), Node: line(first.Node), Text: text, Role: RoleMark, Minor: true}
}

// mostRead is how much of a text is looked at, in bytes: no row shows as much.
const mostRead = 16 << 10

// line is a text of any origin and size as one harmless line.
func line(text string) string { return visible.EscapeLine(text[:min(len(text), mostRead)]) }

// roleOf tells calls, and what failed or was refused.
func roleOf(e trace.Event) Role {
	switch e.Kind {
	case trace.KindSpan:
		if e.Span != nil && e.Span.Error == "" {
			return RoleCall
		}
		return RoleFailed
	case trace.KindFault, trace.KindFallback, trace.KindTimeout, trace.KindRetry, trace.KindError, trace.KindNoDecision, trace.KindNodeError,
		trace.KindSummaryError, trace.KindCacheError, trace.KindFormCheck:
		return RoleFailed
	case trace.KindGuard, trace.KindCorrection:
		return RoleFailed
	case trace.KindLoop:
		if e.Reason == trace.Exhausted {
			return RoleFailed
		}
	}
	return RoleMark
}

// isMinor tells what a node says of its work, and what user interfaces are made of.
func isMinor(k trace.Kind) bool {
	switch k {
	case trace.KindThoughtLog, trace.KindGenUIComponent, trace.KindBanner, trace.KindMessage, trace.KindNodeComplete, trace.KindSummaryInit, trace.KindSummaryComplete:
		return true
	}
	return false
}
