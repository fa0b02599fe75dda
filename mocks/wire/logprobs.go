package wire

import (
	"math"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// logprobs are how sure the model was of the tokens of its content.
type logprobs struct {
	Content []token `json:"content"`
	Refusal *string `json:"refusal"` // always null
}

// token is one of the content, with those that were likely in its place.
type token struct {
	likely
	Top []likely `json:"top_logprobs"`
}

type likely struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
}

// others are tokens that might have come instead.
var others = []string{
	" the", " a", " of", "的", " and", "是", " to", ".", ",", "。", "，", " in", "了", " is", "不", " it", "我", " that", "有", " for", "在",
}

// appendLogprobs writes the log probabilities of a text's tokens, where they
// are wanted and there is a text, else null. from is where in its answer the
// text begins.
func (c *Call) appendLogprobs(o []byte, b *ChatBody, text string, from int) []byte {
	if !b.Logprobs || text == "" {
		return append(o, "null"...)
	}
	l := logprobs{}
	for text != "" {
		n := model.TokenLength(text)
		l.Content = append(l.Content, chosen(text[:n], b.top(), random.Mix(c.ID, uint64(from))))
		text, from = text[n:], from+n
	}
	return appendJSON(o, l)
}

// chosen is a token that was likely, first among the top ones.
func chosen(text string, top int, seed uint64) token {
	d := random.Rand{Seed: seed}
	sure := 1 - 0.3*d.Float64()
	t := token{likely: likelihood(text, sure), Top: []likely{}}
	rest := 1 - sure
	for i := range top {
		if i == 0 {
			t.Top = append(t.Top, t.likely)
			continue
		}
		rest /= 2
		other := others[i-1]
		if other == text {
			other = others[len(others)-1]
		}
		t.Top = append(t.Top, likelihood(other, rest))
	}
	return t
}

func likelihood(text string, p float64) likely {
	l := likely{Token: text, Logprob: math.Round(1e6*math.Log(max(p, 1e-9))) / 1e6}
	for _, b := range []byte(text) {
		l.Bytes = append(l.Bytes, int(b))
	}
	return l
}
