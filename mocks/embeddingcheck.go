package mocks

import (
	"fmt"
	"slices"
	"strings"
)

const (
	maxInputs          = 2048
	maxDashScopeInputs = 10
	maxInputTokens     = 8192
	maxAllTokens       = 300_000
	maxDimensions      = 4096
)

// objectInput is the refusal of an input of the wrong form.
func (c *call) objectInput(b *embeddingBody) *Refusal {
	if c.place.dialect == DashScope {
		return c.object("contents is neither str nor list of str.: input.contents", "")
	}
	if len(b.Input) == 0 {
		return c.object("you must provide an input parameter", "input")
	}
	return c.object("'$.input' is invalid. Please check the API reference.", "input")
}

// checkEmbedding checks the limits and gives the dimensions.
func (c *call) checkEmbedding(b *embeddingBody, in *inputs) (int, *Refusal) {
	limit := maxInputs
	if c.place.dialect == DashScope {
		limit = maxDashScopeInputs
	}
	switch {
	case b.Model == "":
		return 0, c.object("you must provide a model parameter", "model")
	case c.place.dialect == DashScope && in.tokens:
		return 0, c.objectInput(b)
	case c.place.dialect == DashScope && b.EncodingFormat != "" && b.EncodingFormat != "float":
		return 0, c.object("encoding_format only supports float", "")
	case b.EncodingFormat != "" && b.EncodingFormat != "float" && b.EncodingFormat != "base64":
		return 0, c.object(fmt.Sprintf("Invalid value: '%s'. Supported values are: 'float' and 'base64'.", b.EncodingFormat), "encoding_format")
	case len(in.texts) > limit && limit == maxDashScopeInputs:
		return 0, c.object("Value error, batch size is invalid, it should not be larger than 10.: input.contents", "")
	case len(in.texts) > limit:
		return 0, c.object(fmt.Sprintf("'$.input' has %d items, more than the limit of %d.", len(in.texts), limit), "input")
	case in.total() > maxAllTokens:
		return 0, c.object(fmt.Sprintf("Requested %d tokens, max %d tokens per request.", in.total(), maxAllTokens), "input")
	}
	for i, n := range in.counts {
		if n == 0 {
			return 0, c.object("input cannot be an empty string", "input")
		}
		if n > maxInputTokens {
			return 0, c.object(fmt.Sprintf("input[%d] has %d tokens, more than the limit of %d.", i, n, maxInputTokens), "input")
		}
	}
	return c.dimensions(b)
}

// dimensions are those wanted, or the model's own.
func (c *call) dimensions(b *embeddingBody) (int, *Refusal) {
	own, allowed := 1536, []int(nil)
	switch {
	case c.place.dialect == DashScope:
		own, allowed = 1024, []int{2048, 1536, 1024, 768, 512, 256, 128, 64}
		if strings.HasPrefix(b.Model, "text-embedding-v3") {
			allowed = allowed[2:]
		}
	case c.place.dialect == Ark:
		own = 2048
	case b.Model == "text-embedding-3-large":
		own = 3072
	case b.Model == "text-embedding-ada-002":
		allowed = []int{own}
	}
	if b.Dimensions == nil {
		return own, nil
	}
	d := *b.Dimensions
	if d < 1 || d > maxDimensions || allowed != nil && !slices.Contains(allowed, d) {
		return 0, c.object(fmt.Sprintf("dimensions %d is not supported by %s", d, b.Model), "dimensions")
	}
	return d, nil
}
