package recall

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"unicode"

	"evalctl/agent/llm"
)

// Limits on the response of the service, in bytes. The exception is maxSimilarity, a highest value.
const (
	maxBody    = 8 << 20
	maxContent = 256 << 10
	maxName    = 1 << 10

	maxSimilarity = 1000 // services may add a document's configured rank, at most 100, to a similarity
)

// request is the JSON body of a RAGFlow request. RAGFlow has no field for the number of results, so
// the page size sets it. A page has at most 100 passages.
type request struct {
	Question  string   `json:"question"`
	Datasets  []string `json:"dataset_ids"`
	Documents []string `json:"document_ids,omitempty"`
	Page      int      `json:"page"`
	PageSize  int      `json:"page_size"`
	Threshold float64  `json:"similarity_threshold"`
	Weight    float64  `json:"vector_similarity_weight"`
	TopK      int      `json:"top_k"`
	Rerank    string   `json:"rerank_id,omitempty"`
}

// answer is the JSON body of a RAGFlow response. In an error, data is null, false or absent. The
// field doc_aggs is ignored.
type answer struct {
	Code    *int            `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

type passages struct {
	Chunks []passage `json:"chunks"`
}

type passage struct {
	ID         string   `json:"id"`
	Content    string   `json:"content"`
	Document   string   `json:"document_id"`
	Name       string   `json:"document_keyword"`
	Similarity *float64 `json:"similarity"`
	Vector     float64  `json:"vector_similarity"`
	Term       float64  `json:"term_similarity"`
}

// exchange makes one attempt: it sends a query and decodes the response.
func (c *Client) exchange(ctx context.Context, q Query) ([]Chunk, error) {
	r, err := c.request(ctx, q)
	if err != nil {
		return nil, &llm.Error{Kind: llm.KindBadRequest, Err: err}
	}
	data, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	return decode(data, q)
}

// request returns the HTTP request for a query.
func (c *Client) request(ctx context.Context, q Query) (*http.Request, error) {
	body, err := json.Marshal(request{
		Question:  q.Question,
		Datasets:  q.Datasets,
		Documents: q.Documents,
		Page:      1,
		PageSize:  q.TopNOrDefault(),
		Threshold: q.ThresholdOrDefault(),
		Weight:    q.VectorWeightOrDefault(),
		TopK:      q.TopKOrDefault(),
		Rerank:    q.Reranker,
	})
	if err != nil {
		return nil, err
	}
	base, query, _ := strings.Cut(c.cfg.BaseURL, "?")
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(base, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.URL.RawQuery = query
	r.Header.Set("Content-Type", "application/json")
	if c.cfg.APIKey != "" {
		r.Header.Set("Authorization", "Bearer "+c.cfg.APIKey)
	}
	return r, nil
}

func malformed(format string, a ...any) *llm.Error {
	return &llm.Error{
		Kind:     llm.KindMalformedResponse,
		Provider: service.Name,
		Status:   http.StatusOK,
		Message:  fmt.Sprintf(format, a...),
	}
}

// dataOf returns the data of a response with HTTP status 200. RAGFlow also sends errors with this
// status; only the field code shows whether the response is an error.
func dataOf(raw []byte) (json.RawMessage, error) {
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, malformed("%v", err)
	}
	switch {
	case a.Code == nil:
		return nil, malformed("the answer has no code")
	case *a.Code != 0:
		return nil, correctKind(llm.NewResponseError(service, http.StatusOK, fmt.Sprint(*a.Code), "", a.Message))
	}
	return a.Data, nil
}

// decode decodes the data of a response to a query.
func decode(raw json.RawMessage, q Query) ([]Chunk, error) {
	var data *passages
	if err := json.Unmarshal(raw, &data); err != nil || data == nil {
		return nil, malformed("the answer's data are no passages: %.100s", raw)
	}
	if len(data.Chunks) > q.TopNOrDefault() {
		return nil, malformed("the answer has %d passages, where %d were asked for", len(data.Chunks),
			q.TopNOrDefault())
	}
	found := make([]Chunk, len(data.Chunks))
	for i, p := range data.Chunks {
		if problem := p.check(); problem != "" {
			return nil, malformed("passage %d %s", i+1, problem)
		}
		found[i] = Chunk{
			ID:               p.ID,
			DocumentID:       p.Document,
			DocumentName:     oneLine(p.Name),
			Content:          withoutControl(p.Content),
			Similarity:       clampUnit(*p.Similarity),
			VectorSimilarity: clampUnit(p.Vector),
			TermSimilarity:   clampUnit(p.Term),
		}
	}
	return found, nil
}

// withoutControl removes control characters, which could affect a terminal. Line breaks and tabs
// remain.
func withoutControl(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

func oneLine(text string) string { return strings.Join(strings.Fields(withoutControl(text)), " ") }

// check returns what is wrong with a passage; "" if it is valid. A similarity of up to
// maxSimilarity is valid.
func (p passage) check() string {
	const slack = 1e-3 // tolerance for single-precision rounding
	isCosine := func(x float64) bool { return math.Abs(x) <= 1+slack }
	switch {
	case p.ID == "" || p.Document == "":
		return "has no id, or is of no document"
	case strings.ContainsFunc(p.ID+p.Document, unicode.IsControl):
		return "has an id with a control character"
	case max(len(p.ID), len(p.Document), len(p.Name)) > maxName:
		return fmt.Sprintf("has a name of more than %d bytes", maxName)
	case len(p.Content) > maxContent:
		return fmt.Sprintf("has %d bytes, more than %d", len(p.Content), maxContent)
	case p.Similarity == nil:
		return "has no similarity"
	case *p.Similarity < -1-slack || *p.Similarity > maxSimilarity || !isCosine(p.Vector) || !isCosine(p.Term):
		return fmt.Sprintf("has the similarities %v, %v and %v: one is invalid", *p.Similarity, p.Vector, p.Term)
	}
	return ""
}

func clampUnit(x float64) float64 { return min(max(x, 0), 1) }

// kindOfCode maps RAGFlow's own error codes to kinds of errors. Other codes are HTTP status codes.
var kindOfCode = map[string]llm.ErrorKind{
	"10":  llm.KindBadRequest,  // NOT_EFFECTIVE
	"100": llm.KindServerError, // EXCEPTION_ERROR: unhandled exception
	"101": llm.KindBadRequest,  // ARGUMENT_ERROR
	"102": llm.KindBadRequest,  // DATA_ERROR
	"103": llm.KindBadRequest,  // OPERATING_ERROR
	"105": llm.KindServerError, // CONNECTION_ERROR
	"106": llm.KindServerError, // RUNNING
	"108": llm.KindAuth,        // PERMISSION_ERROR
	"109": llm.KindAuth,        // AUTHENTICATION_ERROR
}

// correctKind sets the kind of an error according to RAGFlow's code. The HTTP status is not
// sufficient, because most errors have status 200.
func correctKind(e *llm.Error) *llm.Error {
	kind, own := kindOfCode[e.Code]
	switch {
	case e.Kind == llm.KindMalformedResponse: // such as a redirect, whose kind remains
	case own:
		e.Kind = kind
	case isHTTP(e.Code):
		e.Kind = llm.NewResponseError(service, http.StatusOK, e.Code, "", "").Kind
	}
	return e
}

// isHTTP reports whether an error code is an HTTP error status.
func isHTTP(code string) bool { return len(code) == 3 && code >= "400" && code <= "599" }
