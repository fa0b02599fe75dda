package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// TrialReport shows a single trial: the texts of each turn, the events of its trace over time, and
// what each call of a chat model sent.
type TrialReport struct {
	Trial         eval.Result
	NoTraceReason string // why the trial has no trace; "" if it has one
	// returns the text of a stored prompt by its ID, and false if it is missing; nil: sent messages
	// are not shown
	Prompt   func(id string) (text string, ok bool)
	FullSent bool // show every line of the sent messages, instead of the first ones
	document.Options
}

// Write prints the trial for a terminal.
func (r TrialReport) Write(w io.Writer) error {
	return screen{noun: "trial", layOut: func(to document.Target) document.Document {
		return document.Document{Blocks: r.blocks(to.Width)}
	}}.write(w, Table, r.Options)
}

func (r TrialReport) blocks(width int) []document.Block {
	tl := &trialLines{width: width}
	reason := ""
	if r.NoTraceReason != "" {
		reason = "No trace: " + r.NoTraceReason + "."
	}
	shown := tl.header(r.Trial, reason)
	doc := []document.Block{{Lines: tl.lines}}
	turns := r.Trial.Outcome.Turns
	for i, p := range turns {
		tl.lines = []document.Line{{Text: fmt.Sprintf("turn %d of %d · %s", i+1, len(turns),
			metric.FormatDuration(p.Duration))}}
		tl.input(p.Input)
		tl.reply(p.Reply)
		if i+1 != shown {
			tl.modelAnswers(p)
		}
		doc = append(doc, document.Block{Lines: tl.lines}, document.Block{Lines: eventLines(p, width)})
	}
	if r.Prompt == nil {
		return doc
	}
	return append(doc, r.sentBlocks(width)...)
}

// trialLines collects lines about a trial.
type trialLines struct {
	width int
	lines []document.Line
}

func (tl *trialLines) add(l document.Line) { tl.lines = append(tl.lines, l) }

// eventLines returns the events of a turn, ordered by start time, each with a bar for its duration.
// The node gets no column of its own on a narrow screen or if its name is long.
func eventLines(p eval.TurnResult, width int) (lines []document.Line) {
	all := finding.TimelineRows(p.Events, shortText)
	end := p.Duration
	var clockWidth, nodeWidth int
	for _, m := range all {
		end = max(end, m.Start+max(0, m.Duration))
		clockWidth = max(clockWidth, columnsOf(metric.FormatDuration(m.Start)))
		nodeWidth = max(nodeWidth, columnsOf(m.Node))
	}
	wide := min(32, max(8, (width-clockWidth)/4))
	nodeWidth = min(nodeWidth, max(6, width/6))
	for _, m := range all {
		l := document.Line{Mark: padLeft(metric.FormatDuration(m.Start), clockWidth) + " " + bar(m, wide, end),
			Text: m.Text}
		if width < 60 || columnsOf(m.Node) > nodeWidth {
			l.Text = strings.TrimSpace(m.Node + " " + m.Text)
		} else {
			l.Mark += " " + pad(m.Node, nodeWidth)
		}
		lines = append(lines, l)
	}
	return lines
}

// bar draws when an event happened within a turn, as a bar on n columns. An event without a
// duration is a dot.
func bar(m finding.TimelineRow, n int, end time.Duration) string {
	place := func(d time.Duration) int {
		if end <= 0 || d <= 0 {
			return 0
		}
		return min(n, int(float64(d)/float64(end)*float64(n)+0.5))
	}
	from := min(place(m.Start), n-1)
	mark := "·"
	if m.Duration >= 0 {
		mark = strings.Repeat("█", max(1, place(m.Start+m.Duration)-from))
	}
	return pad(strings.Repeat(" ", from)+mark, n)
}

