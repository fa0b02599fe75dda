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
	maxShortText = 300  // other texts
)

// trialOf converts a result to a trial with all its details, including the trace.
func trialOf(r eval.Result, condition int) Trial {
	t := Trial{
		Condition:    condition,
		Epoch:        r.Epoch,
		Turns:        make([]Turn, 0, len(r.Outcome.Turns)),
		InputTokens:  r.Tokens.In,
		OutputTokens: r.Tokens.Out,
		Calls:        r.Calls,
	}
	wrong := slices.ContainsFunc(r.Scores, func(s eval.Score) bool { return s.Verdict == eval.Fail })
	for _, p := range r.Outcome.Turns {
		t.Turns = append(t.Turns, turnOf(p, wrong))
	}
	for _, s := range r.Scores {
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

// turnOf converts the result of a turn. If the trial is wrong, its model answers are marked as
// important events.
func turnOf(p eval.TurnResult, wrong bool) Turn {
	t := Turn{Duration: millis(p.Duration), Facts: packedFacts(p.Reply), Events: events(p, wrong)}
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

// facts lists the details of a reply as pairs of name and text.
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
	add("how", finding.SlotsText(r.Attributes))
	add("found", finding.RetrievedText(r.Retrieved))
	if r.ErrorReply != nil {
		add("error reply", finding.ErrorReplyText(*r.ErrorReply))
	}
	for _, c := range r.ToolCalls {
		add("tool", fmt.Sprintf("%s(%s) → %s", c.Name, c.Input, c.Output))
	}
	return list
}

// decision describes the decision of a reply on one line: label, source and confidence.
func decision(r agent.Reply) string {
	var parts []string
	for _, v := range finding.DescribeDecision(r) {
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

// events returns the rows of a turn's timeline. A model's answer follows the row of its call. The
// page shows it only on request, unless the trial is wrong.
func events(p eval.TurnResult, wrong bool) (list []Event) {
	for _, m := range finding.MergedTimelineRows(p.Events, maxShortText) {
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
		list = append(list, e)
		if answer, omitted := truncate(m.Answer, longText); answer != "" {
			list = append(list, Event{
				At:    e.At,
				Node:  e.Node,
				Text:  "the model's answer: " + answer + omittedNote(omitted),
				Kind:  string(finding.RowOther),
				Minor: !wrong,
			})
		}
	}
	return list
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
		c.Trials = append(c.Trials, trialOf(r, condition))
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
