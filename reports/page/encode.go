package page

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// Maximum lengths of texts in the data, in characters.
const (
	longText     = 2000 // messages and answers
	maxPrompt    = 8000 // prompts, and messages of systemRole
	shortMessage = 600  // other messages to models, if the file has no room for all
	maxShortText = 300  // other texts
)

// systemRole is the role of messages with instructions for a model. They are equal in many calls, so
// they need little room after compression.
const systemRole = "system"

// messageScope selects the calls of a trial whose sent messages the data contain.
type messageScope int

const (
	noMessages       messageScope = iota
	decisionMessages              // only the call that returned the decision of the turn that decides the verdict
	allMessages
)

// trialOf converts a result to a trial with all its details, including the trace.
func trialOf(r eval.Result, condition int, scope messageScope) Trial {
	t := Trial{
		Condition:    condition,
		Epoch:        r.Epoch,
		Turns:        make([]Turn, 0, len(r.Outcome.Turns)),
		InputTokens:  r.Tokens.In,
		OutputTokens: r.Tokens.Out,
		Calls:        r.Calls,
	}
	if d, labeled := r.Decision(); labeled {
		t.DecidingTurn = d.Turn
	}
	for i, p := range r.Outcome.Turns {
		inTurn := scope
		if scope == decisionMessages && i+1 != cmp.Or(t.DecidingTurn, len(r.Outcome.Turns)) {
			inTurn = noMessages
		}
		turn := turnOf(p, inTurn)
		turn.Decision = decisionOf(r, i)
		t.Turns = append(t.Turns, turn)
	}
	for _, s := range r.Scores {
		if s.Name == eval.RouteScore && s.Reason == "" && len(r.Decisions()) > 0 {
			continue // the decisions of the turns contain it
		}
		t.Scores = append(t.Scores, scoreOf(s))
	}
	if r.Error != nil {
		t.Error = shorten(string(r.Error.Kind) + ": " + r.Error.Message)
	}
	if metric.IsKnown(r.Cost) {
		t.Cost = "USD " + metric.FormatUSD(*r.Cost)
	}
	return t
}

// decisionOf returns the decision of the turn with the given index; nil if it has none.
func decisionOf(r eval.Result, turn int) *Decision {
	d := Decision{Predicted: shorten(r.Outcome.Turns[turn].Reply.Predicted)}
	list := r.Decisions()
	if i := slices.IndexFunc(list, func(s eval.TurnScore) bool { return s.Turn == turn+1 }); i >= 0 {
		d.Predicted = shorten(list[i].Actual)
		d.Expected = shorten(strings.Join(list[i].Expected, " or "))
		d.Verdict = codeOf(list[i].Verdict)
	}
	if d.Predicted == "" && d.Expected == "" {
		return nil
	}
	if turn < len(r.Turns) {
		if m := r.Turns[turn].ModelDecision; m != nil && m.Confidence != nil {
			d.Confidence = metric.FormatMean(*m.Confidence)
			own := r.Outcome.Turns[turn].Reply.ReportedConfidence()
			d.IsRejected = own != nil && *own != *m.Confidence
		}
	}
	return &d
}

func scoreOf(s eval.Score) Score {
	of := Score{
		Name:     shorten(s.Name),
		Turn:     s.Turn,
		Verdict:  codeOf(s.Verdict),
		Got:      shorten(s.Actual),
		Expected: shorten(strings.Join(s.Expected, " or ")),
		Reason:   shorten(s.Reason),
	}
	if s.IsMeasurement() {
		of.Value = metric.FormatScore(s.Value)
	}
	return of
}

// turnOf converts the result of a turn.
func turnOf(p eval.TurnResult, scope messageScope) Turn {
	t := Turn{Duration: millis(p.Duration), Facts: packedFacts(p.Reply), Events: events(p, scope)}
	t.Reply, t.OmittedChars = truncate(p.Reply.Content, longText)
	for _, message := range p.Reply.Replies {
		text, omitted := truncate(message.Content, longText)
		if message.DelaySeconds > 0 {
			text = "(+" + finding.FormatDelay(message.DelaySeconds) + ") " + text
		}
		t.Messages, t.OmittedChars = append(t.Messages, text), t.OmittedChars+omitted
	}
	if len(t.Messages) > 0 { // the reply repeats the text of the messages
		t.Reply, t.OmittedChars = "", t.OmittedChars-max(0, utf8.RuneCountInString(p.Reply.Content)-longText)
	}
	if f := p.Reply.ErrorReply; f != nil {
		t.ErrorReply = shorten(f.Code)
	}
	if url := p.Reply.GeneratedImageURL; url != "" {
		t.Images = []string{image(url)}
	}
	t.Steps = pathSteps(p)
	return t
}

