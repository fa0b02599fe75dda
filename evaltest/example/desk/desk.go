// Package desk is the agent of an example: it classifies customer messages of a shop by rules.
package desk

import (
	"context"
	"strings"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// rule assigns a label to the messages that contain one of its words.
type rule struct {
	label string
	words []string
}

// Desk classifies messages by their first matching rule. Without a match, the label is "delivery".
type Desk struct{ rules []rule }

// New returns a Desk with the rules of the example shop.
func New() *Desk {
	return &Desk{rules: []rule{
		{label: "invoice", words: []string{"冲红", "开一张", "VAT", "send the invoice"}},
		{label: "delivery", words: []string{"找回来", "the parcel did not"}},
		{label: "refund", words: []string{"退款", "钱退给我", "refund", "money back"}},
	}}
}

// Respond classifies one message and returns its label. It implements agent.Agent.
func (d *Desk) Respond(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
	label := d.sort(t.Text)
	return agent.Reply{
		Content:    "→ " + label,
		Predicted:  label,
		AnsweredBy: label,
		DecidedBy:  "rules",
	}, nil
}

func (d *Desk) sort(text string) string {
	for _, r := range d.rules {
		for _, w := range r.words {
			if strings.Contains(text, w) {
				return r.label
			}
		}
	}
	return "delivery"
}
