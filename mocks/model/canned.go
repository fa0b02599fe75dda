package model

// Canned is the default model, with fixed answers.
type Canned struct{}

// Answer returns the same text for all requests in a language.
func (Canned) Answer(r Request) Answer {
	if r.JSON {
		return Answer{Content: `{"reply":"ok"}`}
	}
	if IsChinese(r.Text) {
		return Answer{Content: "好的，我明白了。"}
	}
	return Answer{Content: "All right, got it."}
}
