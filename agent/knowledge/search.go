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

// Query is a search for styles by texts.
type Query struct {
	Names         []string // names of requested styles: the best match of each precedes all other matches
	Texts         []string // other texts that may name a style; each is compared separately, blank ones are skipped
	Limit         int      // number of matches; 0: unlimited
	MinSimilarity float64  // inclusive
}

// StyleMatch is a found style.
type StyleMatch struct {
	Style      Style
	Similarity float64 // 0..1: cosine of the best pair of a style's name and a text, to six digits
}

// searchSQL splits ?1 into the texts' vectors, %[1]d bytes each, and scans the names for each with
// vec0. Vectors have length 1, so vec0's cheaper distance d gives the cosine 1 - d²/2. ?2 is the
// maximal distance.
const searchSQL = `
WITH RECURSIVE
	texts (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM texts WHERE (n + 1) * %[1]d < length(?1)),
	parts (n, vector) AS MATERIALIZED (SELECT n, substr(?1, 1 + n * %[1]d, %[1]d) FROM texts)
SELECT parts.n, names.style, max(0, round(1 - min(v.distance * v.distance) / 2, 6)) AS similarity
FROM parts CROSS JOIN vectors v CROSS JOIN names
WHERE v.vector MATCH parts.vector AND v.k = %[2]d AND v.distance <= ?2 AND names.id = v.rowid
GROUP BY parts.n, names.style
HAVING similarity >= ?3
ORDER BY similarity DESC, names.style, parts.n`

// Search returns the most similar styles first, ties by id. e must be the embedder of the library.
func (l *StyleLibrary) Search(ctx context.Context, e Embedder, q Query) ([]StyleMatch, error) {
	hits, err := l.find(ctx, e, q)
	if err != nil {
		return nil, fmt.Errorf("search styles: %w", err)
	}
	return hits, nil
}

func (l *StyleLibrary) find(ctx context.Context, e Embedder, q Query) ([]StyleMatch, error) {
	if e.Name() != l.embedder {
		return nil, fmt.Errorf("the library was made with %s, not with %s", l.embedder, e.Name())
	}
	vectors, names, err := l.embed(ctx, e, q)
	if err != nil || len(vectors) == 0 || !(q.MinSimilarity <= 1) {
		return nil, err
	}
	// database/sql watches the context in a goroutine that is not part of simulated time.
	if clock.IsSimulated(ctx) {
		ctx = context.WithoutCancel(ctx)
	}
	return l.scan(ctx, vectors, names, q)
}

// embed returns the vectors of the names and texts that are not empty, and the number of names.
func (l *StyleLibrary) embed(ctx context.Context, e Embedder, q Query) (vectors [][]float32, names int, err error) {
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	given := slices.DeleteFunc(slices.Concat(q.Names, q.Texts), blank)
	if len(given) == 0 {
		return nil, 0, nil
	}
	all, err := embedAll(ctx, e, given)
	if err != nil {
		return nil, 0, err
	}
	named := len(slices.DeleteFunc(slices.Clone(q.Names), blank))
	for i, v := range all {
		if len(v) != l.dimensions {
			return nil, 0, fmt.Errorf("%s made a vector of %d dimensions, the library's have %d", e.Name(),
				len(v), l.dimensions)
		}
		u, ok := unit(v)
		if !ok {
			continue
		}
		vectors = append(vectors, u)
		if i < named {
			names++
		}
	}
	return vectors, names, nil
}

// scan compares vectors, the names' first, with those of the library. Results are cached, because a
// library does not change.
func (l *StyleLibrary) scan(ctx context.Context, vectors [][]float32, names int, q Query) ([]StyleMatch, error) {
	wanted := blob(vectors...)
	id := sha256.Sum256(fmt.Appendf(slices.Clone(wanted), "%v %v %v", names, q.Limit, q.MinSimilarity))
	if hits, ok := l.scanCache.Get(id); ok {
		return slices.Clone(hits), nil
	}
	matches, err := l.read(ctx, wanted, q.MinSimilarity)
	if err != nil {
		return nil, err
	}
	limit := q.Limit
	if limit <= 0 {
		limit = len(matches)
	}
	var hits []StyleMatch
	for _, m := range best(matches, names, limit) {
		hits = append(hits, StyleMatch{Style: l.styles[m.style], Similarity: m.similarity})
	}
	l.scanCache.Add(id, slices.Clone(hits))
	return hits, nil
}

// read returns all matches of at least this similarity, best first.
func (l *StyleLibrary) read(ctx context.Context, wanted []byte, least float64) (matches []match, err error) {
	farthest := math.Sqrt(2 - 2*(least-2e-6)) // includes values that are rounded up to it
	rows, err := l.search.QueryContext(ctx, wanted, farthest, least)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m match
		if err := rows.Scan(&m.text, &m.style, &m.similarity); err != nil {
			return nil, err
		}
		matches = append(matches, m)
	}
	return matches, rows.Err()
}