// packedFacts lists the details of a reply as pairs of name and text.
func packedFacts(r agent.Reply) (list []Pair) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, Pair{Name: name, Value: shorten(value)})
		}
	}
	if r.IsDeferred {
		add("batched", "answered with a later message")
	}
	if r.Predicted != "" || r.DecidedBy != "" {
		add("decided", decision(r))
	}
	add("slots", finding.SlotsText(r.Slots))
	add("attributes", finding.SlotsText(presentAttributes(r.Attributes)))
	add("found", finding.RetrievedText(r.Retrieved))
	if r.ErrorReply != nil {
		add("error reply", finding.ErrorReplyText(*r.ErrorReply))
	}
	for _, c := range r.ToolCalls {
		add("tool", fmt.Sprintf("%s(%s) → %s", c.Name, c.Input, c.Output))
	}
	return list
}

// presentAttributes returns the attributes without those that state that something is absent.
func presentAttributes(all map[string]string) map[string]string {
	list := maps.Clone(all)
	maps.DeleteFunc(list, func(_, value string) bool { return value == "" || value == "no" })
	return list
}

// answererName returns the name of the route that answered. An error reply that no route answered
// has one of the names "failed" and "busy" instead.
func answererName(answeredBy string) string {
	if answeredBy == "failed" || answeredBy == "busy" {
		return "none (" + answeredBy + ")"
	}
	return answeredBy
}

// sourceName returns the name of what made a decision. The results of a baseline model have the
// source "llm", because it replaces the language model.
func sourceName(source string, baselineModel bool) string {
	if baselineModel && source == "llm" {
		return "model"
	}
	return source
}

// renameSources replaces the sources of the decisions of a baseline model by their names.
func renameSources(r eval.Result) eval.Result {
	r.Outcome.Turns = slices.Clone(r.Outcome.Turns)
	for i := range r.Outcome.Turns {
		reply := &r.Outcome.Turns[i].Reply
		reply.DecidedBy = sourceName(reply.DecidedBy, true)
	}
	return r
}

// decision describes the decision of a reply on one line: label, source and confidence.
func decision(r agent.Reply) string {
	r.AnsweredBy = answererName(r.AnsweredBy)
	var parts []string
	for _, v := range finding.DescribeDecision(r) {
		if v.Value == "–" { // no confidence
			continue
		}
		parts = append(parts, strings.TrimSpace(strings.TrimPrefix(v.Name, "decided ")+" "+v.Value))
	}
	return strings.Join(parts, " · ")
}

// pathSteps returns the steps of a turn with several decisions. Steps have a time only if the trace
// has an event for each decision.
func pathSteps(p eval.TurnResult) (list []Step) {
	decided := decisions(p)
	for _, s := range p.Reply.Steps {
		step := Step{Executed: shorten(s.Executed), DecidedBy: shorten(s.DecidedBy), Reason: shorten(s.Reason)}
		if s.IsDecision() {
			if s.Proposed != s.Executed {
				step.Proposed = shorten(cmp.Or(s.Proposed, "(nothing)"))
			}
			if len(decided) > 0 {
				step.At, decided = millis(decided[0]), decided[1:]
			}
		}
		list = append(list, step)
	}
	return list
}

