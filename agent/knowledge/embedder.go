package knowledge

import (
	"context"

	"evalctl/agent/llm"
)

// Embedder turns texts into vectors of one length, in the order of the texts.
// Two embedders of one name make the same vectors.
type Embedder interface {
	Name() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// APIEmbedder asks a provider's embeddings API.
type APIEmbedder struct{ Client *llm.Client }

var _ Embedder = APIEmbedder{}

// Name is the provider and the model.
func (r APIEmbedder) Name() string { return r.Client.Provider().Name + "/" + r.Client.Model() }

// Embed asks in batches of as many as the provider takes.
func (r APIEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, _, err := r.Client.Embed(ctx, texts)
	return vectors, err
}
