package database

import (
	"database/sql/driver"
	"fmt"
	"iter"
)

// Update is a transaction. It is valid until the function that received it returns.
type Tx struct{ db *DB }

// Exec executes a statement with arguments for its placeholders.
func (t *Tx) Exec(query string, args ...any) error {
	return t.db.wrapErr(t.db.conn.run(query, args...))
}

// Rows returns the rows of a query. If the query fails, the last element is the error.
func (t *Tx) Rows(query string, args ...any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for row, err := range t.db.conn.rows(query, args...) {
			if !yield(row, t.db.wrapErr(err)) {
				return
			}
		}
	}
}

// Row contains the values of one row of a query.
type Row []driver.Value

// Scan copies the values of the row to pointers of type *string, *[]byte, *int, *int64, *float64
// and *bool. A null is an error.
func (r Row) Scan(into ...any) error {
	if len(into) != len(r) {
		return fmt.Errorf("a row of %d values is read into %d", len(r), len(into))
	}
	for i, to := range into {
		if !assign(to, r[i]) {
			return fmt.Errorf("value %d of the row is %T and does not fit %T", i+1, r[i], to)
		}
	}
	return nil
}

func assign(to any, value driver.Value) (ok bool) {
	switch to := to.(type) {
	case *string:
		*to, ok = value.(string)
	case *[]byte:
		*to, ok = value.([]byte)
	case *int64:
		*to, ok = value.(int64)
	case *float64:
		*to, ok = value.(float64)
	case *int:
		var n int64
		n, ok = value.(int64)
		*to = int(n)
	case *bool:
		var n int64
		n, ok = value.(int64)
		*to = n != 0
	}
	return ok
}
