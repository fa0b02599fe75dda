package knowledge

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/agent/clock"
)

// Query asks for the styles that go by one of the texts.
type Query struct {
	Texts         []string // compared singly: the best counts; blank ones are passed over
	Limit         int      // of hits; 0: any number
	MinSimilarity float64  // inclusive
}

// Hit is a style that is found.
type Hit struct {
	Style      Style
	Similarity float64 // 0..1, of the best of its names to the best of the texts: their vectors' cosine, to six digits
}

// searchSQL cuts the texts' vectors out of ?1, %[1]d bytes each, and lets
// vec0 scan the names for each. Vectors have length 1, so that vec0's cheaper
// distance d gives the cosine 1 - d²/2. ?2 bounds the distance.
const searchSQL = `
WITH RECURSIVE
	texts (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM texts WHERE (n + 1) * %[1]d < length(?1)),
	parts (vector) AS MATERIALIZED (SELECT substr(?1, 1 + n * %[1]d, %[1]d) FROM texts)
SELECT names.style, max(0, round(1 - min(v.distance * v.distance) / 2, 6)) AS similarity
FROM parts CROSS JOIN vectors v CROSS JOIN names
WHERE v.vector MATCH parts.vector AND v.k = %[2]d AND v.distance <= ?2 AND names.id = v.rowid
GROUP BY names.style
HAVING similarity >= ?3
ORDER BY similarity DESC, names.style
LIMIT ?4`

// Search returns the most similar styles first, ties by id. e must be the
// embedder that the library was made with.
func (l *Library) Search(ctx context.Context, e Embedder, q Query) ([]Hit, error) {
	hits, err := l.find(ctx, e, q)
	if err != nil {
		return nil, fmt.Errorf("search styles: %w", err)
	}
	return hits, nil
}

func (l *Library) find(ctx context.Context, e Embedder, q Query) ([]Hit, error) {
	if e.Name() != l.embedder {
		return nil, fmt.Errorf("the library was made with %s, not with %s", l.embedder, e.Name())
	}
	vectors, err := l.embed(ctx, e, q.Texts)
	if err != nil || len(vectors) == 0 || !(q.MinSimilarity <= 1) {
		return nil, err
	}
	// database/sql would watch the context in a goroutine that simulated time
	// cannot see.
	if clock.IsSimulated(ctx) {
		ctx = context.WithoutCancel(ctx)
	}
	return l.scan(ctx, vectors, q)
}

// embed makes vectors of the texts that have something to compare.
func (l *Library) embed(ctx context.Context, e Embedder, texts []string) (vectors [][]float32, err error) {
	var given []string
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			given = append(given, t)
		}
	}
	if len(given) == 0 {
		return nil, nil
	}
	all, err := embedAll(ctx, e, given)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		if len(v) != l.dimensions {
			return nil, fmt.Errorf("%s made a vector of %d dimensions, the library's have %d", e.Name(), len(v), l.dimensions)
		}
		if u, ok := unit(v); ok {
			vectors = append(vectors, u)
		}
	}
	return vectors, nil
}

// scan compares vectors with all names. What was compared before is not
// compared again: a library does not change.
func (l *Library) scan(ctx context.Context, vectors [][]float32, q Query) ([]Hit, error) {
	wanted := blob(vectors...)
	id := sha256.Sum256(fmt.Appendf(slices.Clone(wanted), "%v %v", q.Limit, q.MinSimilarity))
	if hits, ok := l.scanned.Get(id); ok {
		return slices.Clone(hits), nil
	}
	hits, err := l.read(ctx, wanted, q)
	if err == nil {
		l.scanned.Add(id, slices.Clone(hits))
	}
	return hits, err
}

func (l *Library) read(ctx context.Context, wanted []byte, q Query) (hits []Hit, err error) {
	limit := q.Limit
	if limit <= 0 {
		limit = -1
	}
	farthest := math.Sqrt(2 - 2*(q.MinSimilarity-2e-6)) // what rounds up to it included
	rows, err := l.search.QueryContext(ctx, wanted, farthest, q.MinSimilarity, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var style int
		var h Hit
		if err := rows.Scan(&style, &h.Similarity); err != nil {
			return nil, err
		}
		h.Style = l.styles[style]
		hits = append(hits, h)
	}
	return hits, rows.Err()
}
