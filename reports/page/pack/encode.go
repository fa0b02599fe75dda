package pack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/event"
)

// How much of a text goes into the file, in characters.
const (
	longText  = 2000 // what is said
	shortText = 300  // a remark
)

// trialOf tells all of a trial.
func trialOf(r eval.Result, condition int) Trial {
	t := Trial{Condition: condition, Epoch: r.Epoch, Turns: make([]Turn, 0, len(r.Outcome.Turns)), In: r.Tokens.In, Out: r.Tokens.Out, Calls: r.Calls}
	wrong := slices.ContainsFunc(r.Scores, func(s eval.Score) bool { return s.Verdict == eval.Fail })
	for _, p := range r.Outcome.Turns {
		t.Turns = append(t.Turns, turnOf(p, wrong))
	}
	for _, s := range r.Scores {
		t.Scores = append(t.Scores, scoreOf(s))
	}
	if r.Error != nil {
		t.Error = remark(string(r.Error.Kind) + ": " + r.Error.Message)
	}
	if number.IsKnown(r.Cost) {
		t.Cost = "USD " + number.USD(*r.Cost)
	}
	return t
}

func scoreOf(s eval.Score) Score {
	of := Score{Name: remark(s.Name), Turn: s.Turn, Verdict: codeOf(s.Verdict), Got: remark(s.Actual), Want: remark(strings.Join(s.Expected, " or ")), Reason: remark(s.Reason)}
	if s.IsMeasure() {
		of.Value = number.Score(s.Value)
	}
	return of
}

// turnOf tells what came of a turn, and of a trial that is wrong at once why.
func turnOf(p eval.TurnResult, wrong bool) Turn {
	t := Turn{Duration: millis(p.Duration), Facts: facts(p.Reply), Events: events(p, wrong)}
	t.Reply, t.Cut = cut(p.Reply.Content, longText)
	for _, said := range p.Reply.Replies {
		text, lost := cut(said.Content, longText)
		if said.DelaySeconds > 0 {
			text = "(+" + event.Delay(said.DelaySeconds) + ") " + text
		}
		t.Messages, t.Cut = append(t.Messages, text), t.Cut+lost
	}
	if len(t.Messages) > 0 { // the reply is all of them
		t.Reply, t.Cut = "", t.Cut-max(0, utf8.RuneCountInString(p.Reply.Content)-longText)
	}
	if f := p.Reply.ErrorReply; f != nil {
		t.ErrorReply = remark(f.Code)
	}
	if url := p.Reply.GeneratedImageURL; url != "" {
		t.Images = []string{image(url)}
	}
	t.Steps = steps(p)
	return t
}

// facts are what is known of a reply, in words.
func facts(r agent.Reply) (list []Pair) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, Pair{Name: name, Value: remark(value)})
		}
	}
	if r.Batched {
		add("batched", "answered with a later message")
	}
	if r.Predicted != "" || r.DecidedBy != "" {
		add("decided", decision(r))
	}
	add("slots", event.Values(r.Slots))
	add("how", event.Values(r.Attributes))
	add("found", event.RetrievedText(r.Retrieved))
	if r.ErrorReply != nil {
		add("error reply", event.ErrorReplyText(*r.ErrorReply))
	}
	for _, c := range r.ToolCalls {
		add("tool", fmt.Sprintf("%s(%s) → %s", c.Name, c.Input, c.Output))
	}
	return list
}

// decision is what was decided, by whom, and how sure that was, on one line.
func decision(r agent.Reply) string {
	var parts []string
	for _, v := range event.Decision(r) {
		parts = append(parts, strings.TrimSpace(strings.TrimPrefix(v.Name, "decided ")+" "+v.Value))
	}
	return strings.Join(parts, " · ")
}

// steps are the path of a turn in which it is decided again and again. When is told
// where each decision has its event.
func steps(p eval.TurnResult) (list []Step) {
	decided := decisions(p)
	for _, s := range p.Reply.Steps {
		step := Step{Taken: remark(s.Executed), By: remark(s.DecidedBy), Reason: remark(s.Reason)}
		if s.IsDecision() {
			if s.Proposed != s.Executed {
				step.Asked = remark(cmp.Or(s.Proposed, "(nothing)"))
			}
			if len(decided) > 0 {
				step.At, decided = millis(decided[0]), decided[1:]
			}
		}
		list = append(list, step)
	}
	return list
}

// inputOf tells what a turn asks.
func inputOf(t agent.Turn) Input {
	var in Input
	in.Text, in.Cut = cut(t.Text, longText)
	for _, m := range t.History {
		text, lost := cut(m.Content, longText)
		in.History, in.Cut = append(in.History, Message{Role: remark(m.Role), Text: text}), in.Cut+lost
	}
	for _, url := range t.Images {
		in.Images = append(in.Images, image(url))
	}
	if t.Mask != "" {
		in.Images = append(in.Images, image(t.Mask))
	}
	for _, d := range t.Documents {
		in.Documents = append(in.Documents, remark(d.Name))
	}
	if t.Session != "" {
		in.More = append(in.More, Pair{Name: "session", Value: remark(t.Session)})
	}
	if t.After > 0 {
		in.More = append(in.More, Pair{Name: "pause", Value: number.Time(millis(time.Duration(t.After)))})
	}
	in.More = append(in.More, settings("state", t.State)...)
	in.More = append(in.More, settings("option", t.Options)...)
	return in
}

func settings(name string, values map[string]json.RawMessage) (list []Pair) {
	for _, k := range slices.Sorted(maps.Keys(values)) {
		list = append(list, Pair{Name: remark(name + " " + k), Value: remark(string(values[k]))})
	}
	return list
}

// events are the rows of a turn's timeline. What a model answered stands below what was
// made of it, which is of most worth where that is wrong.
func events(p eval.TurnResult, wrong bool) (list []Event) {
	for _, m := range event.Rows(p.Events, shortText) {
		e := Event{At: millis(m.At), Duration: millis(max(0, m.Duration)), Node: remark(m.Node), Text: remark(m.Text), Kind: string(m.Role), Minor: m.Minor}
		for _, again := range m.MergedStarts {
			e.Ticks = append(e.Ticks, millis(again))
		}
		list = append(list, e)
		if answer, lost := cut(m.Answer, longText); answer != "" {
			list = append(list, Event{At: e.At, Node: e.Node, Text: "the model's answer: " + answer + left(lost), Kind: string(event.RoleMark), Minor: !wrong})
		}
	}
	return list
}

// millis are rounded to a tenth, short ones to three significant digits: more digits are
// never shown and do not compress.
func millis(d time.Duration) float64 {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 100 {
		return number.ThreeDigits(ms)
	}
	return math.Round(ms*10) / 10
}

// remark is a text of no more than a remark, with what was cut off it counted.
func remark(text string) string {
	short, lost := cut(text, shortText)
	return short + left(lost)
}

// left tells of characters that were cut off.
func left(lost int) string {
	if lost == 0 {
		return ""
	}
	return " … (" + number.Plural(int64(lost), "character") + " more)"
}

// cut is the beginning of a text, and how many characters it leaves out.
func cut(text string, most int) (short string, lost int) {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= most {
		return text, 0
	}
	n := 0
	for i := range text {
		if n == most {
			return text[:i], utf8.RuneCountInString(text[i:])
		}
		n++
	}
	return text, 0
}

// decisions are when each decision of a turn was made, nothing where not each of them
// is told by an event.
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
