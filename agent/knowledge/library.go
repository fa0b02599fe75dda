package knowledge

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
)

// StyleLibrary finds styles by name in memory. It is safe for concurrent use.
type StyleLibrary struct {
	embedder   string
	dimensions int
	styles     []Style
	db         *sql.DB
	search     *sql.Stmt
	scanCache  *lru.Cache[[sha256.Size]byte, []StyleMatch]
}

// New creates a library in memory from styles, without a file. e computes the vectors.
func New(ctx context.Context, styles []Style, e Embedder) (*StyleLibrary, error) {
	c, err := embed(ctx, styles, e)
	if err != nil {
		return nil, fmt.Errorf("style library: %w", err)
	}
	return index(c)
}

// Styles returns all styles, sorted by id.
func (l *StyleLibrary) Styles() []Style { return slices.Clone(l.styles) }

// Close frees the memory of the library. Later searches fail.
func (l *StyleLibrary) Close() error {
	l.scanCache.Purge()
	return l.db.Close()
}

// scanCacheSize is the number of search results that are cached.
const scanCacheSize = 4096

// maxNames limits the names that one text of a query can match. It is vec0's largest chunk size.
const maxNames = 4096

// index creates a library that is ready for searches. It stores the vectors in a vec0 table. Row i
// of the tables vectors and names belongs to name i of the content. A single chunk that is no
// larger than necessary, with large pages, is fastest.
func index(c content) (*StyleLibrary, error) {
	pieces := min(maxNames, (len(c.vectors)+7)/8*8)
	scripts := []script{
		{statement: "PRAGMA page_size = 65536"},
		{statement: "BEGIN"},
		{statement: "CREATE TABLE names (id INTEGER PRIMARY KEY, style INTEGER NOT NULL)"},
		{statement: fmt.Sprintf(
			"CREATE VIRTUAL TABLE vectors USING vec0 (vector float[%d] distance_metric=l2, chunk_size=%d)",
			c.dimensions, pieces)},
	}
	id := 0
	for number, s := range c.styles {
		for range s.Names() {
			scripts = append(scripts,
				script{"INSERT INTO names VALUES (?, ?)", []any{id, number}},
				script{"INSERT INTO vectors (rowid, vector) VALUES (?, ?)", []any{id, encodeVectors(c.vectors[id])}})
			id++
		}
	}
	m, err := buildImage(append(scripts, script{statement: "COMMIT"}))
	if err != nil {
		return nil, fmt.Errorf("index of styles: %w", err)
	}
	return m.open(c)
}

// open opens the library with as many connections as there are CPUs to search in parallel.
func (m databaseFile) open(c content) (*StyleLibrary, error) {
	db := sql.OpenDB(m)
	n := runtime.GOMAXPROCS(0)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	search, err := db.Prepare(fmt.Sprintf(searchSQL, 4*c.dimensions, min(maxNames, len(c.vectors))))
	if err != nil {
		return nil, fmt.Errorf("index of styles: %w", errors.Join(err, db.Close()))
	}
	scanned, err := lru.New[[sha256.Size]byte, []StyleMatch](scanCacheSize)
	return &StyleLibrary{
		embedder:   c.embedder,
		dimensions: c.dimensions,
		styles:     c.styles,
		db:         db,
		search:     search,
		scanCache:  scanned,
	}, err
}
