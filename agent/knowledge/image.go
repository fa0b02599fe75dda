package knowledge

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"

	"modernc.org/sqlite"
	_ "modernc.org/sqlite/vec" // registers vec0
)

// databaseFile is the content of a SQLite database file; empty: a new database. It implements
// [driver.Connector]: each connection works on its own copy in memory, so readers never wait.
type databaseFile []byte

var _ driver.Connector = databaseFile(nil)

// Connect implements driver.Connector. It opens a new copy of the image.
func (m databaseFile) Connect(ctx context.Context) (driver.Conn, error) {
	memory, err := sqlite.NewConnector(":memory:")
	if err != nil {
		return nil, err
	}
	conn, err := memory.Connect(ctx)
	if err != nil || len(m) == 0 {
		return conn, err
	}
	if err := conn.(interface{ Deserialize([]byte) error }).Deserialize(m); err != nil {
		_ = conn.Close() // the first error is more informative
		return nil, err
	}
	return conn, nil
}

// Driver implements driver.Connector.
func (m databaseFile) Driver() driver.Driver { return &sqlite.Driver{} }

// script is an SQL statement with its arguments.
type script struct {
	statement string
	args      []any
}

// buildImage executes the scripts in a new database and returns its content.
func buildImage(scripts []script) (m databaseFile, err error) {
	db := sql.OpenDB(databaseFile(nil))
	defer db.Close()
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for _, s := range scripts {
		if _, err := conn.ExecContext(context.Background(), s.statement, s.args...); err != nil {
			return nil, fmt.Errorf("%s: %w", s.statement, err)
		}
	}
	err = conn.Raw(func(c any) (err error) {
		m, err = c.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	return m, err
}

// encodeVectors encodes vectors in the format of sqlite-vec.
func encodeVectors(vectors ...[]float32) []byte {
	b := make([]byte, 0, 4*len(vectors)*len(vectors[0]))
	for _, v := range vectors {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}
