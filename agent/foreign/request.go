package foreign

import (
	"encoding/json"

	"evalctl/agent"
)

// Request is what an agent is asked with.
type Request struct {
	ID      string // of the question: a program's answer repeats it
	Session string // of the conversation
	Turn    agent.Turn
}

// asked is a question as it is sent where nobody says otherwise.
type asked struct {
	ID        string                     `json:"id,omitempty"`
	Text      string                     `json:"text"`
	History   []agent.Message            `json:"history"`
	Session   string                     `json:"session"`
	Images    []string                   `json:"images,omitempty"`
	Mask      string                     `json:"mask,omitempty"`
	Documents []agent.Document           `json:"documents,omitempty"`
	State     map[string]json.RawMessage `json:"state,omitempty"`
	Options   map[string]json.RawMessage `json:"options,omitempty"`
}

// JSON is the question on one line, in the usual form.
func (q Request) JSON() ([]byte, error) {
	t := q.Turn
	return json.Marshal(asked{ID: q.ID, Text: t.Text, History: history(t), Session: q.Session, Images: t.Images, Mask: t.Mask,
		Documents: t.Documents, State: t.State, Options: t.Options})
}

// history is never null: strangers' programs go over it.
func history(t agent.Turn) []agent.Message {
	if t.History == nil {
		return []agent.Message{}
	}
	return t.History
}
