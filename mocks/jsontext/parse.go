package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Object is a JSON object: its members in the order of the text.
type Object []Member

// Member is one member of a JSON object: its key, and its value as one of the types that Parse
// returns for a value.
type Member struct {
	Key   string
	Value any
}

// Find returns the value of a key; nil: the object has no such key, or its value is null.
func (o Object) Find(key string) any {
	if i := o.Index(key); i >= 0 {
		return o[i].Value
	}
	return nil
}

// Index returns the index of a key in the object; -1: there is no such key.
func (o Object) Index(key string) int {
	for i, m := range o {
		if m.Key == key {
			return i
		}
	}
	return -1
}

// maxDepth is the maximum nesting of lists and objects that Parse accepts.
const maxDepth = 64

// Parse parses a text with exactly one JSON value. The result is nil, bool, json.Number, string,
// []any or Object.
func Parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := parse(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

func parse(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch {
	case t != json.Delim('{') && t != json.Delim('['):
		return t, nil
	case depth == maxDepth:
		return nil, fmt.Errorf("JSON is deeper than %d levels", maxDepth)
	case t == json.Delim('['):
		return parseList(d, depth+1)
	}
	return parseObject(d, depth+1)
}

func parseList(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := parse(d, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token() // the closing bracket
	return list, err
}

func parseObject(d *json.Decoder, depth int) (any, error) {
	o := Object{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := parse(d, depth)
		if err != nil {
			return nil, err
		}
		o = append(o, Member{Key: key.(string), Value: v}) // the decoder accepts only string keys
	}
	_, err := d.Token() // the closing brace
	return o, err
}

// AppendValue appends a value of one of the types that Parse returns, as JSON.
func AppendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return AppendString(b, v)
	case json.Number:
		return append(b, v...)
	case []any:
		b = append(b, '[')
		for i, x := range v {
			b = AppendValue(appendComma(b, i), x)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, m := range v {
			b = append(AppendString(appendComma(b, i), m.Key), ':')
			b = AppendValue(b, m.Value)
		}
		return append(b, '}')
	case bool:
		if v {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	}
	return append(b, "null"...)
}

// appendComma appends a comma before every element except the first (i = 0).
func appendComma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}
