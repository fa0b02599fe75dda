package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Part is one part of the data, in an element of its own in the page.
type Part struct {
	Name string // name of the part; the id of the element is "d-" and the name
	Text string // content: gzipped JSON in base64
}

const (
	partLead = `<script type="text/plain" id="d-`
	partTail = "</script>\n"
)

// Size returns how many bytes the part with its element adds to the page.
func (p Part) Size() int64 {
	return int64(len(partLead) + len(p.Name) + 2 + len(p.Text) + len(partTail))
}

// Packed contains the data of a page, ready to be written.
type Packed struct {
	Parts          []Part
	Trials         int64
	Traced         int64    // number of trials with their trace in the data
	BytesOverLimit int64    // how many bytes the page exceeds its maximum size; 0: it does not
	Notes          []string // messages on traces that could not be read
}

// Size returns how many bytes all parts add to the page.
func (p Packed) Size() (n int64) {
	for _, part := range p.Parts {
		n += part.Size()
	}
	return n
}

// WriteTo writes all parts as HTML elements.
func (p Packed) WriteTo(w io.Writer) (n int64, err error) {
	for _, part := range p.Parts {
		m, err := io.WriteString(w, partLead+part.Name+`">`+part.Text+partTail)
		if n += int64(m); err != nil {
			return n, fmt.Errorf("write the part %s: %w", part.Name, err)
		}
	}
	return n, nil
}

// compressor encodes values as parts. It reuses its buffers, because they are large.
type compressor struct {
	out bytes.Buffer
	zip *gzip.Writer
}

func newCompressor() *compressor {
	zip, _ := gzip.NewWriterLevel(nil, gzip.BestCompression) // an error is impossible, because the level is valid
	return &compressor{zip: zip}
}

func (p *compressor) value(name string, v any) (Part, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return Part{}, fmt.Errorf("pack %s: %w", name, err)
	}
	return p.json(name, text)
}

// json compresses JSON text, which can consist of several pieces, to a part.
func (p *compressor) json(name string, texts ...[]byte) (Part, error) {
	p.out.Reset()
	p.zip.Reset(&p.out) // no timestamp, so that equal data give equal files
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

func nth(lead string, n int) string { return lead + strconv.Itoa(n) }
