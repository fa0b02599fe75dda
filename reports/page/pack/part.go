package pack

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Part is an element of the page, and what is in it.
type Part struct {
	Name string // its id is d- and that
	Text string // base64
}

const (
	partLead = `<script type="text/plain" id="d-`
	partTail = "</script>\n"
)

// Size is how many bytes the part takes in the page.
func (p Part) Size() int64 {
	return int64(len(partLead) + len(p.Name) + 2 + len(p.Text) + len(partTail))
}

// Packed are the data of a file.
type Packed struct {
	Parts          []Part
	Trials         int64
	Traced         int64    // of them have their trace in the file
	BytesOverLimit int64    // bytes that the file has more than its budget; 0: none
	Notes          []string // what is lacking besides, one remark each
}

// Size is how many bytes all parts take in the page.
func (p Packed) Size() (n int64) {
	for _, part := range p.Parts {
		n += part.Size()
	}
	return n
}

// WriteTo writes the elements of the page: nothing but base64 is in them.
func (p Packed) WriteTo(w io.Writer) (n int64, err error) {
	for _, part := range p.Parts {
		m, err := io.WriteString(w, partLead+part.Name+`">`+part.Text+partTail)
		if n += int64(m); err != nil {
			return n, fmt.Errorf("write the part %s: %w", part.Name, err)
		}
	}
	return n, nil
}

// press squeezes values, one after the other: its buffers are big.
type press struct {
	out bytes.Buffer
	zip *gzip.Writer
}

func newPress() *press {
	zip, _ := gzip.NewWriterLevel(nil, gzip.BestCompression) // the level is one
	return &press{zip: zip}
}

// value makes the part of a value.
func (p *press) value(name string, v any) (Part, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return Part{}, fmt.Errorf("pack %s: %w", name, err)
	}
	return p.json(name, text)
}

// json makes the part of a text that is JSON already.
func (p *press) json(name string, texts ...[]byte) (Part, error) {
	p.out.Reset()
	p.zip.Reset(&p.out) // without a time
	for _, text := range texts {
		if _, err := p.zip.Write(text); err != nil {
			return Part{}, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := p.zip.Close(); err != nil {
		return Part{}, fmt.Errorf("pack %s: %w", name, err)
	}
	return Part{Name: name, Text: base64.StdEncoding.EncodeToString(p.out.Bytes())}, nil
}

// nth names the nth of several parts.
func nth(lead string, n int) string { return lead + strconv.Itoa(n) }
