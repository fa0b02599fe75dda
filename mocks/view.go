package mocks

// view is the request as a Model sees it.
func (b *chatBody) view() ChatRequest {
	r := ChatRequest{
		Model: b.Model, JSON: b.isJSON(), Stream: b.Stream,
		Messages: make([]Message, len(b.Messages)),
	}
	for i, m := range b.Messages {
		r.Messages[i] = Message{Role: m.Role, Text: m.Content.text}
		r.Images += m.Content.images
		if m.Role == "user" {
			r.Text = m.Content.text
		}
	}
	for _, t := range b.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	return r
}

// usual is the component that the request itself tells.
func (b *chatBody) usual(r *ChatRequest) Component {
	switch {
	case b.EnableSearch:
		return Search
	case r.JSON && r.system(`"score"`):
		return Critic
	case r.Images > 0:
		return Vision
	case r.JSON:
		return Router
	}
	return Chat
}
