package wire

import (
	"math"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// logprobs are the simulated log probabilities of the tokens of an answer.
type logprobs struct {
	Content []token `json:"content"`
	Refusal *string `json:"refusal"` // always null
}

// token is one token of an answer, with its log probability and its most likely alternatives.
type token struct {
	tokenProb
	Top []tokenProb `json:"top_logprobs"`
}

type tokenProb struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
}

// alternativeTokens are reported as the alternatives of every simulated token.
var alternativeTokens = []string{
	" the", " a", " of", "的", " and", "是", " to", ".", ",", "。", "，", " in", "了", " is", "不", " it", "我",
	" that", "有", " for", "在",
}

// appendLogprobs appends the log probabilities of the tokens of a text. It appends null if the
// request does not require them or the text is empty. from is the offset of the text in its answer.
func (c *Call) appendLogprobs(o []byte, b *ChatBody, text string, from int) []byte {
	if !b.Logprobs || text == "" {
		return append(o, "null"...)
	}
	l := logprobs{}
	for text != "" {
		n := model.FirstTokenBytes(text)
		l.Content = append(l.Content, tokenLogprobs(text[:n], b.topLogprobs(), random.Mix(c.IDSeed, uint64(from))))
		text, from = text[n:], from+n
	}
	return appendJSON(o, l)
}

// tokenLogprobs returns a token with a high random probability and, if top > 0, with top
// alternatives. The token itself is the first of them.
func tokenLogprobs(text string, top int, seed uint64) token {
	d := random.Rand{Seed: seed}
	sure := 1 - 0.3*d.Float64()
	t := token{tokenProb: likelihood(text, sure), Top: []tokenProb{}}
	rest := 1 - sure
	for i := range top {
		if i == 0 {
			t.Top = append(t.Top, t.tokenProb)
			continue
		}
		rest /= 2
		other := alternativeTokens[i-1]
		if other == text {
			other = alternativeTokens[len(alternativeTokens)-1]
		}
		t.Top = append(t.Top, likelihood(other, rest))
	}
	return t
}

func likelihood(text string, p float64) tokenProb {
	l := tokenProb{Token: text, Logprob: math.Round(1e6*math.Log(max(p, 1e-9))) / 1e6}
	for _, b := range []byte(text) {
		l.Bytes = append(l.Bytes, int(b))
	}
	return l
}
