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

// Bounds of what is indexed.
const (
	maxDocuments = 10_000
	maxText      = 16 << 20 // bytes of a document
	maxPassages  = 200_000
	maxID        = 1 << 10
)

// Document is what is indexed.
type Document struct {
	ID       string
	Name     string   // "": the ID
	Datasets []string // that have it; nil: recall.DefaultDataset
	Text     string   // Markdown
}

// Config says how documents are indexed.
type Config struct {
	CountTokens func(text string) int // the tokens of a text; required
	Embedder    knowledge.Embedder    // nil: knowledge.HashEmbedder
}

// Index searches documents. It is safe for concurrent use. What a search looks up, the
// words and the passages, stands in a database; what it compares, the vectors, is read
// from there once.
type Index struct {
	embedder  knowledge.Embedder
	db        *database.DB
	documents []document
	numbers   map[string]int // of documents, by id
	vectors   []float32      // of the passages, one behind the other
	width     int            // of a vector
	owners    []int          // of the passages: the number of the document
	lengths   []float64      // of the passages, in terms
	mean      float64        // of lengths
	lookedUp  lookedUp
}

// document is a Document without its text, and the numbers of its passages.
type document struct {
	id, name   string
	datasets   []string
	first, end int
}

// New indexes documents, in memory.
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
		own, err := x.take(d, len(passages), cfg.CountTokens)
		if err != nil {
			return nil, fmt.Errorf("document %.100q: %w", d.ID, err)
		}
		if passages = append(passages, own...); len(passages) > maxPassages {
			return nil, fmt.Errorf("there are more than %d passages", maxPassages)
		}
	}
	return x, x.store(ctx, passages)
}

// take notes a document and gives its passages.
func (x *Index) take(d Document, first int, count func(string) int) ([]Passage, error) {
	switch _, twice := x.numbers[d.ID]; {
	case d.ID == "":
		return nil, errors.New("has no id")
	case twice:
		return nil, errors.New("is there twice")
	case slices.ContainsFunc(slices.Concat([]string{d.ID, d.Name}, d.Datasets), func(name string) bool { return len(name) > maxID }):
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
		id: d.ID, name: cmp.Or(d.Name, d.ID), datasets: datasets, first: first, end: first + len(own),
	})
	x.owners = append(x.owners, slices.Repeat([]int{number}, len(own))...)
	return own, nil
}

// Close frees the memory. Searches after it fail.
func (x *Index) Close() error { return x.db.Close() }

var (
	_ recall.Searcher        = (*Index)(nil)
	_ recall.DatasetSearcher = (*Index)(nil)
)

// Datasets are those of a document; nil of one that is not indexed.
func (x *Index) Datasets(document string) []string {
	n, ok := x.numbers[document]
	if !ok {
		return nil
	}
	return x.documents[n].datasets
}

// Has tells whether any document is of the dataset.
func (x *Index) Has(dataset string) bool {
	return slices.ContainsFunc(x.documents, func(d document) bool { return slices.Contains(d.datasets, dataset) })
}

// Size is how many passages there are.
func (x *Index) Size() int { return len(x.owners) }
