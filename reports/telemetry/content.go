package telemetry

import (
	"encoding/json"

	"evalctl/eval"
)

// message is one of gen_ai.input.messages and gen_ai.output.messages.
type message struct {
	Role   string `json:"role"`
	Parts  []part `json:"parts"`
	Finish string `json:"finish_reason,omitempty"`
}

type part struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

// messages adds what was asked and answered, turn by turn, as much as has room: JSON
// that is cut would be none.
func (a *attributes) messages(turns []eval.TurnResult) {
	var asked, answered []message
	room := maxContent
	for _, p := range turns {
		q, r := clipped(p.Input.Text, room), ""
		room -= len(q)
		r = clipped(p.Reply.Content, room)
		room -= len(r)
		asked = append(asked, message{Role: "user", Parts: []part{{Type: "text", Content: q}}})
		if r != "" {
			answered = append(answered, message{Role: "assistant", Parts: []part{{Type: "text", Content: r}}, Finish: "stop"})
		}
		if room == 0 {
			break
		}
	}
	a.json("gen_ai.input.messages", asked)
	a.json("gen_ai.output.messages", answered)
}

func (a *attributes) json(name string, list []message) {
	text, err := json.Marshal(list)
	if err != nil || len(list) == 0 { // texts always can be written
		return
	}
	a.add(name, textValue(string(text)))
}
