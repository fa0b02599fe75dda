package llm

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/trace"
)

// maxInputs limits the texts in one call. A vector of 4,096 dimensions takes up to 90 KB of JSON.
const maxInputs = 64

// Embed returns one embedding vector for each text, in the same order and all of the same length.
// It splits the texts into as few calls as the provider allows.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	var usage Usage
	for i, t := range texts {
		if t == "" {
			return nil, usage, c.refuse(fmt.Sprintf("text %d to embed is empty", i))
		}
	}
	vectors := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(len(texts), c.provider.MaxEmbeddingInputs, maxInputs)
		some, u, err := c.embedBatch(ctx, texts[:n])
		usage = usage.plus(u)
		if err != nil {
			return nil, usage, err
		}
		vectors, texts = append(vectors, some...), texts[n:]
	}
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return nil, usage, &Error{
				Kind:     KindMalformedResponse,
				Provider: c.provider.Name,
				Status:   200,
				Message:  fmt.Sprintf("vector %d has %d dimensions, the first %d", i, len(v), len(vectors[0])),
			}
		}
	}
	return vectors, usage, nil
}

// embedBody is the body of an embeddings request.
type embedBody struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions,omitzero"`
}

// embedAnswer contains the fields of an embeddings response that this package reads.
type embedAnswer struct {
	Data  []embedding    `json:"data"`
	Usage jsontext.Value `json:"usage"`
}

type embedding struct {
	Index     int       `json:"index"`
	Embedding []float32 `json:"embedding"`
}

func (c *Client) embedBatch(ctx context.Context, texts []string) (vectors [][]float32, u Usage, err error) {
	body, err := encode(embedBody{Input: texts, Model: c.cfg.Model, Dimensions: c.cfg.Dimensions}, c.extras)
	if err != nil {
		return nil, u, c.refuse(err.Error())
	}
	k := &call{body: body, salt: salt(texts[0])}
	_, err = c.callPolicy(k).Do(ctx, func(ctx context.Context, s *trace.Span) error {
		var a embedAnswer
		_, err := c.exchange(ctx, embeddingPath, k, &a)
		if u, _ = usageIn(a.Usage); err == nil {
			vectors, err = sortByIndex(a.Data, len(texts))
		}
		u.record(s, k.answerBegun(err))
		return err
	})
	return vectors, u, err
}

// sortByIndex sorts the vectors by index. It returns an error unless each index occurs exactly
// once.
func sortByIndex(data []embedding, n int) ([][]float32, error) {
	if len(data) != n {
		return nil, &Error{Kind: KindMalformedResponse, Status: 200,
			Message: fmt.Sprintf("%d vectors for %d texts", len(data), n)}
	}
	vectors := make([][]float32, n)
	for _, d := range data {
		if d.Index < 0 || d.Index >= n || vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return nil, &Error{Kind: KindMalformedResponse, Status: 200,
				Message: fmt.Sprintf("no good vector at index %d", d.Index)}
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}
