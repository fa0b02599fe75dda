package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"iter"

	"modernc.org/sqlite"
)

// conn is a SQLite connection with a cache of prepared statements.
type conn struct {
	driverConn
	prepared map[string]statement
}

// statement is a prepared statement of the driver.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// maxCachedStatements limits the cached statements of a connection.
const maxCachedStatements = 64

type driverConn interface {
	driver.Conn
	driver.ExecerContext
	driver.QueryerContext
	Serialize() ([]byte, error)
	Deserialize([]byte) error
}

func connect(dsn string) (conn, error) {
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return conn{}, err
	}
	c, err := connector.Connect(context.Background())
	if err != nil {
		return conn{}, err
	}
	return conn{c.(driverConn), map[string]statement{}}, nil
}

func (c conn) exec(query string, args ...any) error {
	values, err := namedValues(args)
	if err != nil {
		return err
	}
	_, err = c.ExecContext(context.Background(), query, values)
	return err
}

// borrow returns a prepared statement for exclusive use, until returnStatement returns it to the
// cache.
func (c conn) borrow(query string) (statement, error) {
	if s, ok := c.prepared[query]; ok {
		delete(c.prepared, query)
		return s, nil
	}
	s, err := c.Prepare(query)
	if err != nil {
		return nil, err
	}
	return s.(statement), nil
}

func (c conn) returnStatement(query string, s statement) error {
	if _, there := c.prepared[query]; there || len(c.prepared) == maxCachedStatements {
		return s.Close()
	}
	c.prepared[query] = s
	return nil
}

// run executes a statement, using the statement cache.
func (c conn) run(query string, args ...any) error {
	values, err := namedValues(args)
	if err != nil {
		return err
	}
	s, err := c.borrow(query)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(context.Background(), values)
	return errors.Join(err, c.returnStatement(query, s))
}

// Close closes the connection and its cached statements.
func (c conn) Close() (err error) {
	for _, s := range c.prepared {
		err = errors.Join(err, s.Close())
	}
	clear(c.prepared)
	return errors.Join(err, c.driverConn.Close())
}

// rows returns the rows of a query. After an error it yields the error and ends.
func (c conn) rows(query string, args ...any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if err := c.each(query, args, func(r Row) bool { return yield(r, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

func (c conn) each(query string, args []any, yield func(Row) bool) (err error) {
	values, err := namedValues(args)
	if err != nil {
		return err
	}
	s, err := c.borrow(query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.returnStatement(query, s)) }()
	rows, err := s.QueryContext(context.Background(), values)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for {
		row := make(Row, len(rows.Columns()))
		err := rows.Next(row)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !yield(row) {
			return nil
		}
	}
}

func namedValues(args []any) ([]driver.NamedValue, error) {
	values := make([]driver.NamedValue, len(args))
	for i, a := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(a)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		values[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return values, nil
}

// scanFirst copies the values of the query's first row to the pointers in into.
func (c conn) scanFirst(query string, into ...any) error {
	for row, err := range c.rows(query) {
		if err != nil {
			return err
		}
		return row.Scan(into...)
	}
	return errors.New("found no row")
}