func inputOf(t agent.Turn) Input {
	var in Input
	in.Text, in.OmittedChars = truncate(t.Text, longText)
	for _, m := range t.History {
		text, omitted := truncate(m.Content, longText)
		in.History, in.OmittedChars = append(in.History, Message{Role: shorten(m.Role), Text: text}), in.OmittedChars+
			omitted
	}
	for _, url := range t.Images {
		in.Images = append(in.Images, image(url))
	}
	if t.Mask != "" {
		in.Images = append(in.Images, image(t.Mask))
	}
	for _, d := range t.Documents {
		in.Documents = append(in.Documents, shorten(d.Name))
	}
	if t.Session != "" {
		in.Details = append(in.Details, Pair{Name: "session", Value: shorten(t.Session)})
	}
	if t.Delay > 0 {
		in.Details = append(in.Details, Pair{Name: "pause", Value: metric.FormatTime(millis(time.Duration(t.Delay)))})
	}
	for _, tool := range t.Tools {
		in.Details = append(in.Details, Pair{Name: "offered tool", Value: shorten(tool.Function.Name)})
	}
	in.Details = append(in.Details, packedSettings("state", t.State)...)
	in.Details = append(in.Details, packedSettings("option", t.Options)...)
	return in
}

func packedSettings(name string, values map[string]json.RawMessage) (list []Pair) {
	for _, k := range slices.Sorted(maps.Keys(values)) {
		list = append(list, Pair{Name: shorten(name + " " + k), Value: shorten(string(values[k]))})
	}
	return list
}

// events returns the rows of a turn's timeline.
func events(p eval.TurnResult, scope messageScope) []Event {
	rows := finding.MergedTimelineRows(p.Events, maxShortText)
	list := make([]Event, 0, len(rows)) // does not grow, so that pointers to its events stay valid
	var decisions []*Event
	for _, m := range rows {
		e := Event{
			At:       millis(m.Start),
			Duration: millis(max(0, m.Duration)),
			Node:     shorten(m.Node),
			Text:     shorten(m.Text),
			Kind:     string(m.Kind),
			Minor:    m.IsMinor,
		}
		for _, again := range m.MergedStarts {
			e.RepeatStarts = append(e.RepeatStarts, millis(again))
		}
		if m.Call != nil {
			e.Call, e.Text = callOf(*m.Call), shorten(callError(*m.Call))
		}
		list = append(list, e)
		if m.Answer == "" {
			continue
		}
		answering := &list[len(list)-1]
		for i := len(list) - 1; i >= 0; i-- {
			if of := &list[i]; of.Call != nil && of.Node == e.Node && of.Kind == string(finding.RowCall) {
				if of.Answer == "" {
					answering = of
				}
				break
			}
		}
		answering.Answer, answering.OmittedChars = truncate(m.Answer, longText)
		if m.IsDecision {
			decisions = append(decisions, answering)
		}
	}
	if d := scoredDecision(decisions, p.Reply); d != nil {
		d.Decides = true
	}
	limitMessages(list, scope)
	return list
}

// scoredDecision returns the event with the reply that the verdict on the turn refers to. In a turn
// with several decisions, the first one is scored. In a turn with one decision, the last reply
// decides, because the earlier ones were invalid.
func scoredDecision(list []*Event, r agent.Reply) *Event {
	if len(list) == 0 {
		return nil
	}
	if len(r.Steps) <= 1 {
		return list[len(list)-1]
	}
	isScored := func(e *Event) bool { return strings.Contains(e.Answer, strconv.Quote(r.Predicted)) }
	return list[max(0, slices.IndexFunc(list, isScored))]
}

// limitMessages removes the messages that are outside of the scope.
func limitMessages(events []Event, scope messageScope) {
	if scope == allMessages {
		return
	}
	for _, e := range events {
		switch {
		case e.Call == nil:
		case scope == decisionMessages && e.Decides:
			for i := range e.Call.Messages {
				m := &e.Call.Messages[i]
				if m.Role == systemRole {
					continue
				}
				text, omitted := truncate(m.Text, shortMessage)
				m.Text, m.OmittedChars = text, m.OmittedChars+omitted
			}
		default:
			e.Call.Messages = nil
		}
	}
}

