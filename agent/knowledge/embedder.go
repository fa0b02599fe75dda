package knowledge

import (
	"context"

	"evalctl/agent/llm"
)

// Embedder converts texts to vectors of the same length, in the order of the texts. Embedders of
// the same name return the same vectors.
type Embedder interface {
	Name() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// APIEmbedder calls a provider's embeddings API.
type APIEmbedder struct{ Client *llm.Client }

var _ Embedder = APIEmbedder{}

// Name returns the provider and the model.
func (r APIEmbedder) Name() string { return r.Client.Provider().Name + "/" + r.Client.Model() }

// Embed sends batches as large as the provider accepts.
func (r APIEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, _, err := r.Client.Embed(ctx, texts)
	return vectors, err
}
