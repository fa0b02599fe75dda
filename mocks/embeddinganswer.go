package mocks

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
)

func (c *Call) appendEmbeddings(o []byte, b *embeddingBody, in *inputs, dims int) []byte {
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
	if c.Place.dialect != OpenAI {
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
