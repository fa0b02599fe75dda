package finding

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"evalctl/agent"
	"evalctl/agent/text"
	"evalctl/agent/trace"
)

// reviewText describes how a critic reviewed an attempt: loop, score and feedback.
func (w formatter) reviewText(r trace.Review) string {
	if r.Reviewer == trace.NoReviewer {
		return fmt.Sprintf("loop %d: not scored, passes", r.Loop)
	}
	verdict := "not passed"
	if r.Passed {
		verdict = "passed"
	}
	score := strconv.FormatFloat(math.Round(r.Score*1000)/1000, 'f', -1, 64)
	result := fmt.Sprintf("loop %d: score %s, %s (%s)", r.Loop, score, verdict, r.Reviewer)
	if r.Feedback != "" {
		result += ": " + text.Truncate(r.Feedback[:min(len(r.Feedback), maxText)], w.maxColumns)
	}
	return result
}

// widget contains the fields that most GenUI components (generated user interface elements) have.
type widget struct {
	Kind  string `json:"widgetType"`
	Props struct {
		State   string `json:"state"`
		Image   string `json:"imageUrl"`
		Text    string `json:"text"`
		Actions []struct {
			Label string `json:"label"`
		} `json:"actions"`
	} `json:"props"`
}

// componentText describes a GenUI component: its kind, state, image, text and button labels.
func (w formatter) componentText(data json.RawMessage) string {
	var of widget
	if json.Unmarshal(data, &of) != nil || of.Kind == "" {
		return "component " + w.brief(string(data))
	}
	text := of.Kind
	for _, word := range []string{of.Props.State, ImageText(of.Props.Image)} {
		if word != "" {
			text += " " + w.brief(word)
		}
	}
	if of.Props.Text != "" {
		text += ": " + w.brief(of.Props.Text)
	}
	var labels []string
	for _, a := range of.Props.Actions {
		labels = append(labels, a.Label)
	}
	if len(labels) > 0 {
		text += ": " + w.brief(strings.Join(labels, " · "))
	}
	return text
}

// errorText describes an error event as the user sees it: code and message.
func (w formatter) errorText(data json.RawMessage) string {
	var e agent.ErrorReply
	if json.Unmarshal(data, &e) != nil || e.Code == "" {
		return "✗ error " + w.brief(string(data))
	}
	return w.brief("✗ " + strings.TrimSuffix(e.Code+": "+e.Message, ": "))
}

// messageText describes one of several messages of a reply, with its delay after the previous one.
func (w formatter) messageText(data json.RawMessage) string {
	var m agent.ReplyMessage
	if json.Unmarshal(data, &m) != nil {
		return "message " + w.brief(string(data))
	}
	text := "message"
	if m.DelaySeconds > 0 {
		text += " " + FormatDelay(m.DelaySeconds) + " later"
	}
	return text + ": " + w.brief(m.Content)
}

// questionText describes the questions that an agent asks the user.
func (w formatter) questionText(data json.RawMessage) string {
	var q struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	if json.Unmarshal(data, &q) != nil || len(q.Questions) == 0 {
		return "question " + w.brief(string(data))
	}
	texts := make([]string, len(q.Questions))
	for i, one := range q.Questions {
		texts[i] = one.Question
	}
	return "? " + w.brief(strings.Join(texts, " · "))
}

func (w formatter) brief(s string) string { return text.Truncate(line(s), w.maxColumns) }
