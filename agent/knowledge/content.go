package knowledge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// content is the content of a library file: the styles with the vectors of their names.
type content struct {
	embedder   string // name of the embedder
	dimensions int
	styles     []Style     // sorted by id
	vectors    [][]float32 // a vector of length 1 for each name of each style
}

// embed returns the styles with the vectors that e computes for their names.
func embed(ctx context.Context, styles []Style, e Embedder) (content, error) {
	c := content{embedder: e.Name(), styles: slices.Clone(styles)}
	slices.SortFunc(c.styles, func(a, b Style) int { return strings.Compare(a.ID, b.ID) })
	seen := usedNames{}
	for _, s := range c.styles {
		if err := seen.add(s); err != nil {
			return content{}, err
		}
	}
	names := c.names()
	if len(names) == 0 {
		return content{}, fmt.Errorf("no style is given")
	}
	vectors, err := embedAll(ctx, e, names)
	if err != nil {
		return content{}, err
	}
	c.dimensions = len(vectors[0])
	for i, v := range vectors {
		u, ok := unit(v)
		if !ok {
			return content{}, fmt.Errorf("name %q has a vector without direction", names[i])
		}
		c.vectors = append(c.vectors, u)
	}
	return c, c.check()
}

// names returns the names of all styles, in the order of the vectors.
func (c content) names() (all []string) {
	for _, s := range c.styles {
		all = append(all, s.Names()...)
	}
	return all
}

// maxDimensions is the limit of vec0, the SQLite extension that compares vectors.
const maxDimensions = 8192

// check returns an error if the vectors do not match the names.
func (c content) check() error {
	if c.dimensions < 1 || c.dimensions > maxDimensions {
		return fmt.Errorf("%d dimensions are not in 1..%d", c.dimensions, maxDimensions)
	}
	if names := c.names(); len(c.vectors) != len(names) || len(names) == 0 {
		return fmt.Errorf("%d vectors for %d names", len(c.vectors), len(names))
	}
	for i, v := range c.vectors {
		if len(v) != c.dimensions {
			return fmt.Errorf("vector %d has %d dimensions, not %d", i, len(v), c.dimensions)
		}
	}
	return nil
}

// checksum returns a SHA-256 hash of the whole content, to detect a damaged file.
func (c content) checksum() string {
	sum := sha256.New()
	for _, s := range c.styles {
		fmt.Fprintf(sum, "%q %q %q\n", s.ID, s.Names(), s.Prompt)
	}
	fmt.Fprintf(sum, "%q %d\n%s", c.embedder, c.dimensions, encodeVectors(c.vectors...))
	return hex.EncodeToString(sum.Sum(nil))
}

// embedAll embeds texts and checks that e returns one vector for each.
func embedAll(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, texts)
	if err == nil {
		err = ctx.Err() // not every embedder checks the context
	}
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("%s made %d vectors of %d texts", e.Name(), len(vectors), len(texts))
	}
	return vectors, nil
}
