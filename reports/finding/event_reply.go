package finding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"evalctl/agent"
	"evalctl/agent/text"
	"evalctl/eval/metric"
)

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
