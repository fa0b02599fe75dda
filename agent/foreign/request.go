package foreign

import (
	"encoding/json"

	"evalctl/agent"
)

// Request is a turn to send to an external agent.
type Request struct {
	ID      string // request id, which a program repeats in its answer
	Session string // id of the conversation
	Turn    agent.Turn
}

// defaultRequest is the JSON format of a request without a template.
type defaultRequest struct {
	ID        string                     `json:"id,omitempty"`
	Text      string                     `json:"text"`
	History   []agent.Message            `json:"history"`
	Session   string                     `json:"session"`
	Images    []string                   `json:"images,omitempty"`
	Mask      string                     `json:"mask,omitempty"`
	Documents []agent.Document           `json:"documents,omitempty"`
	Tools     []agent.Tool               `json:"tools,omitempty"`
	State     map[string]json.RawMessage `json:"state,omitempty"`
	Options   map[string]json.RawMessage `json:"options,omitempty"`
}

// JSON returns the request in the default format, on one line.
func (q Request) JSON() ([]byte, error) {
	t := q.Turn
	return json.Marshal(defaultRequest{
		ID:        q.ID,
		Text:      t.Text,
		History:   history(t),
		Session:   q.Session,
		Images:    t.Images,
		Mask:      t.Mask,
		Documents: t.Documents,
		Tools:     t.Tools,
		State:     t.State,
		Options:   t.Options,
	})
}

// history returns the history of a turn, never null in JSON, because programs iterate over it.
func history(t agent.Turn) []agent.Message {
	if t.History == nil {
		return []agent.Message{}
	}
	return t.History
}
