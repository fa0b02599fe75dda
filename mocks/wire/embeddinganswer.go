package wire

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// bytesPerNumber is the approximate size, in bytes, of one number of a vector in an answer.
const bytesPerNumber = 12

// AnswerSize returns the approximate size, in bytes, of an answer with one vector per input. dims
// is the number of dimensions.
func (in *EmbeddingInputs) AnswerSize(dims int) int64 {
	return int64(len(in.texts)) * int64(dims) * bytesPerNumber
}

// AppendEmbeddings appends an answer with one vector of dims numbers per input.
func (c *Call) AppendEmbeddings(o []byte, b *EmbeddingBody, in *EmbeddingInputs, dims int) []byte {
	v := make([]float32, dims)
	o = slices.Grow(o, int(in.AnswerSize(dims)))
	o = append(o, `{"object":"list","data":[`...)
	for i, text := range in.texts {
		if i > 0 {
			o = append(o, ',')
		}
		o = jsontext.AppendIntField(append(o, `{"object":"embedding",`...), "index", i)
		o = append(o, `,"embedding":`...)
		model.FillEmbedding(text, v)
		if b.EncodingFormat == "base64" {
			o = appendBase64(o, v)
		} else {
			o = appendFloats(o, v)
		}
		o = append(o, '}')
	}
	o = jsontext.AppendStringField(append(o, `],`...), "model", b.Model)
	n := in.total()
	o = jsontext.AppendIntField(append(o, `,"usage":{`...), "prompt_tokens", n)
	o = append(jsontext.AppendIntField(append(o, ','), "total_tokens", n), '}')
	if c.Route.Dialect != OpenAI {
		o = jsontext.AppendStringField(append(o, ','), "id", c.requestID())
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

// appendBase64 appends a vector as base64 of little-endian float32 numbers.
func appendBase64(o []byte, v []float32) []byte {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return append(base64.StdEncoding.AppendEncode(append(o, '"'), raw), '"')
}
