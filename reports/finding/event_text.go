package finding

import (
	"fmt"
	"strings"
	"time"

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
