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

// library searches a style library for one agent, with the agent's own embedding client. All trials
// share the styles.
type library struct {
	styles   *knowledge.StyleLibrary
	embedder knowledge.Embedder
	before   func(context.Context) error
}

var _ StyleSearcher = library{}

// Search calls before, a function that can inject a fault. Then it searches the styles.
func (l library) Search(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error) {
	if l.before != nil {
		if err := l.before(ctx); err != nil {
			return nil, err
		}
	}
	q.PreferExactName = true
	return l.styles.Search(ctx, l.embedder, q)
}

func embedderOf(v system.SettingValues, seed uint64, link func(string) system.Endpoint) (knowledge.Embedder, error) {
	if v["embedder"] != apiEmbedder {
		return knowledge.HashEmbedder{}, nil
	}
	client, err := link("embedding").NewClient(llm.Config{Node: "embedding", Seed: seed, Timeout: RetrievalTimeout})
	return knowledge.APIEmbedder{Client: client}, err
}

// openLibrary returns the style library of a variant: the file of the setting style-library, or the
// built-in styles with vectors of the variant's embedder. version changes with the content of the
// file.
func openLibrary(o system.Options) (_ *knowledge.StyleLibrary, version string, _ error) {
	path := o.SettingValues["style-library"]
	switch {
	case path != "":
		b, err := file.Read(path, knowledge.MaxLibraryBytes)
		if err != nil {
			return nil, "", err
		}
		lib, err := knowledge.Open(path)
		sum := sha256.Sum256(b)
		return lib, hex.EncodeToString(sum[:8]), err
	case isShared(o.SettingValues):
		lib, err := builtInLibrary()
		return lib, "", err
	}
	lib, err := embeddedLibrary(o)
	return lib, "", err
}

// isShared reports whether a variant uses the built-in library that all variants of the process
// share. It must not be closed.
func isShared(v system.SettingValues) bool {
	return v["style-library"] == "" && v["embedder"] != apiEmbedder
}

// builtInLibrary returns the built-in styles with vectors that are computed without a model.
var builtInLibrary = sync.OnceValues(func() (*knowledge.StyleLibrary, error) {
	return indexed(context.Background(), knowledge.HashEmbedder{})
})

// embeddedLibrary returns the built-in styles with vectors of an embedding model. A simulated model
// runs on a simulated clock, so its delays take no time.
func embeddedLibrary(o system.Options) (lib *knowledge.StyleLibrary, err error) {
	e, err := embedderOf(o.SettingValues, 0, o.EndpointOf)
	if err != nil {
		return nil, err
	}
	if o.EndpointOf("embedding").BaseURL != "" {
		return indexed(context.Background(), e)
	}
	err = clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
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
