package suite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"evalctl/agent/file"
	"evalctl/eval/suggest"
)

// maxSuite is the maximum size of a suite file, in bytes.
const maxSuite = 1 << 20

// Load reads and checks a suite file. Errors contain file and line.
func Load(path string) (Suite, error) {
	b, err := file.Read(path, maxSuite)
	if errors.Is(err, os.ErrNotExist) {
		return Suite{}, fmt.Errorf("suite %s: no such file", path)
	}
	if err != nil {
		return Suite{}, fmt.Errorf("suite %s: %w", path, file.UnwrapPathError(err))
	}
	s, err := Parse(path, b)
	s.Dir = filepath.Dir(path)
	return s, err
}

// Parse parses and checks the text of a suite file. An unknown field or a second YAML document is
// an error. name is the file name for errors.
func Parse(name string, text []byte) (Suite, error) {
	var s Suite
	if err := file.CheckYAMLComplexity(text); err != nil {
		return s, fmt.Errorf("%s:%w", name, err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict(), yaml.CustomUnmarshaler(duration))
	s.file, s.text = name, text
	if err := d.Decode(&s); err != nil && !errors.Is(err, io.EOF) { // an empty file is reported as a missing name
		return s, s.explain(err)
	}
	if err := d.Decode(&yaml.MapSlice{}); !errors.Is(err, io.EOF) {
		return s, fmt.Errorf("%s: has more than one document", name)
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("%s: %w", cmp.Or(s.position(err), name), err)
	}
	return s, nil
}

// explain returns a YAML error as one line that starts with its position.
func (s Suite) explain(err error) error {
	file, text := s.file, s.text
	var field *fieldError
	if errors.As(err, &field) {
		return fmt.Errorf("%s: %w", cmp.Or(s.position(field), file), field)
	}
	var kind *yaml.TypeError
	if errors.As(err, &kind) && kind.Token != nil {
		pos := kind.Token.Position
		return fmt.Errorf("%s:%d:%d: %.60q is not a %s", file, pos.Line, pos.Column, kind.Token.Value,
			typeName(kind.DstType))
	}
	var large *yaml.OverflowError
	if errors.As(err, &large) && large.Token != nil {
		return fmt.Errorf("%s:%d:%d: %.60q is too large", file, large.Token.Position.Line, large.Token.Position.Column,
			large.SrcNum)
	}
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		pos, message := at.GetToken().Position, at.GetMessage()
		return fmt.Errorf("%s:%d:%d: %s", file, pos.Line, pos.Column, suggest.AddKeyHint(message, s))
	}
	var bad badDuration
	if errors.As(err, &bad) {
		before, _, _ := bytes.Cut(text, []byte(bad))
		return fmt.Errorf("%s:%d: %w", file, 1+bytes.Count(before, []byte("\n")), bad)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return fmt.Errorf("%s: %s", file, first)
}

// typeName returns the name of a Go type for users, such as "list".
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "list"
	case reflect.Struct, reflect.Map:
		return "mapping of fields"
	case reflect.Pointer:
		return typeName(t.Elem())
	}
	return "whole number"
}

// badDuration is the error for a text that is not a duration. The YAML decoder does not report its
// position.
type badDuration string

func (b badDuration) Error() string {
	return fmt.Sprintf("bad duration %q: want one such as 9s", string(b))
}

func duration(d *time.Duration, raw []byte) (err error) {
	word := strings.Trim(strings.TrimSpace(string(raw)), `"'`)
	if *d, err = time.ParseDuration(word); err != nil {
		return badDuration(word)
	}
	return nil
}
