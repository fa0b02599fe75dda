package event

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"evalctl/agent"
	"evalctl/eval/number"
	"evalctl/reports/visible"
)

// Delay formats a number of seconds from an untrusted source.
func Delay(seconds float64) string {
	return visible.Truncate(strconv.FormatFloat(seconds, 'g', 4, 64), 5) + " s"
}

// Value is a named value.
type Value struct{ Name, Value string }

// Route describes a decision in one line.
func Route(r agent.Reply) string {
	var parts []string
	for _, v := range Decision(r) {
		parts = append(parts, strings.TrimSpace(v.Name+" "+v.Value))
	}
	return strings.Join(parts, ", ")
}

// Decision returns what was decided (without a name), by what, and what answered. Empty values are
// omitted.
func Decision(r agent.Reply) []Value {
	parts := []Value{{Value: cmp.Or(r.Predicted, "(none)")}}
	if r.AnsweredBy != "" && r.AnsweredBy != r.Predicted {
		parts = append(parts, Value{Name: "answered by", Value: r.AnsweredBy})
	}
	if r.DecidedBy != "" {
		parts = append(parts, Value{Name: "decided by", Value: r.DecidedBy})
	}
	if r.Rule != "" {
		parts = append(parts, Value{Name: "rule", Value: r.Rule})
	}
	switch {
	case r.StatedConfidence() != nil:
		parts = append(parts, Value{Name: "confidence", Value: number.Mean(r.Confidence)})
	case len(r.Steps) == 0: // in episodes with several decisions, the confidence may be missing
		parts = append(parts, Value{Name: "confidence", Value: "–"})
	}
	return parts
}

// Values formats the slots of a decision.
func Values(values map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, k+" = "+visible.VisibleName(values[k]))
	}
	return strings.Join(parts, ", ")
}

// RetrievedText lists the hits with their similarity.
func RetrievedText(list []agent.Hit) string {
	parts := make([]string, len(list))
	for i, h := range list {
		parts[i] = h.ID + " " + number.Mean(h.Similarity)
	}
	return strings.Join(parts, ", ")
}

// ErrorReplyText describes an error reply and the call that caused it.
func ErrorReplyText(f agent.ErrorReply) string {
	text := f.Code + " in " + f.Node
	if f.Cause != "" {
		text += ", " + f.Cause
	}
	return text
}

// ImageLink returns the URL of an image. For a data URL it returns only type and size.
func ImageLink(url string) string {
	kind, data, ok := strings.Cut(url, ",")
	if ok && strings.HasPrefix(kind, "data:") {
		return fmt.Sprintf("%s, %s", visible.Truncate(line(kind), 40), number.Plural(int64(len(data)), "byte"))
	}
	return url
}
