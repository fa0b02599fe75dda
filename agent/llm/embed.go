package llm

import (
	"context"
	"fmt"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/trace"
)

// maxInputs bounds a batch: a vector of 4,096 dimensions is up to 90 KB of JSON.
const maxInputs = 64

// Embed turns each text into a vector, all of one length, in the order of
// texts. It asks in batches of as many as the provider takes, and no more than
// fit into an answer.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	var usage Usage
	for i, t := range texts {
		if t == "" {
			return nil, usage, c.refuse(fmt.Sprintf("text %d to embed is empty", i))
		}
	}
	vectors := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(len(texts), c.provider.MaxInputs, maxInputs)
		some, u, err := c.embedBatch(ctx, texts[:n])
		usage = usage.plus(u)
		if err != nil {
			return nil, usage, err
		}
		vectors, texts = append(vectors, some...), texts[n:]
	}
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return nil, usage, &Error{Kind: KindMalformed, Provider: c.provider.Name, Status: 200,
				Message: fmt.Sprintf("vector %d has %d dimensions, the first %d", i, len(v), len(vectors[0]))}
		}
	}
	return vectors, usage, nil
}

func (c *Client) embedBatch(ctx context.Context, texts []string) (vectors [][]float32, u Usage, err error) {
	k := &call{extras: c.extras, salt: salt(texts[0])}
	_, err = c.try(k).Do(ctx, func(ctx context.Context, s *trace.Span) error {
		w := c.wire(k, false)
		resp, err := c.over(w).CreateEmbeddings(ctx, openai.EmbeddingRequest{
			Input: texts, Model: openai.EmbeddingModel(c.cfg.Model), Dimensions: c.cfg.Dimensions,
		})
		if err != nil {
			return w.explain(err)
		}
		u = usageOf(resp.Usage)
		vectors, err = inOrder(resp.Data, len(texts))
		u.note(s, err)
		return err
	})
	return vectors, u, err
}

// inOrder puts the vectors at their index, each exactly once.
func inOrder(data []openai.Embedding, n int) ([][]float32, error) {
	if len(data) != n {
		return nil, &Error{Kind: KindMalformed, Status: 200, Message: fmt.Sprintf("%d vectors for %d texts", len(data), n)}
	}
	vectors := make([][]float32, n)
	for _, d := range data {
		if d.Index < 0 || d.Index >= n || vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return nil, &Error{Kind: KindMalformed, Status: 200, Message: fmt.Sprintf("no good vector at index %d", d.Index)}
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}
