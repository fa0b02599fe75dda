package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"evalctl/agent/database"
	"evalctl/agent/knowledge"
	"evalctl/agent/recall"
)

// Limits of an index.
const (
	maxDocuments = 10_000
	maxText      = 16 << 20 // bytes per document
	maxPassages  = 200_000
	maxID        = 1 << 10
)

// Document is a document to index.
type Document struct {
	ID       string
	Name     string   // "": ID
	Datasets []string // datasets with this document; nil: recall.DefaultDataset
	Text     string   // Markdown
}

// Config configures an Index.
type Config struct {
	CountTokens func(text string) int // returns the tokens of a text; required
	Embedder    knowledge.Embedder    // nil: knowledge.HashEmbedder
}

// Index searches documents. It is safe for concurrent use. Terms and passages are stored in a
// database. The vectors, which every search compares, are in memory.
type Index struct {
	embedder  knowledge.Embedder
	db        *database.DB
	documents []document
	numbers   map[string]int // index in documents, by id
	vectors   []float32      // of the passages, concatenated
	width     int            // dimensions of a vector
	owners    []int          // by passage: the number of its document
	lengths   []float64      // by passage, in terms
	mean      float64        // mean of lengths
	termCache termCache
}

// document is a Document without its text. first and end are the numbers of its passages.
type document struct {
	id, name   string
	datasets   []string
	first, end int
}

// New indexes documents in memory.
func New(ctx context.Context, documents []Document, cfg Config) (*Index, error) {
	x, err := build(ctx, documents, cfg)
	if err != nil {
		return nil, fmt.Errorf("index of passages: %w", err)
	}
	return x, nil
}

func build(ctx context.Context, documents []Document, cfg Config) (*Index, error) {
	if cfg.CountTokens == nil {
		return nil, errors.New("index.Config.CountTokens: is missing")
	}
	if len(documents) > maxDocuments {
		return nil, fmt.Errorf("%d documents are more than %d", len(documents), maxDocuments)
	}
	x := &Index{embedder: cfg.Embedder, numbers: map[string]int{}}
	if x.embedder == nil {
		x.embedder = knowledge.HashEmbedder{}
	}
	var passages []Passage
	for _, d := range documents {
		own, err := x.addDocument(d, len(passages), cfg.CountTokens)
		if err != nil {
			return nil, fmt.Errorf("document %.100q: %w", d.ID, err)
		}
		if passages = append(passages, own...); len(passages) > maxPassages {
			return nil, fmt.Errorf("there are more than %d passages", maxPassages)
		}
	}
	return x, x.store(ctx, passages)
}

// addDocument adds a document and returns its passages.
func (x *Index) addDocument(d Document, first int, count func(string) int) ([]Passage, error) {
	switch _, twice := x.numbers[d.ID]; {
	case d.ID == "":
		return nil, errors.New("has no id")
	case twice:
		return nil, errors.New("is there twice")
	case slices.ContainsFunc(slices.Concat([]string{d.ID, d.Name}, d.Datasets),
		func(name string) bool { return len(name) > maxID }):
		return nil, fmt.Errorf("has a name of more than %d bytes", maxID)
	case len(d.Text) > maxText:
		return nil, fmt.Errorf("has %d bytes, more than %d", len(d.Text), maxText)
	}
	own := Passages(d.ID, d.Text, count)
	number := len(x.documents)
	x.numbers[d.ID] = number
	datasets := d.Datasets
	if len(datasets) == 0 {
		datasets = []string{recall.DefaultDataset}
	}
	x.documents = append(x.documents, document{
		id:       d.ID,
		name:     cmp.Or(d.Name, d.ID),
		datasets: datasets,
		first:    first,
		end:      first + len(own),
	})
	x.owners = append(x.owners, slices.Repeat([]int{number}, len(own))...)
	return own, nil
}

// Close frees the memory. Later searches fail.
func (x *Index) Close() error { return x.db.Close() }

var (
	_ recall.Searcher        = (*Index)(nil)
	_ recall.DatasetSearcher = (*Index)(nil)
)

// Datasets returns the datasets of a document; nil if it is not indexed.
func (x *Index) Datasets(document string) []string {
	n, ok := x.numbers[document]
	if !ok {
		return nil
	}
	return x.documents[n].datasets
}

// Has reports whether a document belongs to the dataset.
func (x *Index) Has(dataset string) bool {
	return slices.ContainsFunc(x.documents, func(d document) bool { return slices.Contains(d.datasets, dataset) })
}

// Size returns the number of passages.
func (x *Index) Size() int { return len(x.owners) }
