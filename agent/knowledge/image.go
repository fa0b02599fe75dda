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

// image is the content of a SQLite database. As a connector it gives every connection its own copy
// in memory, so readers never wait for each other. An empty image is a new database.
type image []byte

var _ driver.Connector = image(nil)

// Connect implements driver.Connector. It opens a new copy of the image.
func (m image) Connect(ctx context.Context) (driver.Conn, error) {
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
func (m image) Driver() driver.Driver { return &sqlite.Driver{} }

// script is an SQL statement with its arguments.
type script struct {
	statement string
	args      []any
}

// buildImage executes the scripts in a new database and returns its content.
func buildImage(scripts []script) (m image, err error) {
	db := sql.OpenDB(image(nil))
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
