package suite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"sync"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/studio"
)

// library is where styles are found. It never changes, so that all trials may
// share it.
type library interface {
	Search(ctx context.Context, e knowledge.Embedder, q knowledge.Query) ([]knowledge.Hit, error)
}

// reach is a library as a trial reaches it.
type reach struct {
	library  library
	embedder knowledge.Embedder
	before   func(context.Context) error
}

var _ studio.Retriever = reach{}

func (r reach) Search(ctx context.Context, q knowledge.Query) ([]knowledge.Hit, error) {
	if r.before != nil {
		if err := r.before(ctx); err != nil {
			return nil, err
		}
	}
	return r.library.Search(ctx, r.embedder, q)
}

func embedderOf(v Variant, noise uint64, link func(string) Link) (knowledge.Embedder, error) {
	if v.Embedder != "api" {
		return knowledge.Local{}, nil
	}
	client, err := link("embedding").client(llm.Config{Node: "embedding", Seed: noise, Timeout: studio.RetrievalTimeout})
	return knowledge.Remote{Client: client}, err
}

// library is the variant's own file, else the shipped library with the vectors
// of its embedder; version changes with a file's content. A file that is
// missing or corrupt is no error here: it is what the studio has to cope with.
func (s Suite) library(v Variant, link func(string) Link) (_ library, version string, _ error) {
	switch {
	case v.Library != "":
		path := s.Path(v.Library)
		b, err := os.ReadFile(path)
		if err != nil {
			return &knowledge.Shelf{Path: path}, "no library", nil
		}
		sum := sha256.Sum256(b)
		return &knowledge.Shelf{Path: path}, hex.EncodeToString(sum[:8]), nil
	case v.Embedder == "api":
		lib, err := embedded(v, link)
		return lib, "", err
	}
	lib, err := ownLibrary()
	return lib, "", err
}

// ownLibrary is the shipped library, indexed without a network.
var ownLibrary = sync.OnceValues(func() (*knowledge.Library, error) {
	return index(context.Background(), knowledge.Local{})
})

// embedded has the vectors of the variant's model. What is simulated is not
// waited for.
func embedded(v Variant, link func(string) Link) (lib *knowledge.Library, err error) {
	e, err := embedderOf(v, 0, link)
	if err != nil {
		return nil, err
	}
	if link("embedding").BaseURL != "" {
		return index(context.Background(), e)
	}
	err = clock.Run(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
		lib, err = index(ctx, e)
		return err
	})
	return lib, err
}

func index(ctx context.Context, e knowledge.Embedder) (*knowledge.Library, error) {
	styles, err := knowledge.Shipped()
	if err != nil {
		return nil, err
	}
	return knowledge.New(ctx, styles, e)
}
