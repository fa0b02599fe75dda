package importer

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/jsonerror"
)

// jsonStream reads a JSON document value by value, so that the document does not have to fit in
// memory.
type jsonStream struct {
	job  *job
	path string
	in   *limitedReader
	dec  *jsontext.Decoder
}

// readTree opens a JSON document, calls do to read it, and checks that nothing follows it. A syntax
// error is an error of the whole document. recode converts the encoding of the file; asIs leaves it
// unchanged.
func (j *job) readTree(path string, recode func(io.Reader) io.Reader, do func(t *jsonStream) error) error {
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.Close()
	t := &jsonStream{
		job:  j,
		path: path,
		in:   in.limitedReader,
		dec:  jsontext.NewDecoder(recode(in)),
	}
	if err := do(t); err != nil {
		return t.explain(err)
	}
	if _, err := t.token(); err == nil {
		return fmt.Errorf("%s: is not valid JSON: more follows after its end", oneLine(path))
	} else if !errors.Is(err, io.EOF) {
		return t.explain(err)
	}
	return nil
}

func asIs(r io.Reader) io.Reader { return r }

// shapeError is returned if a JSON document does not have the expected structure.
type shapeError struct{ text string }

func (e *shapeError) Error() string { return e.text }

func (t *jsonStream) explain(err error) error {
	var syntax *jsontext.SyntacticError
	var shape *shapeError
	switch {
	case errors.Is(err, errTooLong):
		return fmt.Errorf("%s: a value before byte %d %w", oneLine(t.path), t.dec.InputOffset()+maxField, errTooLong)
	case errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return fmt.Errorf("%s: %s", oneLine(t.path), explain(err))
	case errors.As(err, &shape):
		return fmt.Errorf("%s: %w", oneLine(t.path), err)
	}
	return err
}

func (t *jsonStream) token() (jsontext.Token, error) {
	t.in.refill()
	return t.dec.ReadToken()
}

// value reads the next value, which is valid until the next read.
func (t *jsonStream) value() (jsontext.Value, error) {
	t.in.refill()
	return t.dec.ReadValue()
}

func (t *jsonStream) kind() jsontext.Kind {
	t.in.refill()
	return t.dec.PeekKind()
}

// begin reads the start of an object or a list, depending on kind. where is the name of the value
// in error messages.
func (t *jsonStream) begin(kind jsontext.Kind, where string) error {
	token, err := t.token()
	if err == nil && token.Kind() != kind {
		err = &shapeError{fmt.Sprintf("%s must be %s, got %s", where, jsonerror.KindName(kind),
			jsonerror.KindName(token.Kind()))}
	}
	return err
}

// object reads an object. It calls do for each field; do must read the value of the field.
func (t *jsonStream) object(where string, do func(name string) error) error {
	if err := t.begin('{', where); err != nil {
		return err
	}
	for {
		token, err := t.token()
		if err != nil || token.Kind() == '}' {
			return err
		}
		if err := do(token.String()); err != nil {
			return err
		}
	}
}

// list reads a list. It calls do for each element, with its position and index.
func (t *jsonStream) list(part string, do func(at Position, i int, value jsontext.Value) error) error {
	if err := t.begin('[', part); err != nil {
		return err
	}
	return t.elements(part, do)
}

// elements reads the elements of a list behind its start, like list.
func (t *jsonStream) elements(part string, do func(at Position, i int, value jsontext.Value) error) error {
	for i := 0; ; i++ {
		if t.kind() == ']' {
			_, err := t.token()
			return err
		}
		value, err := t.value()
		if err != nil {
			return err
		}
		if err := do(Position{File: t.path, Element: fmt.Sprintf("%s[%d]", part, i)}, i, value); err != nil {
			return err
		}
	}
}

// skip skips the next value of any size.
func (t *jsonStream) skip() error {
	depth := t.dec.StackDepth()
	for {
		if _, err := t.token(); err != nil {
			return err
		}
		if t.dec.StackDepth() == depth {
			return nil
		}
	}
}
