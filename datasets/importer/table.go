package importer

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// table is a CSV file with a header.
type table struct {
	delimiter rune
	lazy      bool     // a quote within a field is a quote
	needs     []string // columns that must be there
	trim      bool     // names of columns without the spaces around them
}

// record is a row by the names of its columns.
type record struct {
	columns []string
	fields  []string
	n       int64 // from 1
}

// get gives a field; "" where the table has no such column.
func (r record) get(column string) string {
	if i := slices.Index(r.columns, column); i >= 0 && column != "" {
		return r.fields[i]
	}
	return ""
}

// eachRecord hands on the rows of a table; the list of their fields is valid
// until the next. Rows that are no rows of it are rejected. A row without an end is wrong
// with the whole: nobody knows where the next one begins.
func (j *job) eachRecord(path string, t table, do func(at Position, r record) error) error {
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.Close()
	read := csv.NewReader(in.Reader)
	read.Comma, read.LazyQuotes, read.ReuseRecord = t.delimiter, t.lazy, true
	columns, err := t.header(read)
	if err != nil {
		return fileError(path, err)
	}
	for n := int64(1); ; n++ {
		in.refill()
		fields, err := read.Read()
		at := Position{File: path}
		var bad *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			at.Line = bad.StartLine
			err = j.reject(at, explainCSV(bad, len(fields), len(columns)))
		case err != nil:
			return fileError(path, err)
		default:
			at.Line, _ = read.FieldPos(0)
			err = do(at, record{columns: columns, fields: fields, n: n})
		}
		if err != nil {
			return err
		}
	}
}

// header reads the names of the columns.
func (t table) header(read *csv.Reader) ([]string, error) {
	fields, err := read.Read()
	var bad *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("is empty")
	case errors.As(err, &bad):
		return nil, fmt.Errorf("header: %s", explainCSV(bad, 0, 0))
	case err != nil:
		return nil, err
	}
	columns := slices.Clone(fields)
	for i, name := range columns {
		if !utf8.ValidString(name) {
			return nil, errors.New("header: is not valid UTF-8")
		}
		if t.trim {
			columns[i] = strings.TrimSpace(name)
		}
	}
	for i, name := range columns {
		if name != "" && slices.Contains(columns[:i], name) {
			return nil, fmt.Errorf("header: column %s is there twice", quoted(name))
		}
	}
	for _, name := range t.needs {
		if !slices.Contains(columns, name) {
			return nil, fmt.Errorf("header: has no column %s (it has %s)", quoted(name), shownColumns(columns))
		}
	}
	return columns, nil
}

func shownColumns(columns []string) string {
	var shown []string
	for _, name := range columns[:min(len(columns), 20)] {
		shown = append(shown, quoted(name))
	}
	return strings.Join(shown, ", ")
}

func explainCSV(err *csv.ParseError, has, wants int) string {
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return fmt.Sprintf("has %d fields, the header %d", has, wants)
	case errors.Is(err, csv.ErrQuote):
		return "has a quoted field that does not end, or more behind its end"
	case errors.Is(err, csv.ErrBareQuote):
		return "has a quote inside a field that is not quoted"
	}
	return err.Err.Error()
}