// header adds the first lines of a trial's report: identifiers, error, verdict, failed checks and
// input. If the scored turn has at most one step, it also adds the model answers of this turn and
// returns its number. Otherwise it returns 0.
func (tl *trialLines) header(r eval.Result, noTrace string) (scoredTurn int) {
	tl.add(document.Line{Text: clean(fmt.Sprintf("%s · suite %s · variant %s · fault %s · epoch %d · %s",
		r.Case, r.Suite, r.Variant, cmp.Or(r.Fault, eval.NoFault), r.Epoch,
		metric.FormatDuration(r.Outcome.Duration)))})
	if r.Error != nil {
		tl.add(document.Line{Mark: "✗",
			Text: shorten(clean(fmt.Sprintf("no answer, %s error: %s", r.Error.Kind, r.Error.Message)), longText)})
	}
	scoredTurn = len(r.Outcome.Turns)
	if s, ok := r.Decision(); ok {
		scoredTurn = s.Turn
		if kind, none := r.InvalidLabelKind(); none && s.Actual == r.Predicted {
			s.Actual = noLabel + ": " + kind
		}
		tl.add(verdictLine(s))
	} else if len(r.Expected) > 0 { // without scores, the result still has the predicted route
		tl.add(verdictLine(eval.Score{
			Name:     eval.RouteScore,
			Expected: r.Expected,
			Actual:   r.Predicted,
			Verdict:  verdictOf(r.Correct),
		}))
	}
	for _, s := range r.Scores {
		if s.Name != eval.RouteScore && s.Verdict == eval.Fail && !isImplied(s, r.Scores) {
			tl.add(verdictLine(s))
		}
	}
	tl.term("input", r.Text, longText)
	if len(r.Outcome.Turns) == 0 {
		tl.add(document.Line{Text: cmp.Or(noTrace, "No turn ran.")})
	}
	if scoredTurn < 1 || scoredTurn > len(r.Outcome.Turns) {
		return 0
	}
	p := r.Outcome.Turns[scoredTurn-1]
	if len(p.Reply.Steps) > 1 { // the answers of a turn with several steps are shown later, next to the steps
		return 0
	}
	tl.modelAnswers(p)
	return scoredTurn
}

func verdictOf(correct *bool) eval.Verdict {
	if correct == nil {
		return eval.Unscored
	}
	return eval.PassIf(*correct)
}

