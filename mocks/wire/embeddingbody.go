package wire

import (
	"encoding/json"
	"strconv"

	"evalctl/mocks/model"
)

// EmbeddingBody is the body of an embedding request in OpenAI's format. DashScope and Ark use the
// same format for their embeddings.
type EmbeddingBody struct {
	Model          string          `json:"model"`
	Input          json.RawMessage `json:"input"`
	EncodingFormat string          `json:"encoding_format"`
	Dimensions     *int            `json:"dimensions"`
}

// EmbeddingInputs are the texts of an embedding request. Inputs given as token numbers are
// converted to texts of numbers.
type EmbeddingInputs struct {
	texts  []string
	counts []int // number of tokens of each input
	tokens bool  // the inputs were given as token numbers
}

func (in *EmbeddingInputs) total() (n int) {
	for _, k := range in.counts {
		n += k
	}
	return n
}

// readInputs decodes the input of an embedding request: a string, a list of strings, a list of
// token numbers, or a list of such lists.
func readInputs(raw json.RawMessage) (*EmbeddingInputs, bool) {
	var one string
	if json.Unmarshal(raw, &one) == nil && len(raw) > 0 && raw[0] == '"' {
		return textInputs([]string{one}), true
	}
	var many []string
	if json.Unmarshal(raw, &many) == nil && len(many) > 0 {
		return textInputs(many), true
	}
	var ids []int
	if json.Unmarshal(raw, &ids) == nil && len(ids) > 0 {
		return tokenInputs([][]int{ids}), true
	}
	var lists [][]int
	if json.Unmarshal(raw, &lists) == nil && len(lists) > 0 {
		return tokenInputs(lists), true
	}
	return nil, false
}

func textInputs(texts []string) *EmbeddingInputs {
	in := &EmbeddingInputs{texts: texts}
	for _, t := range texts {
		in.counts = append(in.counts, model.EstimateTokens(t))
	}
	return in
}

func tokenInputs(lists [][]int) *EmbeddingInputs {
	in := &EmbeddingInputs{tokens: true}
	for _, list := range lists {
		var b []byte
		for _, id := range list {
			b = append(strconv.AppendInt(b, int64(id), 10), ' ')
		}
		in.texts = append(in.texts, string(b))
		in.counts = append(in.counts, len(list))
	}
	return in
}
