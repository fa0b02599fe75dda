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

// StyleLibrary finds styles. It lives in memory and is safe for concurrent use.
type StyleLibrary struct {
	embedder   string
	dimensions int
	styles     []Style
	db         *sql.DB
	search     *sql.Stmt
	scanned    *lru.Cache[[sha256.Size]byte, []StyleMatch]
}

// New makes a library that is in no file.
func New(ctx context.Context, styles []Style, e Embedder) (*StyleLibrary, error) {
	c, err := embed(ctx, styles, e)
	if err != nil {
		return nil, fmt.Errorf("style library: %w", err)
	}
	return index(c)
}

// Styles are all that the library holds.
func (l *StyleLibrary) Styles() []Style { return slices.Clone(l.styles) }

// Close frees the library's memory. Searches after it fail.
func (l *StyleLibrary) Close() error {
	l.scanned.Purge()
	return l.db.Close()
}

// remembered is how many scans a library keeps.
const remembered = 4096

// maxNames bounds what the index can hold in one piece, and so how many names
// of a library can be similar enough for one text.
const maxNames = 4096

// index puts the vectors where vec0 can scan them: name i of the library is
// row i of the index and of names, which says whose it is. One chunk, just
// large enough, in large pages is what vec0 reads fastest.
func index(c content) (*StyleLibrary, error) {
	pieces := min(maxNames, (len(c.vectors)+7)/8*8)
	scripts := []script{
		{statement: "PRAGMA page_size = 65536"},
		{statement: "BEGIN"},
		{statement: "CREATE TABLE names (id INTEGER PRIMARY KEY, style INTEGER NOT NULL)"},
		{statement: fmt.Sprintf("CREATE VIRTUAL TABLE vectors USING vec0 (vector float[%d] distance_metric=l2, chunk_size=%d)", c.dimensions, pieces)},
	}
	id := 0
	for number, s := range c.styles {
		for range s.Names() {
			scripts = append(scripts,
				script{"INSERT INTO names VALUES (?, ?)", []any{id, number}},
				script{"INSERT INTO vectors (rowid, vector) VALUES (?, ?)", []any{id, blob(c.vectors[id])}})
			id++
		}
	}
	m, err := draw(append(scripts, script{statement: "COMMIT"}))
	if err != nil {
		return nil, fmt.Errorf("index of styles: %w", err)
	}
	return m.open(c)
}

// open connects as often as the machine can search at once.
func (m image) open(c content) (*StyleLibrary, error) {
	db := sql.OpenDB(m)
	n := runtime.GOMAXPROCS(0)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	search, err := db.Prepare(fmt.Sprintf(searchSQL, 4*c.dimensions, min(maxNames, len(c.vectors))))
	if err != nil {
		return nil, fmt.Errorf("index of styles: %w", errors.Join(err, db.Close()))
	}
	scanned, err := lru.New[[sha256.Size]byte, []StyleMatch](remembered)
	return &StyleLibrary{embedder: c.embedder, dimensions: c.dimensions, styles: c.styles, db: db, search: search, scanned: scanned}, err
}
