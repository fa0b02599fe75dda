package wire

import (
	"slices"
	"strconv"
	"strings"

	"evalctl/mocks/jsontext"
)

// FoundPassage is a passage that a retrieval request has found, with its similarities to the
// question.
type FoundPassage struct {
	ID, Content, Document, Name, Dataset         string
	Similarity, VectorSimilarity, TermSimilarity float64 // 0..1: combined, by vectors and by terms
}

// AppendRetrieval appends the answer to a retrieval request: the requested page of the passages
// found.
func (c *Call) AppendRetrieval(o []byte, r RetrievalQuery, found []FoundPassage) []byte {
	begin := min((r.Page-1)*r.PageSize, len(found))
	page := found[begin:min(begin+r.PageSize, len(found))]
	marked := newMarker(r.Question)
	o = append(o, `{"code":0,"data":{"chunks":[`...)
	for i, f := range page {
		if i > 0 {
			o = append(o, ',')
		}
		o = appendFound(o, f, r.Highlight, marked)
	}
	o = append(appendAggregates(append(o, `],"doc_aggs":`...), page, r.Question), ',')
	return append(jsontext.AppendIntField(o, "total", len(found)), "}}"...)
}

func appendFound(o []byte, f FoundPassage, highlight bool, marked highlighter) []byte {
	o = jsontext.AppendStringField(append(o, '{'), "id", f.ID)
	o = jsontext.AppendStringField(append(o, ','), "content", f.Content)
	o = jsontext.AppendStringField(append(o, ','), "content_ltks",
		strings.Join(strings.Fields(strings.ToLower(f.Content)), " "))
	o = jsontext.AppendStringField(append(o, ','), "document_id", f.Document)
	o = jsontext.AppendStringField(append(o, ','), "document_keyword", f.Name)
	o = jsontext.AppendStringField(append(o, ','), "dataset_id", f.Dataset)
	o = append(o, `,"important_keywords":[],"tag_kwd":[],"image_id":"","positions":[],"doc_type_kwd":"","similarity":`...)
	o = append(strconv.AppendFloat(o, f.Similarity, 'f', -1, 64), `,"vector_similarity":`...)
	o = append(strconv.AppendFloat(o, f.VectorSimilarity, 'f', -1, 64), `,"term_similarity":`...)
	o = strconv.AppendFloat(o, f.TermSimilarity, 'f', -1, 64)
	if highlight {
		o = jsontext.AppendStringField(append(o, ','), "highlight", marked.mark(f.Content))
	}
	return append(o, '}')
}

// appendAggregates appends the number of passages per document, in descending order. If the
// question is empty, RAGFlow returns an object instead of a list.
func appendAggregates(o []byte, found []FoundPassage, question string) []byte {
	if question == "" {
		return append(o, "{}"...)
	}
	counts := map[string]int{}
	var first []FoundPassage // the first passage of each document
	for _, f := range found {
		if counts[f.Document]++; counts[f.Document] == 1 {
			first = append(first, f)
		}
	}
	slices.SortStableFunc(first, func(a, b FoundPassage) int { return counts[b.Document] - counts[a.Document] })
	o = append(o, '[')
	for i, f := range first {
		if i > 0 {
			o = append(o, ',')
		}
		o = jsontext.AppendStringField(append(o, '{'), "doc_name", f.Name)
		o = jsontext.AppendStringField(append(o, ','), "doc_id", f.Document)
		o = append(jsontext.AppendIntField(append(o, ','), "count", counts[f.Document]), '}')
	}
	return append(o, ']')
}
