package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"evalctl/mocks/model"
)

// What holds of a retrieval that says nothing else, and the longest page.
const (
	defaultPageSize  = 30
	longestPage      = 100
	defaultThreshold = 0.2
	defaultWeight    = 0.3
	defaultTopK      = 1024
)

// RetrievalBody is a request for passages, as RAGFlow takes it: numbers may be strings.
type RetrievalBody struct {
	Question  json.RawMessage `json:"question"`
	Datasets  json.RawMessage `json:"dataset_ids"`
	Documents json.RawMessage `json:"document_ids"`
	Page      json.RawMessage `json:"page"`
	PageSize  json.RawMessage `json:"page_size"`
	Threshold json.RawMessage `json:"similarity_threshold"`
	Weight    json.RawMessage `json:"vector_similarity_weight"`
	TopK      json.RawMessage `json:"top_k"`
	Rerank    string          `json:"rerank_id"`
	Highlight json.RawMessage `json:"highlight"`
}

// Retrieval is a request that has been checked.
type Retrieval struct {
	Question          string
	Datasets          []string
	Documents         []string // none: all of the datasets
	Page, PageSize    int
	Threshold, Weight float64
	TopK              int
	Rerank            string
	Highlight         bool
}

// window is how many candidates RAGFlow looks at, rounded up to whole pages.
const window = 64

// Window is how many passages there are on all pages together, at most.
func (r Retrieval) Window() int {
	return min((window+r.PageSize-1)/r.PageSize*r.PageSize, longestPage)
}

// Owner knows what is there to be searched.
type Owner interface {
	// Holds tells whether a document, or any where it is "", is of one of the datasets.
	Holds(document string, datasets ...string) bool
}

// Check reads a request as RAGFlow does, which refuses all of it with status 200. A blank
// question needs no more.
func (b *RetrievalBody) Check(of Owner) (r Retrieval, p *model.Refusal) {
	if p = b.checkDatasets(of, &r); p != nil {
		return r, p
	}
	if p = b.checkQuestion(of, &r); p != nil || r.Question == "" {
		return r, p
	}
	if err := b.readNumbers(&r); err != nil {
		return r, exception(err.Error())
	}
	switch {
	case r.TopK <= 0:
		return r, data("`top_k` must be greater than 0")
	case r.PageSize > longestPage:
		return r, exception(fmt.Sprintf("ValueError('page_size must not be greater than %d')", longestPage))
	}
	return r, b.checkHighlight(&r)
}

func (b *RetrievalBody) checkDatasets(of Owner, r *Retrieval) *model.Refusal {
	if isNothing(b.Datasets) {
		return data("`dataset_ids` is required.")
	}
	if json.Unmarshal(b.Datasets, &r.Datasets) != nil {
		return data("`dataset_ids` should be a list")
	}
	for _, id := range r.Datasets {
		if !of.Holds("", id) {
			return data("You don't own the dataset " + model.Truncate(id) + ".")
		}
	}
	return nil
}

func (b *RetrievalBody) checkQuestion(of Owner, r *Retrieval) *model.Refusal {
	if len(b.Question) == 0 {
		return data("`question` is required.")
	}
	r.Question = strings.TrimSpace(plainText(b.Question))
	if r.Question == "" || isNothing(b.Documents) {
		return nil
	}
	if json.Unmarshal(b.Documents, &r.Documents) != nil {
		return data("`documents` should be a list")
	}
	for _, id := range r.Documents {
		if !of.Holds(id, r.Datasets...) {
			return data("The datasets don't own the document " + model.Truncate(id))
		}
	}
	return nil
}

// readNumbers reads those of the request. A page that is none is the usual one; of the
// others what is not a number is an exception that nobody catches.
func (b *RetrievalBody) readNumbers(r *Retrieval) (err error) {
	if r.Threshold, err = number(b.Threshold, defaultThreshold); err != nil {
		return err
	}
	if r.Weight, err = number(b.Weight, defaultWeight); err != nil {
		return err
	}
	topK, err := number(b.TopK, defaultTopK)
	r.TopK = int(min(max(topK, 0), most))
	r.Page, r.PageSize, r.Rerank = page(b.Page, 1), page(b.PageSize, defaultPageSize), b.Rerank
	return err
}

// most is more than any number counts.
const most = 1e6

func page(raw json.RawMessage, defaultValue int) int {
	x, err := number(raw, float64(defaultValue))
	if err != nil || x < 1 {
		return defaultValue
	}
	return int(min(x, most))
}

// number is what Python's int and float make of a value.
func number(raw json.RawMessage, defaultValue float64) (float64, error) {
	if len(raw) == 0 {
		return defaultValue, nil
	}
	text := plainText(raw)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != x {
		return 0, fmt.Errorf("ValueError(\"could not convert string to float: '%s'\")", model.Truncate(text))
	}
	return x, nil
}

// checkHighlight reads a switch, which may be a word.
func (b *RetrievalBody) checkHighlight(r *Retrieval) *model.Refusal {
	switch strings.ToLower(plainText(b.Highlight)) {
	case "", "null", "false":
	case "true":
		r.Highlight = true
	default:
		return data("`highlight` should be a boolean")
	}
	return nil
}

// isNothing tells what is absent, or false to Python.
func isNothing(raw json.RawMessage) bool {
	switch string(bytes.Join(bytes.Fields(raw), nil)) {
	case "", "null", "[]", `""`, "{}", "0", "false":
		return true
	}
	return false
}

// plainText is a value as text: a string bare, null "".
func plainText(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
