package reports

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// reviewText says how a critic judged an attempt.
func reviewText(r trace.Review) string {
	if r.By == trace.Nobody {
		return fmt.Sprintf("loop %d: not judged, which passes", r.Loop)
	}
	verdict := "not passed"
	if r.Passed {
		verdict = "passed"
	}
	score := strconv.FormatFloat(math.Round(r.Score*1000)/1000, 'f', -1, 64)
	text := fmt.Sprintf("loop %d: score %s, %s (%s)", r.Loop, score, verdict, r.By)
	if r.Feedback != "" {
		text += ": " + shorten(r.Feedback, remark)
	}
	return text
}

// widget is what components of user interfaces have in common.
type widget struct {
	Kind  string `json:"widgetType"`
	Props struct {
		State   string `json:"state"`
		Picture string `json:"imageUrl"`
		Text    string `json:"text"`
		Actions []struct {
			Label string `json:"label"`
		} `json:"actions"`
	} `json:"props"`
}

// componentText is a component's kind and the gist of it.
func componentText(data json.RawMessage) string {
	var w widget
	if json.Unmarshal(data, &w) != nil || w.Kind == "" {
		return "component " + brief(string(data))
	}
	text := w.Kind
	for _, word := range []string{w.Props.State, picture(w.Props.Picture)} {
		if word != "" {
			text += " " + brief(word)
		}
	}
	if w.Props.Text != "" {
		text += ": " + brief(w.Props.Text)
	}
	var labels []string
	for _, a := range w.Props.Actions {
		labels = append(labels, a.Label)
	}
	if len(labels) > 0 {
		text += ": " + brief(strings.Join(labels, " · "))
	}
	return text
}

// errorText is an error as the user is told of it.
func errorText(data json.RawMessage) string {
	var e agent.Failure
	if json.Unmarshal(data, &e) != nil || e.Code == "" {
		return "✗ error " + brief(string(data))
	}
	return brief("✗ " + strings.TrimSuffix(e.Code+": "+e.Message, ": "))
}

// messageText is a message of an answer of several, with how long it waits.
func messageText(data json.RawMessage) string {
	var m agent.Said
	if json.Unmarshal(data, &m) != nil {
		return "message " + brief(string(data))
	}
	text := "message"
	if m.Delay > 0 {
		text += " " + delay(m.Delay) + " later"
	}
	return text + ": " + brief(m.Content)
}

// questionText is what the user is asked.
func questionText(data json.RawMessage) string {
	var q struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	if json.Unmarshal(data, &q) != nil || len(q.Questions) == 0 {
		return "question " + brief(string(data))
	}
	texts := make([]string, len(q.Questions))
	for i, one := range q.Questions {
		texts[i] = one.Question
	}
	return "? " + brief(strings.Join(texts, " · "))
}

// brief is as much of a free text as a line of the timeline shows.
func brief(text string) string { return shorten(clean(text), remark) }
