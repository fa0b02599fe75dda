package index

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"evalctl/agent/database"
	"evalctl/agent/fulltext"
)

// schema is the database schema of an index. The column list of a term contains two varints for
// each passage with the term. The first is the distance from the previous such passage, the second
// the number of occurrences.
//
// SQLite's own full-text index FTS5 is not used. It does not provide such lists and is much slower
// for pairs of characters. It also gives no weight to a word that occurs in half of the passages.
var schema = database.Schema{ID: 0x72636c6c, Migrations: []string{`
	CREATE TABLE passages (number INTEGER PRIMARY KEY, id TEXT NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL, vector BLOB NOT NULL) STRICT;
	CREATE TABLE terms (term TEXT PRIMARY KEY, list BLOB NOT NULL) STRICT, WITHOUT ROWID`}}

// store writes the passages, vectors and terms to the database, and loads the vectors into memory.
func (x *Index) store(ctx context.Context, passages []Passage) error {
	vectors, err := x.embedAll(ctx, passages)
	if err != nil {
		return err
	}
	if x.db, err = database.Open("", schema); err != nil {
		return err
	}
	folded := make([]string, len(passages))
	for i, p := range passages {
		folded[i] = fulltext.Normalize(p.Text)
	}
	lists := x.lists(folded)
	return x.db.Update(ctx, func(tx *database.Tx) error {
		for i, p := range passages {
			if err := tx.Exec("INSERT INTO passages VALUES (?, ?, ?, ?, ?)", i, p.ID, p.Text, folded[i],
				blob(vectors[i])); err != nil {
				return err
			}
		}
		for _, term := range slices.Sorted(maps.Keys(lists)) {
			if err := tx.Exec("INSERT INTO terms VALUES (?, ?)", term, lists[term].bytes); err != nil {
				return err
			}
		}
		return x.read(tx)
	})
}

// list is the encoded list of passages with a term, while it is being built.
type list struct {
	bytes []byte
	last  int // last passage in the list, counted from 1; 0: none
}

// lists returns, for each term in the normalized texts of the passages, the list of passages with
// that term. It also records the lengths of the texts.
func (x *Index) lists(folded []string) map[string]*list {
	all, counts := map[string]*list{}, map[string]int{}
	for i, text := range folded {
		clear(counts)
		length := count(text, counts)
		for t, n := range counts {
			l := all[t]
			if l == nil {
				l = &list{}
				all[t] = l
			}
			l.bytes = binary.AppendUvarint(binary.AppendUvarint(l.bytes, uint64(i+1-l.last)), uint64(n))
			l.last = i + 1
		}
		x.lengths = append(x.lengths, float64(length))
		x.mean += float64(length)
	}
	x.mean /= float64(max(len(folded), 1))
	return all
}

// embedAll returns the vectors of the passages, scaled to length 1.
func (x *Index) embedAll(ctx context.Context, passages []Passage) ([][]float32, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Text
	}
	vectors, err := x.embed(ctx, texts)
	if err == nil && len(vectors) > 0 {
		x.width = len(vectors[0])
	}
	return vectors, err
}

// embed returns the vectors of texts, scaled to length 1. A zero vector remains zero.
func (x *Index) embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	vectors, err := x.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("%s made %d vectors of %d texts", x.embedder.Name(), len(vectors), len(texts))
	}
	for i, v := range vectors {
		if len(v) != len(vectors[0]) || len(v) == 0 {
			return nil, fmt.Errorf("%s made a vector of %d dimensions, the first has %d", x.embedder.Name(),
				len(v), len(vectors[0]))
		}
		vectors[i] = unit(v)
	}
	return vectors, nil
}

func unit(v []float32) []float32 {
	sum := 0.0
	for _, c := range v {
		sum += float64(c) * float64(c)
	}
	u := make([]float32, len(v))
	if !(sum > 0) || math.IsInf(sum, 0) {
		return u
	}
	for i, c := range v {
		u[i] = float32(float64(c) / math.Sqrt(sum))
	}
	return u
}

func blob(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, c := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(c))
	}
	return b
}

// read loads the vectors from the database into memory.
func (x *Index) read(tx *database.Tx) error {
	x.vectors = make([]float32, 0, len(x.documentOf)*x.width)
	for row, err := range tx.Rows("SELECT vector FROM passages ORDER BY number") {
		if err != nil {
			return err
		}
		var b []byte
		if err := row.Scan(&b); err != nil {
			return err
		}
		for ; len(b) > 0; b = b[4:] {
			x.vectors = append(x.vectors, math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	}
	return nil
}
