package model

// Canned answers when there is no model.
type Canned struct{}

// Answer is the same to all of a language.
func (Canned) Answer(r Request) Answer {
	if r.JSON {
		return Answer{Content: `{"reply":"ok"}`}
	}
	if IsChinese(r.Text) {
		return Answer{Content: "好的，我明白了。"}
	}
	return Answer{Content: "All right, got it."}
}
