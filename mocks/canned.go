package mocks

// canned answers when there is no model.
type canned struct{}

func (canned) Answer(r ChatRequest) Answer {
	if r.JSON {
		return Answer{Content: `{"reply":"ok"}`}
	}
	if isChinese(r.Text) {
		return Answer{Content: "好的，我明白了。"}
	}
	return Answer{Content: "All right, got it."}
}
