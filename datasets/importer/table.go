package importer

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// table describes how to read a CSV file with a header.
type table struct {
	delimiter  rune     // 0: the one that occurs most often in the header
	lazyQuotes bool     // accept quotes within an unquoted field
	required   []string // columns that the file must have
	trim       bool     // remove spaces around column names
	// chooses columns by the names in the header; nil: all columns are known
	choose func(columns []string) error
}

// record is a row of a CSV file.
type record struct {
	columns []string
	fields  []string
	n       int64 // number of the row, from 1, without the header
}

// get returns the field in the column with this name, or "" if there is no such column.
func (r record) get(column string) string {
	if i := slices.Index(r.columns, column); i >= 0 && column != "" {
		return r.fields[i]
	}
	return ""
}

// eachRecord calls do for each row of a CSV file. The fields are valid until the next call. It
// rejects invalid rows. An unclosed quote is an error of the whole file, because it is unknown
// where the next row starts.
func (j *job) eachRecord(path string, t table, do func(at Position, r record) error) error {
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.Close()
	return t.each(in, path, j.reject, do)
}

// each is like eachRecord, for an open file. It calls reject for each invalid row.
func (t table) each(in *input, path string, reject func(Position, string) error,
	do func(at Position, r record) error) error {
	read := csv.NewReader(in.Reader)
	if read.Comma = t.delimiter; t.delimiter == 0 {
		read.Comma = detectDelimiter(in.Reader)
	}
	read.LazyQuotes = t.lazyQuotes
	read.ReuseRecord = true
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
			err = reject(at, explainCSV(bad, len(fields), len(columns)))
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
	for _, name := range t.required {
		if !slices.Contains(columns, name) {
			return nil, fmt.Errorf("header: has no column %s (it has %s)", quoted(name), shownColumns(columns))
		}
	}
	if t.choose != nil {
		return columns, t.choose(columns)
	}
	return columns, nil
}

// detectDelimiter returns the delimiter that occurs most often in the first line: a comma, a
// semicolon or a tab. It reads nothing.
func detectDelimiter(in *bufio.Reader) rune {
	start, _ := in.Peek(chunk) // less at the end of the file
	line, _, _ := bytes.Cut(start, []byte("\n"))
	most := ','
	for _, c := range ";\t" {
		if bytes.Count(line, []byte(string(c))) > bytes.Count(line, []byte(string(most))) {
			most = c
		}
	}
	return most
}

func shownColumns(columns []string) string {
	var shown []string
	for _, name := range columns[:min(len(columns), 20)] {
		shown = append(shown, quoted(name))
	}
	return strings.Join(shown, ", ")
}

func explainCSV(err *csv.ParseError, has, needed int) string {
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return fmt.Sprintf("has %d fields, the header %d", has, needed)
	case errors.Is(err, csv.ErrQuote):
		return "has a quoted field that does not end, or more behind its end"
	case errors.Is(err, csv.ErrBareQuote):
		return "has a quote inside a field that is not quoted"
	}
	return err.Err.Error()
}