// verdictLine formats a score as "expected A, got B", with the reason if there is one.
func verdictLine(s eval.Score) document.Line {
	var l document.Line
	text := "expected " + cmp.Or(strings.Join(s.Expected, " or "), "nothing")
	switch s.Verdict {
	case eval.Unscored:
		text += ", not scored"
	case eval.Pass:
		l.Mark, text = "✓", text+", got "+cmp.Or(s.Actual, "nothing")
	case eval.Fail:
		l.Mark, text = "✗", text+", got "+cmp.Or(s.Actual, "nothing")
	}
	switch {
	case s.Name != eval.RouteScore && len(s.Expected) == 0:
		text = s.Name
	case s.Name != eval.RouteScore:
		text = s.Name + ": " + text
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	l.Text = shorten(clean(text), longText)
	return l
}

// modelAnswers adds the text that each model returned in a turn, labeled with the node that
// called it. Turns with several steps get shorter excerpts.
func (tl *trialLines) modelAnswers(p eval.TurnResult) {
	maxColumns := longText
	if len(p.Reply.Steps) > 1 {
		maxColumns = shortText
	}
	for _, e := range p.Events {
		if answer := e.RawAnswer(); answer != "" {
			tl.term(shorten(clean(e.Node), termWidth-3), answer, maxColumns)
		}
	}
}

// isImplied reports whether a failed score can be omitted because another failed score already
// implies it. For example, an item that is not among the first five results cannot be the first
// result.
func isImplied(s eval.Score, all []eval.Score) bool {
	depths := eval.RecallDepths()
	deepest := eval.RecallScoreAt(depths[len(depths)-1])
	fails := func(name string) bool {
		return slices.ContainsFunc(all, func(o eval.Score) bool { return o.Name == name && o.Verdict == eval.Fail })
	}
	switch s.Name {
	case eval.MRRScore, eval.RecallScoreAt(depths[0]), eval.VerbatimScore:
		return true
	case eval.RecallScore:
		return fails(deepest)
	}
	return false
}

// Limits for the texts of a trial's timeline, in columns.
const (
	longText  = 600 // excerpt of a question or an answer
	shortText = 160 // excerpt of any other text

	termWidth = 11 // width of the names at the start of lines, such as "user"
	// each paragraph counts as this many additional columns, which limits the number of short lines
	paragraphCost = 40
)

func (tl *trialLines) input(t agent.Turn) {
	if n := len(t.History); n > 0 {
		last := t.History[n-1]
		tl.term("history", fmt.Sprintf("%s, the last by %s: %s", plural(int64(n), "message"), last.Role, last.Content),
			shortText)
	}
	tl.session(t)
	tl.userMessages(t)
	for _, url := range t.Images {
		tl.term("image", finding.ImageText(url), shortText)
	}
	if t.Mask != "" {
		tl.term("mask", finding.ImageText(t.Mask), shortText)
	}
	for _, d := range t.Documents {
		tl.term("document", fmt.Sprintf("%s, %s: %s", d.Name,
			plural(int64(utf8.RuneCountInString(d.Content)), "character"), d.Content), shortText)
	}
	for _, tool := range t.Tools {
		tl.term("offered", strings.TrimSuffix(tool.Function.Name+": "+tool.Function.Description, ": "), shortText)
	}
	tl.settings("state", t.State)
	tl.settings("option", t.Options)
}

func (tl *trialLines) userMessages(t agent.Turn) {
	if len(t.Batch) == 0 {
		tl.term("user", t.Text, longText)
	}
	for _, message := range t.Batch {
		tl.term("user", message, longText)
	}
}

func (tl *trialLines) session(t agent.Turn) {
	var parts []string
	if t.Session != "" {
		parts = append(parts, "in session "+t.Session)
	}
	if t.Delay > 0 {
		parts = append(parts, time.Duration(t.Delay).String()+" after the previous turn")
	}
	tl.term("sent", strings.Join(parts, ", "), shortText)
}

func (tl *trialLines) settings(term string, values map[string]json.RawMessage) {
	for _, k := range slices.Sorted(maps.Keys(values)) {
		tl.term(term, k+" = "+string(values[k]), shortText)
	}
}

func (tl *trialLines) reply(r agent.Reply) {
	tl.replies(r)
	if r.Predicted != "" || r.DecidedBy != "" {
		tl.term("route", finding.RouteText(r), shortText)
	}
	tl.term("path", pathSummary(r.Steps), shortText)
	tl.lines = append(tl.lines, pathLines(r.Steps, tl.width)...)
	tl.term("slots", finding.SlotsText(r.Slots), shortText)
	tl.term("how", finding.SlotsText(r.Attributes), shortText)
	tl.term("found", finding.RetrievedText(r.Retrieved), shortText)
	if f := r.ErrorReply; f != nil {
		tl.term("error", finding.ErrorReplyText(*f), shortText)
	}
	if r.GeneratedImageURL != "" {
		tl.term("created", finding.ImageText(r.GeneratedImageURL), shortText)
	}
	for _, c := range r.ToolCalls {
		tl.term("tool", fmt.Sprintf("%s(%s) → %s", c.Name, c.Input, c.Output), 2*shortText)
	}
}

func (tl *trialLines) replies(r agent.Reply) {
	switch {
	case r.IsDeferred:
		tl.term("reply", "(answered with a later message)", longText)
	case len(r.Replies) == 0:
		tl.term("reply", cmp.Or(r.Content, "(empty)"), longText)
	}
	for i, message := range r.Replies {
		term := "reply"
		if i > 0 || message.DelaySeconds > 0 {
			term = "+" + finding.FormatDelay(message.DelaySeconds)
		}
		tl.term(term, cmp.Or(message.Content, "(empty)"), longText)
	}
}

// term adds a name followed by an excerpt of the text with about maxColumns columns. It preserves
// paragraphs, but each counts as additional columns.
func (tl *trialLines) term(name, text string, maxColumns int) {
	mark := pad("  "+name, termWidth-1)
	for _, p := range excerpt(text, maxColumns) {
		tl.add(document.Line{Mark: mark, Text: p})
		mark = strings.Repeat(" ", termWidth-1)
	}
}

// excerpt returns the beginning of a text as escaped paragraphs, about maxColumns columns in total.
// It ends with an ellipsis if the text is longer.
func excerpt(text string, maxColumns int) []string {
	var list []string
	for p := range strings.Lines(text) {
		p = strings.TrimSpace(clean(p))
		if p == "" {
			continue
		}
		if maxColumns <= 0 {
			list[len(list)-1] += " " + ellipsis
			break
		}
		short := shorten(p, maxColumns)
		list = append(list, short)
		if short != p {
			break
		}
		maxColumns -= columnsOf(p) + paragraphCost
	}
	return list
}

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
