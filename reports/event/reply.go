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

// Delay is a number of seconds, whoever gave it.
func Delay(seconds float64) string {
	return visible.Truncate(strconv.FormatFloat(seconds, 'g', 4, 64), 5) + " s"
}

// Value is what is known of something, by its name.
type Value struct{ Name, Value string }

// Route says what was decided, by whom, and what answered in the end.
func Route(r agent.Reply) string {
	var parts []string
	for _, v := range Decision(r) {
		parts = append(parts, strings.TrimSpace(v.Name+" "+v.Value))
	}
	return strings.Join(parts, ", ")
}

// Decision is what was decided, which has no name, by whom, and what answered in the
// end, each in turn and as far as it tells something.
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
	case len(r.Steps) == 0: // who decides again and again need not say
		parts = append(parts, Value{Name: "confidence", Value: "–"})
	}
	return parts
}

// Values are what the decision names besides the route.
func Values(values map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, k+" = "+visible.VisibleName(values[k]))
	}
	return strings.Join(parts, ", ")
}

// RetrievedText are what was found, each with how similar it is.
func RetrievedText(list []agent.Hit) string {
	parts := make([]string, len(list))
	for i, h := range list {
		parts[i] = h.ID + " " + number.Mean(h.Similarity)
	}
	return strings.Join(parts, ", ")
}

// ErrorReplyText says what an answer apologises for, and which call was to blame.
func ErrorReplyText(f agent.ErrorReply) string {
	text := f.Code + " in " + f.Node
	if f.Cause != "" {
		text += ", " + f.Cause
	}
	return text
}

// ImageLink shows a link, but of a picture in the link only its kind and size.
func ImageLink(url string) string {
	kind, data, ok := strings.Cut(url, ",")
	if ok && strings.HasPrefix(kind, "data:") {
		return fmt.Sprintf("%s, %s", visible.Truncate(line(kind), 40), number.Plural(int64(len(data)), "byte"))
	}
	return url
}
