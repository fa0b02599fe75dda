package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"evalctl/mocks/model"
)

// What holds of a retrieval that says nothing else, and the longest page.
const (
	usualPageSize  = 30
	longestPage    = 100
	usualThreshold = 0.2
	usualWeight    = 0.3
	usualTopK      = 1024
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

// CheckRetrieval reads a request as RAGFlow does, which refuses all of it with status 200.
func (c *Call) CheckRetrieval(b *RetrievalBody, of Owner) (r Retrieval, p *model.Refusal) {
	if p = c.checkDatasets(b, of, &r); p != nil {
		return r, p
	}
	if p = c.checkQuestion(b, of, &r); p != nil || r.Question == "" {
		return r, p
	}
	if p = r.numbers(b); p != nil {
		return r, p
	}
	switch {
	case r.TopK <= 0:
		return r, data("`top_k` must be greater than 0")
	case r.PageSize > longestPage:
		return r, exception(fmt.Sprintf("ValueError('page_size must not be greater than %d')", longestPage))
	}
	return r, r.highlight(b.Highlight)
}

func (c *Call) checkDatasets(b *RetrievalBody, of Owner, r *Retrieval) *model.Refusal {
	if isNothing(b.Datasets) {
		return data("`dataset_ids` is required.")
	}
	if json.Unmarshal(b.Datasets, &r.Datasets) != nil {
		return data("`dataset_ids` should be a list")
	}
	for _, id := range r.Datasets {
		if !of.Holds("", id) {
			return data("You don't own the dataset " + model.Excerpt(id) + ".")
		}
	}
	return nil
}

func (c *Call) checkQuestion(b *RetrievalBody, of Owner, r *Retrieval) *model.Refusal {
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
			return data("The datasets don't own the document " + model.Excerpt(id))
		}
	}
	return nil
}

// numbers reads those of the request. A page that is none is the usual one; of the
// others what is no number is an exception that nobody catches.
func (r *Retrieval) numbers(b *RetrievalBody) *model.Refusal {
	var wrong []error
	whole := func(raw json.RawMessage, usual int) int {
		x, err := number(raw, float64(usual))
		wrong = append(wrong, err)
		return int(min(max(x, -1e9), 1e9))
	}
	if r.Page = whole(b.Page, 1); r.Page < 1 || wrong[0] != nil {
		r.Page, wrong[0] = 1, nil
	}
	if r.PageSize = whole(b.PageSize, usualPageSize); r.PageSize < 1 || wrong[1] != nil {
		r.PageSize, wrong[1] = usualPageSize, nil
	}
	r.TopK = whole(b.TopK, usualTopK)
	var err error
	if r.Threshold, err = number(b.Threshold, usualThreshold); err != nil {
		wrong = append(wrong, err)
	}
	if r.Weight, err = number(b.Weight, usualWeight); err != nil {
		wrong = append(wrong, err)
	}
	r.Rerank = b.Rerank
	if err := errors.Join(wrong...); err != nil {
		return exception(strings.SplitN(err.Error(), "\n", 2)[0])
	}
	return nil
}

// number is what Python's int and float make of a value.
func number(raw json.RawMessage, usual float64) (float64, error) {
	if len(raw) == 0 {
		return usual, nil
	}
	text := plainText(raw)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != x {
		return 0, fmt.Errorf("ValueError(\"could not convert string to float: '%s'\")", model.Excerpt(text))
	}
	return x, nil
}

// highlight reads a switch, which may be a word.
func (r *Retrieval) highlight(raw json.RawMessage) *model.Refusal {
	switch strings.ToLower(plainText(raw)) {
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
