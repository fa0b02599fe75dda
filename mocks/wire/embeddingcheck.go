package wire

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/mocks/model"
)

const (
	maxInputs          = 2048
	maxDashScopeInputs = 10
	maxInputTokens     = 8192
	maxAllTokens       = 300_000
	maxDimensions      = 4096
)

// invalidInput returns the refusal of an embedding request whose input is missing or has the wrong
// type.
func (c *Call) invalidInput(b *EmbeddingBody) *model.ErrorResponse {
	if c.Route.Dialect == DashScope {
		return c.invalidRequest("contents is neither str nor list of str.: input.contents", "")
	}
	if len(b.Input) == 0 {
		return c.invalidRequest("you must provide an input parameter", "input")
	}
	return c.invalidRequest("'$.input' is invalid. Please check the API reference.", "input")
}

// CheckEmbedding validates an embedding request. It returns the inputs and the number of dimensions
// of the vectors, or a refusal.
func (c *Call) CheckEmbedding(b *EmbeddingBody) (in *EmbeddingInputs, dims int, p *model.ErrorResponse) {
	in, ok := readInputs(b.Input)
	if !ok {
		return nil, 0, c.invalidInput(b)
	}
	if p := c.checkInputs(b, in); p != nil {
		return nil, 0, p
	}
	dims, p = c.dimensions(b)
	return in, dims, p
}

func (c *Call) checkInputs(b *EmbeddingBody, in *EmbeddingInputs) *model.ErrorResponse {
	limit := maxInputs
	if c.Route.Dialect == DashScope {
		limit = maxDashScopeInputs
	}
	switch {
	case b.Model == "":
		return c.invalidRequest("you must provide a model parameter", "model")
	case !c.isModel(b.Model):
		return c.ErrorResponseWithMessage(UnknownModel, "")
	case c.Route.Dialect == DashScope && in.tokens:
		return c.invalidInput(b)
	case c.Route.Dialect == DashScope && b.EncodingFormat != "" && b.EncodingFormat != "float":
		return c.invalidRequest("encoding_format only supports float", "")
	case b.EncodingFormat != "" && b.EncodingFormat != "float" && b.EncodingFormat != "base64":
		return c.invalidRequest(fmt.Sprintf("Invalid value: '%s'. Supported values are: 'float' and 'base64'.",
			b.EncodingFormat), "encoding_format")
	case len(in.texts) > limit && limit == maxDashScopeInputs:
		return c.invalidRequest("Value error, batch size is invalid, it should not be larger than 10.: input.contents",
			"")
	case len(in.texts) > limit:
		return c.invalidRequest(fmt.Sprintf("'$.input' has %d items, more than the limit of %d.", len(in.texts), limit),
			"input")
	case in.total() > maxAllTokens:
		return c.invalidRequest(fmt.Sprintf("Requested %d tokens, max %d tokens per request.", in.total(),
			maxAllTokens), "input")
	}
	for i, n := range in.counts {
		if n == 0 {
			return c.invalidRequest("input cannot be an empty string", "input")
		}
		if n > maxInputTokens {
			return c.invalidRequest(fmt.Sprintf("input[%d] has %d tokens, more than the limit of %d.", i, n,
				maxInputTokens), "input")
		}
	}
	return nil
}

// dimensions returns the requested number of dimensions, or the default of the model. It returns a
// refusal if the model does not support the number.
func (c *Call) dimensions(b *EmbeddingBody) (int, *model.ErrorResponse) {
	own, allowed := 1536, []int(nil)
	switch {
	case c.Route.Dialect == DashScope:
		own, allowed = 1024, []int{2048, 1536, 1024, 768, 512, 256, 128, 64}
		if strings.HasPrefix(b.Model, "text-embedding-v3") {
			allowed = allowed[2:]
		}
	case c.Route.Dialect == Ark:
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
		return 0, c.invalidRequest(fmt.Sprintf("dimensions %d is not supported by %s", d, b.Model), "dimensions")
	}
	return d, nil
}
