package knowledge

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"evalctl/agent/file"
)

// ErrCorrupt is returned by Open for a file that is not a valid style library.
var ErrCorrupt = errors.New("no sound style library")

// MaxLibraryBytes limits the size of a library file in bytes.
const MaxLibraryBytes = 256 << 20

// Open reads a library file into memory. Its error is fs.ErrNotExist for a missing file, and
// ErrCorrupt for a file that is not a library or is damaged.
func Open(path string) (*StyleLibrary, error) {
	m, err := file.Read(path, MaxLibraryBytes)
	if err != nil {
		return nil, err
	}
	c, err := databaseFile(m).read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrCorrupt, err)
	}
	l, err := index(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// read decodes and validates the content of a library file.
func (m databaseFile) read() (c content, err error) {
	if len(m) == 0 {
		return c, errors.New("the file is empty")
	}
	db := sql.OpenDB(m)
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	var checksum string
	if err := db.QueryRow("SELECT embedder, dimensions, checksum FROM library").Scan(&c.embedder, &c.dimensions,
		&checksum); err != nil {
		return c, err
	}
	if c.styles, err = readAll(db, "SELECT id, zh, en, aliases, prompt FROM styles ORDER BY id",
		scanStyle); err != nil {
		return c, err
	}
	if c.vectors, err = readAll(db, "SELECT vector FROM vectors ORDER BY name", scanVector); err != nil {
		return c, err
	}
	if err := c.check(); err != nil {
		return c, err
	}
	if c.checksum() != checksum {
		return c, errors.New("it has changed since it was created")
	}
	return c, nil
}

// readAll returns all rows of a query, each converted by scan.
func readAll[T any](db *sql.DB, query string, scan func(*sql.Rows) (T, error)) (all []T, err error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

func scanStyle(rows *sql.Rows) (s Style, err error) {
	var aliases []byte
	if err := rows.Scan(&s.ID, &s.ZH, &s.EN, &aliases, &s.Prompt); err != nil {
		return s, err
	}
	if err := json.Unmarshal(aliases, &s.Aliases); err != nil {
		return s, fmt.Errorf("aliases of %s: %w", s.ID, err)
	}
	return s, nil
}

func scanVector(rows *sql.Rows) ([]float32, error) {
	var raw sql.RawBytes
	if err := rows.Scan(&raw); err != nil {
		return nil, err
	}
	if len(raw)%4 != 0 {
		return nil, fmt.Errorf("a vector of %d bytes", len(raw))
	}
	v := make([]float32, len(raw)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return v, nil
}
