package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"evalctl/mocks/model"
)

// Default values of a retrieval request, and the maximum page size (longestPage).
const (
	defaultPageSize  = 30
	longestPage      = 100
	defaultThreshold = 0.2
	defaultWeight    = 0.3
	defaultTopK      = 1024
)

// RetrievalBody is the body of a retrieval request in RAGFlow's format. Numbers may be given as
// strings.
type RetrievalBody struct {
	Question  json.RawMessage `json:"question"`
	Datasets  json.RawMessage `json:"dataset_ids"`
	Documents json.RawMessage `json:"document_ids"`
	Page      json.RawMessage `json:"page"`
	PageSize  json.RawMessage `json:"page_size"`
	Threshold json.RawMessage `json:"similarity_threshold"`
	Weight    json.RawMessage `json:"vector_similarity_weight"`
	TopK      json.RawMessage `json:"top_k"`     // number of candidates for the vector search
	Rerank    string          `json:"rerank_id"` // id of a rerank model; empty: none
	Highlight json.RawMessage `json:"highlight"`
}

// RetrievalQuery is a validated retrieval request.
type RetrievalQuery struct {
	Question                    string
	Datasets                    []string
	Documents                   []string // ids of the documents to search; empty: all documents of the datasets
	Page, PageSize              int
	MinSimilarity, VectorWeight float64 // minimum similarity; weight of the vector similarity, 0..1
	TopK                        int
	Rerank                      string
	Highlight                   bool // mark the words of the question in the passages
}

// candidateWindow is the number of passages that RAGFlow considers. It is rounded up to whole
// pages.
const candidateWindow = 64

// MaxResults returns the maximum number of passages that a search returns, on all pages together.
func (r RetrievalQuery) MaxResults() int {
	return min((candidateWindow+r.PageSize-1)/r.PageSize*r.PageSize, longestPage)
}

// DatasetCatalog reports which documents and datasets the simulated service contains.
type DatasetCatalog interface {
	// Contains reports whether a document belongs to one of the datasets. If document is empty, Holds
	// reports whether one of the datasets exists.
	Contains(document string, datasets ...string) bool
}

// CheckChat validates a retrieval request as RAGFlow does; most errors have the HTTP status 200. If
// the question is blank, the remaining fields are not checked.
func (b *RetrievalBody) Check(of DatasetCatalog) (r RetrievalQuery, p *model.ErrorResponse) {
	if p = b.checkDatasets(of, &r); p != nil {
		return r, p
	}
	if p = b.checkQuestion(of, &r); p != nil || r.Question == "" {
		return r, p
	}
	if err := b.readNumbers(&r); err != nil {
		return r, exceptionError(err.Error())
	}
	switch {
	case r.TopK <= 0:
		return r, dataError("`top_k` must be greater than 0")
	case r.PageSize > longestPage:
		return r, exceptionError(fmt.Sprintf("ValueError('page_size must not be greater than %d')", longestPage))
	}
	return r, b.checkHighlight(&r)
}

func (b *RetrievalBody) checkDatasets(of DatasetCatalog, r *RetrievalQuery) *model.ErrorResponse {
	if isFalsy(b.Datasets) {
		return dataError("`dataset_ids` is required.")
	}
	if json.Unmarshal(b.Datasets, &r.Datasets) != nil {
		return dataError("`dataset_ids` should be a list")
	}
	for _, id := range r.Datasets {
		if !of.Contains("", id) {
			return dataError("You don't own the dataset " + model.Excerpt(id) + ".")
		}
	}
	return nil
}

func (b *RetrievalBody) checkQuestion(of DatasetCatalog, r *RetrievalQuery) *model.ErrorResponse {
	if len(b.Question) == 0 {
		return dataError("`question` is required.")
	}
	r.Question = strings.TrimSpace(plainText(b.Question))
	if r.Question == "" || isFalsy(b.Documents) {
		return nil
	}
	if json.Unmarshal(b.Documents, &r.Documents) != nil {
		return dataError("`documents` should be a list")
	}
	for _, id := range r.Documents {
		if !of.Contains(id, r.Datasets...) {
			return dataError("The datasets don't own the document " + model.Excerpt(id))
		}
	}
	return nil
}

// readNumbers decodes the numbers of a retrieval request. An invalid page or page size becomes the
// default. Any other invalid number is an uncaught exception in RAGFlow.
func (b *RetrievalBody) readNumbers(r *RetrievalQuery) (err error) {
	if r.MinSimilarity, err = number(b.Threshold, defaultThreshold); err != nil {
		return err
	}
	if r.VectorWeight, err = number(b.Weight, defaultWeight); err != nil {
		return err
	}
	topK, err := number(b.TopK, defaultTopK)
	r.TopK = int(min(max(topK, 0), maxNumber))
	r.Page, r.PageSize, r.Rerank = page(b.Page, 1), page(b.PageSize, defaultPageSize), b.Rerank
	return err
}

// maxNumber limits all numbers of a retrieval request, so that they fit into an int.
const maxNumber = 1e6

func page(raw json.RawMessage, defaultValue int) int {
	x, err := number(raw, float64(defaultValue))
	if err != nil || x < 1 {
		return defaultValue
	}
	return int(min(x, maxNumber))
}

// number converts a JSON value to a number as Python's float does, including strings.
func number(raw json.RawMessage, defaultValue float64) (float64, error) {
	if len(raw) == 0 {
		return defaultValue, nil
	}
	text := plainText(raw)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != x {
		return 0, fmt.Errorf("ValueError(\"could not convert string to float: '%s'\")", model.Excerpt(text))
	}
	return x, nil
}

// checkHighlight decodes the field highlight, a boolean that may be a string.
func (b *RetrievalBody) checkHighlight(r *RetrievalQuery) *model.ErrorResponse {
	switch strings.ToLower(plainText(b.Highlight)) {
	case "", "null", "false":
	case "true":
		r.Highlight = true
	default:
		return dataError("`highlight` should be a boolean")
	}
	return nil
}

// isFalsy reports whether a JSON value is missing or counts as false in Python, which RAGFlow is
// written in.
func isFalsy(raw json.RawMessage) bool {
	switch string(bytes.Join(bytes.Fields(raw), nil)) {
	case "", "null", "[]", `""`, "{}", "0", "false":
		return true
	}
	return false
}

// plainText returns a JSON value as text: a string without quotes, null as "".
func plainText(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
