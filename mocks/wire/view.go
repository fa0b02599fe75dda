package wire

import (
	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// View is the request as a Model sees it.
func (b *ChatBody) View() model.Request {
	r := model.Request{
		Model: b.Model, JSON: b.isJSON(), Stream: b.Stream,
		Messages: make([]model.Message, len(b.Messages)),
	}
	for i, m := range b.Messages {
		r.Messages[i] = model.Message{Role: m.Role, Text: m.Content.text}
		r.Images += m.Content.images
		if m.Role == "user" {
			r.Text = m.Content.text
		}
	}
	for _, t := range b.Tools {
		if b.ToolChoice.mode != "none" { // who may call none need not know them
			r.Tools = append(r.Tools, t.name())
		}
	}
	return r
}

// Component is what work a request looks like, where nothing better tells:
// Search with enable_search; else Critic in JSON mode with a system message that
// names the key "score", quotes included; else Vision with a picture, else
// Router in JSON mode, else Chat.
func (b *ChatBody) Component(r *model.Request) component.Role {
	switch {
	case b.EnableSearch:
		return component.Search
	case r.JSON && r.SystemContains(`"score"`):
		return component.Critic
	case r.Images > 0:
		return component.Vision
	case r.JSON:
		return component.Router
	}
	return component.Chat
}