func callOf(s trace.Span) *Call {
	c := Call{
		Model:        shorten(strings.Trim(s.Provider+"/"+s.Model, "/")),
		FirstToken:   millis(s.TTFT),
		InputTokens:  s.Tokens.In,
		OutputTokens: s.Tokens.Out,
		Images:       s.Images,
	}
	if s.Attempt > 1 {
		c.Attempt = s.Attempt
	}
	for _, m := range s.SentMessages {
		sent := SentMessage{Role: shorten(m.Role), Prompt: m.Prompt, Images: m.Images}
		maxChars := longText
		if m.Role == systemRole {
			maxChars = maxPrompt
		}
		sent.Text, sent.OmittedChars = truncate(m.Text, maxChars)
		sent.OmittedChars += m.OmittedChars
		c.Messages = append(c.Messages, sent)
	}
	return &c
}

// callError describes the error of a call; "" if it succeeded.
func callError(s trace.Span) string {
	if s.Error == "" || s.Message == "" {
		return s.Error
	}
	return s.Error + ": " + s.Message
}

// millis converts a duration to milliseconds, rounded to a tenth or, below 100 ms, to three
// significant digits. The page does not show more digits, and they would compress badly.
func millis(d time.Duration) float64 {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 100 {
		return metric.RoundThreeDigits(ms)
	}
	return math.Round(ms*10) / 10
}

func shorten(text string) string {
	short, omitted := truncate(text, maxShortText)
	return short + omittedNote(omitted)
}

func omittedNote(omitted int) string {
	if omitted == 0 {
		return ""
	}
	return " … (" + metric.Plural(int64(omitted), "character") + " more)"
}

// truncate returns the first maxChars characters of a text, and how many characters it omitted.
func truncate(text string, maxChars int) (short string, omitted int) {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= maxChars {
		return text, 0
	}
	n := 0
	for i := range text {
		if n == maxChars {
			return text[:i], utf8.RuneCountInString(text[i:])
		}
		n++
	}
	return text, 0
}

// decisions returns when the decisions of a turn were made. It returns nil if the trace does not
// have one event for each decision.
func decisions(p eval.TurnResult) (list []time.Duration) {
	n := 0
	for _, s := range p.Reply.Steps {
		if s.IsDecision() {
			n++
		}
	}
	for _, e := range p.Events {
		if e.Kind == trace.KindRoute || e.Kind == trace.KindNoDecision {
			list = append(list, e.Offset)
		}
	}
	if len(list) != n {
		return nil
	}
	return list
}

// maxImage is the maximum length of a data URL that the data contain, in bytes.
const maxImage = 64 << 10

// image returns the data URL of a small image if its content matches its declared type. For other
// images it returns the URL or a description.
func image(url string) string {
	if isImage(url) {
		return url
	}
	return shorten(finding.ImageText(url))
}

// isImage reports whether a URL is a small data URL with an image that cannot contain scripts.
func isImage(url string) bool {
	kind, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	known := slices.Contains([]string{"image/png", "image/jpeg", "image/webp", "image/gif"}, kind)
	if !ok || !known || len(url) > maxImage || !strings.HasPrefix(url, "data:") {
		return false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(data)
	return err == nil && !strings.ContainsAny(data, "\r\n") && http.DetectContentType(raw) == kind
}

// CaseOf returns the full data of a case, in the same form as in a [Block]. A server delivers them
// for cases whose traces the file does not contain. It ignores trials of other suites, and of
// conditions that are not in the summary. found is false if no trial remains.
func CaseOf(s eval.SuiteSummary, trials []eval.Result) (c Case, found bool) {
	c.Trials, c.Inputs = []Trial{}, []Input{}
	conditions := map[Condition]int{}
	for i, of := range s.Conditions {
		conditions[Condition{Variant: of.Variant, Fault: cmp.Or(of.Fault, eval.NoFault)}] = i
	}
	for _, r := range trials {
		condition, known := conditions[conditionOf(r)]
		if r.Suite != s.Name || !known {
			continue
		}
		found = true
		if s.Conditions[condition].BaselineModel {
			r = renameSources(r)
		}
		c.Trials = append(c.Trials, trialOf(r, condition, allMessages))
		if len(r.Outcome.Turns) > len(c.Inputs) {
			c.Inputs = inputsOf(r)
		}
	}
	return c, found
}

func inputsOf(r eval.Result) []Input {
	list := make([]Input, 0, len(r.Outcome.Turns))
	for _, p := range r.Outcome.Turns {
		list = append(list, inputOf(p.Input))
	}
	return list
}
