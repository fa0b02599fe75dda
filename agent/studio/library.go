package studio

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/file"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// library is the styles as one agent reaches them: all trials share them.
type library struct {
	styles   *knowledge.StyleLibrary
	embedder knowledge.Embedder
	before   func(context.Context) error
}

var _ Retriever = library{}

// Search looks styles up, behind what stands before them.
func (l library) Search(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error) {
	if l.before != nil {
		if err := l.before(ctx); err != nil {
			return nil, err
		}
	}
	return l.styles.Search(ctx, l.embedder, q)
}

func embedderOf(v system.Values, seed uint64, link func(string) system.Endpoint) (knowledge.Embedder, error) {
	if v["embedder"] != apiEmbedder {
		return knowledge.HashEmbedder{}, nil
	}
	client, err := link("embedding").Client(llm.Config{Node: "embedding", Seed: seed, Timeout: RetrievalTimeout})
	return knowledge.APIEmbedder{Client: client}, err
}

// openLibrary opens the variant's own file, else the shipped library with the
// vectors of its embedder; version changes with a file's content.
func openLibrary(o system.Options) (_ *knowledge.StyleLibrary, version string, _ error) {
	path := o.Values["style-library"]
	switch {
	case path != "":
		b, err := file.Read(path, knowledge.MaxLibrary)
		if err != nil {
			return nil, "", err
		}
		lib, err := knowledge.Open(path)
		sum := sha256.Sum256(b)
		return lib, hex.EncodeToString(sum[:8]), err
	case isShared(o.Values):
		lib, err := ownLibrary()
		return lib, "", err
	}
	lib, err := embeddedLibrary(o)
	return lib, "", err
}

// isShared tells the library that all studios of the process look into, and that no
// one of them may close.
func isShared(v system.Values) bool { return v["style-library"] == "" && v["embedder"] != apiEmbedder }

// ownLibrary is the shipped library, indexed without a network.
var ownLibrary = sync.OnceValues(func() (*knowledge.StyleLibrary, error) {
	return indexed(context.Background(), knowledge.HashEmbedder{})
})

// embeddedLibrary has the vectors of the variant's model. What is simulated is
// not waited for.
func embeddedLibrary(o system.Options) (lib *knowledge.StyleLibrary, err error) {
	e, err := embedderOf(o.Values, 0, o.Link)
	if err != nil {
		return nil, err
	}
	if o.Link("embedding").BaseURL != "" {
		return indexed(context.Background(), e)
	}
	err = clock.Run(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
		lib, err = indexed(ctx, e)
		return err
	})
	return lib, err
}

func indexed(ctx context.Context, e knowledge.Embedder) (*knowledge.StyleLibrary, error) {
	styles, err := shippedStyles()
	if err != nil {
		return nil, err
	}
	return knowledge.New(ctx, styles, e)
}
