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
	return visible.Shorten(strconv.FormatFloat(seconds, 'g', 4, 64), 5) + " s"
}

// Route says what was decided, by whom, and what answered in the end.
func Route(r agent.Reply) string {
	parts := []string{cmp.Or(r.Predicted, "(none)")}
	if r.Served != "" && r.Served != r.Predicted {
		parts = append(parts, "served by "+r.Served)
	}
	if r.Source != "" {
		parts = append(parts, "decided by "+r.Source)
	}
	if r.Rule != "" {
		parts = append(parts, "rule "+r.Rule)
	}
	if len(r.Steps) == 0 || r.Confidence > 0 { // who decides again and again need not say
		parts = append(parts, "confidence "+number.Mean(r.Confidence))
	}
	return strings.Join(parts, ", ")
}

// Values are what the decision names besides the route.
func Values(values map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, k+" = "+visible.Name(values[k]))
	}
	return strings.Join(parts, ", ")
}

// Hits are what was found, each with how similar it is.
func Hits(list []agent.Hit) string {
	parts := make([]string, len(list))
	for i, h := range list {
		parts[i] = h.ID + " " + number.Mean(h.Similarity)
	}
	return strings.Join(parts, ", ")
}

// Apology says what an answer apologises for, and which call was to blame.
func Apology(f agent.Failure) string {
	text := f.Code + " in " + f.Node
	if f.Reason != "" {
		text += ", " + f.Reason
	}
	return text
}

// Picture shows a link, but of a picture in the link only its kind and size.
func Picture(url string) string {
	kind, data, ok := strings.Cut(url, ",")
	if ok && strings.HasPrefix(kind, "data:") {
		return fmt.Sprintf("%s, %s", visible.Shorten(visible.Line(kind), 40), number.Counted(int64(len(data)), "byte"))
	}
	return url
}
