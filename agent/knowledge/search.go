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

// Query describes a search for styles that are similar to texts.
type Query struct {
	Names           []string // names of requested styles: the best match of each has priority over all others
	Texts           []string // other texts that may name a style, each compared separately; blank ones are skipped
	Limit           int      // maximum number of matches; 0: unlimited
	MinSimilarity   float64  // matches below it are dropped, 0..1
	PreferExactName bool     // a text with the name of a style matches no style with a similar name
}

// StyleMatch is a style that a search found.
type StyleMatch struct {
	Style Style
	// cosine similarity, 0..1, of the most similar pair of a name and a text, rounded to six digits
	Similarity float64
}

// searchSQL compares the vectors in ?1, each %[1]d bytes long, with the vectors of all names. ?2 is
// the maximum distance and ?3 the minimum similarity. The vectors have length 1, so a distance d,
// which vec0 computes faster than a cosine, gives the cosine 1 - d²/2.
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

// Search returns the styles most similar to the query, best first, ties by id. e must be the
// embedder with which the library was created.
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
	// database/sql watches a cancelable context in a goroutine that is not part of simulated time.
	if clock.IsSimulated(ctx) {
		ctx = context.WithoutCancel(ctx)
	}
	return l.scan(ctx, vectors, names, q)
}

// embed returns the vectors of the query's names and texts without blank ones. names is how many of
// them belong to names.
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

// scan compares the query's vectors with those of the library. The vectors of names come first.
// Results are cached, because a library never changes.
func (l *StyleLibrary) scan(ctx context.Context, vectors [][]float32, names int, q Query) ([]StyleMatch, error) {
	encoded := encodeVectors(vectors...)
	id := sha256.Sum256(fmt.Appendf(slices.Clone(encoded), "%v %v %v %v", names, q.Limit, q.MinSimilarity,
		q.PreferExactName))
	if hits, ok := l.scanCache.Get(id); ok {
		return slices.Clone(hits), nil
	}
	matches, err := l.read(ctx, encoded, q.MinSimilarity)
	if err != nil {
		return nil, err
	}
	if q.PreferExactName {
		matches = withoutNear(matches)
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

// read returns all matches with at least a minimum similarity, best first.
func (l *StyleLibrary) read(ctx context.Context, encoded []byte, minSimilarity float64) (matches []match, err error) {
	// a little more, because values slightly below the minimum are rounded up to it
	farthest := math.Sqrt(2 - 2*(minSimilarity-2e-6))
	rows, err := l.search.QueryContext(ctx, encoded, farthest, minSimilarity)
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
