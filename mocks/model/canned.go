package model

// FixedAnswers is the default model of a simulated server. It always gives the same short answer.
type FixedAnswers struct{}

// Answer returns a fixed text: in Chinese for a Chinese request, JSON if the request requires it,
// else in English.
func (FixedAnswers) Answer(r Request) Answer {
	if r.RequiresJSON {
		return Answer{Content: `{"reply":"ok"}`}
	}
	if IsChinese(r.Text) {
		return Answer{Content: "好的，我明白了。"}
	}
	return Answer{Content: "All right, got it."}
}
