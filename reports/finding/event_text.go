package finding

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/text"
	"evalctl/agent/trace"
	"evalctl/eval/metric"
)

// formatter formats events as texts for a timeline.
type formatter struct {
	maxColumns int // maximum width of free texts, in columns
}

// spanText describes a call of a model or another component: provider, duration, tokens, attempt
// and error.
func (w formatter) spanText(s trace.Span) string {
	var parts []string
	if name := provider(s); name != "" {
		parts = append(parts, name)
	}
	parts = append(parts, metric.FormatDuration(s.Duration))
	if s.TTFT > 0 {
		parts = append(parts, "TTFT "+metric.FormatDuration(s.TTFT))
	}
	if s.Tokens != (trace.Tokens{}) {
		parts = append(parts, fmt.Sprintf("tokens %s → %s", metric.FormatInteger(s.Tokens.In),
			metric.FormatInteger(s.Tokens.Out)))
	}
	if s.UsageUnreported {
		parts = append(parts, "tokens not known")
	}
	if s.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("attempt %d", s.Attempt))
	}
	if s.Error != "" {
		failure := "✗ " + s.Error
		if s.Message != "" {
			failure += ": " + w.brief(s.Message)
		}
		parts = append(parts, failure)
	}
	return strings.Join(parts, ", ")
}

func provider(s trace.Span) string { return strings.Trim(s.Provider+"/"+s.Model, "/") }

// eventText describes an event by its kind, the nodes that it comes from and goes to, its reason
// and its text.
func (w formatter) eventText(e trace.Event) string {
	text := strings.ReplaceAll(string(e.Kind), "_", " ")
	switch {
	case e.From != "" && e.To != "":
		text += " " + e.From + " → " + e.To
	case e.To != "":
		text += " → " + e.To
	case e.From != "":
		text += " from " + e.From
	}
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	if d, err := time.ParseDuration(e.Text); err == nil && (e.Kind == trace.KindRetry || e.Kind == trace.KindQueue) {
		return text + ": " + metric.FormatDuration(d)
	}
	return text + w.suffix(e.Text)
}

// suffix formats a free text to be appended to a description; "" for an empty text.
func (w formatter) suffix(text string) string {
	if text == "" {
		return ""
	}
	return ": " + w.brief(text)
}

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

// FormatDelay formats a delay in seconds, such as "2.5 s". It limits the length, because the number
// can come from an agent.
func FormatDelay(seconds float64) string {
	return text.Truncate(strconv.FormatFloat(seconds, 'g', 4, 64), 5) + " s"
}

// NamedValue is one item of a description: a name, such as "decided by", and its value.
type NamedValue struct{ Name, Value string }

// RouteText describes the decision of a reply in one line: the label, what decided (such as the
// model or rules), and the confidence.
func RouteText(r agent.Reply) string {
	var parts []string
	for _, v := range DescribeDecision(r) {
		parts = append(parts, strings.TrimSpace(v.Name+" "+v.Value))
	}
	return strings.Join(parts, ", ")
}

// DescribeDecision describes the decision of a reply as a list: the label (with an empty name), the
// component that answered, what decided, the rule and the confidence. It omits empty values.
func DescribeDecision(r agent.Reply) []NamedValue {
	parts := []NamedValue{{Value: cmp.Or(r.Predicted, "(none)")}}
	if r.AnsweredBy != "" && r.AnsweredBy != r.Predicted {
		parts = append(parts, NamedValue{Name: "answered by", Value: r.AnsweredBy})
	}
	if r.DecidedBy != "" {
		parts = append(parts, NamedValue{Name: "decided by", Value: r.DecidedBy})
	}
	if r.Rule != "" {
		parts = append(parts, NamedValue{Name: "rule", Value: r.Rule})
	}
	switch {
	case r.ReportedConfidence() != nil:
		parts = append(parts, NamedValue{Name: "confidence", Value: metric.FormatMean(r.Confidence)})
	case len(r.Steps) == 0: // with several steps, each step has its own confidence
		parts = append(parts, NamedValue{Name: "confidence", Value: "–"})
	}
	return parts
}

// SlotsText formats the slots of a decision as "name = value" pairs, sorted by name.
func SlotsText(values map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, k+" = "+text.EscapeLabel(values[k]))
	}
	return strings.Join(parts, ", ")
}

// RetrievedText lists the ids of retrieved items with their similarities.
func RetrievedText(list []agent.Hit) string {
	parts := make([]string, len(list))
	for i, h := range list {
		parts[i] = h.ID + " " + metric.FormatMean(h.Similarity)
	}
	return strings.Join(parts, ", ")
}

// ErrorReplyText describes an error reply: its code, the node that failed, and the cause if it is
// known.
func ErrorReplyText(f agent.ErrorReply) string {
	text := f.Code + " in " + f.Node
	if f.Cause != "" {
		text += ", " + f.Cause
	}
	return text
}

// ImageText returns the URL of an image. For a data URL it returns only the media type and the
// size.
func ImageText(url string) string {
	kind, data, ok := strings.Cut(url, ",")
	if ok && strings.HasPrefix(kind, "data:") {
		return fmt.Sprintf("%s, %s", text.Truncate(line(kind), 40), metric.Plural(int64(len(data)), "byte"))
	}
	return url
}
