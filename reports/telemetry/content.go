package telemetry

import (
	"encoding/json"

	"evalctl/eval"
)

// message is a message of a conversation, in the form that the attributes gen_ai.input.messages and
// gen_ai.output.messages require.
type message struct {
	Role   string `json:"role"`
	Parts  []part `json:"parts"`
	Finish string `json:"finish_reason,omitempty"`
}

type part struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

// messages adds attributes with the texts of turns and replies, at most maxContent bytes in total.
// It truncates them before encoding, because truncated JSON would be invalid.
func (a *attributes) messages(turns []eval.TurnResult) {
	var inputs, outputs []message
	room := maxContent
	for _, p := range turns {
		q, r := truncated(p.Input.Text, room), ""
		room -= len(q)
		r = truncated(p.Reply.Content, room)
		room -= len(r)
		inputs = append(inputs, message{Role: "user", Parts: []part{{Type: "text", Content: q}}})
		if r != "" {
			outputs = append(outputs,
				message{Role: "assistant", Parts: []part{{Type: "text", Content: r}}, Finish: "stop"})
		}
		if room == 0 {
			break
		}
	}
	a.json("gen_ai.input.messages", inputs)
	a.json("gen_ai.output.messages", outputs)
}

func (a *attributes) json(name string, list []message) {
	text, err := json.Marshal(list)
	if err != nil || len(list) == 0 { // an error is impossible, because the list contains only strings
		return
	}
	a.add(name, textValue(string(text)))
}
