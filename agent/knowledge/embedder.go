package knowledge

import (
	"context"

	"evalctl/agent/llm"
)

// Embedder converts texts to vectors, one per text, all of the same length. Similar texts must have
// similar vectors. Embedders with the same name return the same vectors.
type Embedder interface {
	Name() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// APIEmbedder is an Embedder that calls the embeddings API of a provider.
type APIEmbedder struct{ Client *llm.Client }

var _ Embedder = APIEmbedder{}

// Name returns PROVIDER/MODEL.
func (r APIEmbedder) Name() string { return r.Client.Provider().Name + "/" + r.Client.Model() }

// Embed sends the texts in batches as large as the provider accepts.
func (r APIEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, _, err := r.Client.Embed(ctx, texts)
	return vectors, err
}
