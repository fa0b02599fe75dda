package wire

import (
	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// ModelRequest returns the request in the form that a simulated model receives, independent of the
// provider's format.
func (b *ChatBody) ModelRequest() model.Request {
	r := model.Request{
		Model:        b.Model,
		RequiresJSON: b.isJSON(),
		Stream:       b.Stream,
		Messages:     make([]model.Message, len(b.Messages)),
	}
	for i, m := range b.Messages {
		r.Messages[i] = model.Message{Role: m.Role, Text: m.Content.text}
		r.ImageCount += m.Content.images
		if m.Role == "user" {
			r.Text = m.Content.text
		}
	}
	for _, t := range b.Tools {
		if b.ToolChoice.mode != "none" { // with mode none, no tool can be called
			r.Tools = append(r.Tools, t.name())
		}
	}
	return r
}

// GuessRole guesses the role of the calling component from the form of the request. The first match
// counts: enable_search is Search; JSON with "score" (in quotes) in a system message is Critic; an
// image is Vision; JSON is Router. Everything else is Chat.
func (b *ChatBody) GuessRole(r *model.Request) component.Role {
	switch {
	case b.EnableSearch:
		return component.Search
	case r.RequiresJSON && r.SystemContains(`"score"`):
		return component.Critic
	case r.ImageCount > 0:
		return component.Vision
	case r.RequiresJSON:
		return component.Router
	}
	return component.Chat
}
