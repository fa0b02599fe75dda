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

// Part is an element of the page with its content.
type Part struct {
	Name string // the id of the element is "d-" and the name
	Text string // base64
}

const (
	partLead = `<script type="text/plain" id="d-`
	partTail = "</script>\n"
)

// Size returns the size of the part in the page, in bytes.
func (p Part) Size() int64 {
	return int64(len(partLead) + len(p.Name) + 2 + len(p.Text) + len(partTail))
}

// Packed is the data of a page.
type Packed struct {
	Parts          []Part
	Trials         int64
	Traced         int64    // trials with their trace in the file
	BytesOverLimit int64    // bytes over the size limit; 0: within the limit
	Notes          []string // what else is missing
}

// Size returns the size of all parts in the page, in bytes.
func (p Packed) Size() (n int64) {
	for _, part := range p.Parts {
		n += part.Size()
	}
	return n
}

// WriteTo writes the elements of the page. Their content is base64.
func (p Packed) WriteTo(w io.Writer) (n int64, err error) {
	for _, part := range p.Parts {
		m, err := io.WriteString(w, partLead+part.Name+`">`+part.Text+partTail)
		if n += int64(m); err != nil {
			return n, fmt.Errorf("write the part %s: %w", part.Name, err)
		}
	}
	return n, nil
}

// compressor compresses values. It reuses its buffers, because they are large.
type compressor struct {
	out bytes.Buffer
	zip *gzip.Writer
}

func newCompressor() *compressor {
	zip, _ := gzip.NewWriterLevel(nil, gzip.BestCompression) // the level is valid
	return &compressor{zip: zip}
}

// value encodes a value as a part.
func (p *compressor) value(name string, v any) (Part, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return Part{}, fmt.Errorf("pack %s: %w", name, err)
	}
	return p.json(name, text)
}

// json compresses JSON text to a part.
func (p *compressor) json(name string, texts ...[]byte) (Part, error) {
	p.out.Reset()
	p.zip.Reset(&p.out) // without a timestamp
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

// nth returns the name of the nth part of a kind.
func nth(lead string, n int) string { return lead + strconv.Itoa(n) }
