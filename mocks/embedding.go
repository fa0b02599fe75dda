package mocks

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
)

type embeddingBody struct {
	Model          string          `json:"model"`
	Input          json.RawMessage `json:"input"`
	EncodingFormat string          `json:"encoding_format"`
	Dimensions     *int            `json:"dimensions"`
}

// embeddings answers with a vector for each input.
func (c *call) embeddings() {
	var b embeddingBody
	if !c.decode(&b) {
		return
	}
	c.ex.Model = b.Model
	in, ok := readInputs(b.Input)
	if !ok {
		c.send(*c.objectInput(&b))
		return
	}
	dims, p := c.checkEmbedding(&b, in)
	if p != nil {
		c.send(*p)
		return
	}
	c.count(Embedding)
	if c.failed() {
		return
	}
	if first, each := c.wait(); !c.sleep(first + each) {
		return
	}
	c.answer(http.StatusOK, c.appendEmbeddings(nil, &b, in, dims))
}

// inputs are texts, or token arrays written out as text.
type inputs struct {
	texts  []string
	counts []int // tokens of each
	tokens bool  // token arrays
}

func (in *inputs) total() (n int) {
	for _, k := range in.counts {
		n += k
	}
	return n
}

// readInputs reads a string, strings, a token array or token arrays.
func readInputs(raw json.RawMessage) (*inputs, bool) {
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

func textInputs(texts []string) *inputs {
	in := &inputs{texts: texts}
	for _, t := range texts {
		in.counts = append(in.counts, tokens(t))
	}
	return in
}

func tokenInputs(lists [][]int) *inputs {
	in := &inputs{tokens: true}
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

func (c *call) appendEmbeddings(o []byte, b *embeddingBody, in *inputs, dims int) []byte {
	v := make([]float32, dims)
	o = slices.Grow(o, len(in.texts)*dims*12)
	o = append(o, `{"object":"list","data":[`...)
	for i, text := range in.texts {
		if i > 0 {
			o = append(o, ',')
		}
		o = appendNumber(append(o, `{"object":"embedding",`...), "index", i)
		o = append(o, `,"embedding":`...)
		vector(text, v)
		if b.EncodingFormat == "base64" {
			o = appendBase64(o, v)
		} else {
			o = appendFloats(o, v)
		}
		o = append(o, '}')
	}
	o = appendField(append(o, `],`...), "model", b.Model)
	n := in.total()
	o = appendNumber(append(o, `,"usage":{`...), "prompt_tokens", n)
	o = append(appendNumber(append(o, ','), "total_tokens", n), '}')
	if c.place.dialect != OpenAI {
		o = appendField(append(o, ','), "id", c.requestID())
	}
	return append(o, '}')
}

func appendFloats(o []byte, v []float32) []byte {
	o = append(o, '[')
	for i, x := range v {
		if i > 0 {
			o = append(o, ',')
		}
		o = strconv.AppendFloat(o, float64(x), 'g', -1, 32)
	}
	return append(o, ']')
}

// appendBase64 writes little-endian float32 bytes.
func appendBase64(o []byte, v []float32) []byte {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return append(base64.StdEncoding.AppendEncode(append(o, '"'), raw), '"')
}
