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

// Limits on the size of an index.
const (
	maxDocuments = 10_000
	maxText      = 16 << 20 // bytes of one document
	maxPassages  = 200_000
	maxID        = 1 << 10
)

// Document is a text to be indexed.
type Document struct {
	ID       string   // unique ID, which results contain
	Name     string   // name in search results; "": ID
	Datasets []string // names of the datasets that contain the document; nil: recall.DefaultDataset
	Text     string   // content in Markdown
}

// Config configures an Index.
type Config struct {
	// returns the number of tokens of a text, to limit the length of passages; required
	CountTokens func(text string) int
	Embedder    knowledge.Embedder // computes the vectors of texts; nil: knowledge.HashEmbedder
}

// Index searches documents by terms and vectors. It is safe for concurrent use. Terms and passages
// are stored in a temporary SQLite database; vectors are in memory, because every search reads all
// of them.
type Index struct {
	embedder   knowledge.Embedder
	db         *database.DB
	documents  []document
	numbers    map[string]int // position of a document in documents, by document ID
	vectors    []float32      // vectors of all passages, concatenated
	width      int            // number of dimensions of a vector
	documentOf []int          // for each passage, the position of its document in documents
	lengths    []float64      // for each passage, its length in terms
	mean       float64        // mean of lengths, for BM25
	termCache  termCache
}

// document is an indexed document without its text. Its passages have the numbers first..end-1.
type document struct {
	id, name   string
	datasets   []string
	first, end int
}

// New builds an index of the documents.
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

// addDocument validates a document, adds it to the index, and returns its passages. first is the
// number of its first passage.
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
	own := SplitDocument(d.ID, d.Text, count)
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
	x.documentOf = append(x.documentOf, slices.Repeat([]int{number}, len(own))...)
	return own, nil
}

// Close deletes the index. Later searches fail.
func (x *Index) Close() error { return x.db.Close() }

var (
	_ recall.Searcher        = (*Index)(nil)
	_ recall.DatasetSearcher = (*Index)(nil)
)

// Datasets returns the names of the datasets that contain the document; nil if the document is not
// indexed.
func (x *Index) Datasets(document string) []string {
	n, ok := x.numbers[document]
	if !ok {
		return nil
	}
	return x.documents[n].datasets
}

// HasDataset reports whether at least one indexed document belongs to the dataset.
func (x *Index) HasDataset(dataset string) bool {
	return slices.ContainsFunc(x.documents, func(d document) bool { return slices.Contains(d.datasets, dataset) })
}

// PassageCount returns the number of indexed passages.
func (x *Index) PassageCount() int { return len(x.documentOf) }
