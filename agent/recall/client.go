package recall

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"time"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/agent/trace"
)

// Defaults for a Config and a Query.
const (
	defaultBaseURL  = "http://127.0.0.1:9380"   // a local RAGFlow
	DefaultTimeout  = 30 * time.Second          // time limit of one attempt
	DefaultReranker = "BAAI/bge-reranker-v2-m3" // reranking model for callers that name none
)

const path = "/api/v1/retrieval"

// service is the provider name in spans and errors.
var service = llm.Provider{Name: "ragflow"}

// Doer sends HTTP requests: an http.Client, a mock, a cassette.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config configures a Client. The zero value calls a local RAGFlow.
type Config struct {
	Node     string   // name of the component in the trace; "": "retrieval"
	BaseURL  string   // URL of the service, without /api/v1; "": http://127.0.0.1:9380
	APIKey   string   // API key; "": no key is sent
	Datasets []string // datasets to search if a Query names none; nil: DefaultDataset

	HTTP    Doer          // HTTP client; nil: outbound.Default()
	Timeout time.Duration // time limit of one attempt; 0: DefaultTimeout
	Retries int           // retries after the first attempt, as in llm.Config
	Seed    uint64        // seed of the random part of back-off waits
}

// Client calls a retrieval service. It is safe for concurrent use. Its errors are *llm.Error.
type Client struct {
	cfg     Config
	secrets *secret.Set
	lookups *cache.Cache[lookup] // the service's documents that queries have named
}

var (
	_ Searcher      = (*Client)(nil)
	_ DocumentNamer = (*Client)(nil)
)

// New validates cfg and creates a client. Errors name the invalid field.
func New(cfg Config) (*Client, error) {
	cfg.BaseURL = strings.TrimRight(cmp.Or(cfg.BaseURL, defaultBaseURL), "/")
	if _, err := outbound.ParseURL(cfg.BaseURL); err != nil {
		return nil, fmt.Errorf("recall.Config.BaseURL: %q is not an http URL", secret.RedactURL(cfg.BaseURL))
	}
	if err := (Query{Datasets: cfg.Datasets}).Check(); err != nil {
		return nil, fmt.Errorf("recall.Config.Datasets: %w", err)
	}
	if len(cfg.Datasets) == 0 {
		cfg.Datasets = []string{DefaultDataset}
	}
	cfg.Node = cmp.Or(cfg.Node, "retrieval")
	cfg.Timeout = cmp.Or(cfg.Timeout, DefaultTimeout)
	if cfg.HTTP == nil {
		cfg.HTTP = outbound.Default()
	}
	lookups, err := cache.New[lookup](cache.Config{MaxEntries: maxDocuments})
	if err != nil {
		return nil, err
	}
	c := &Client{cfg: cfg, secrets: secret.NewSet(cfg.APIKey, cfg.BaseURL), lookups: lookups}
	return c, c.policy(Query{}).Check("recall.Config")
}

// policy returns the retry policy for a query. The jitter seed depends on the query, so that
// parallel queries do not retry at the same time.
func (c *Client) policy(q Query) llm.CallPolicy {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q", q.Question, q.Documents)
	return llm.CallPolicy{
		Node:     c.cfg.Node,
		Provider: service.Name,
		Model:    q.Reranker,
		Timeout:  c.cfg.Timeout,
		Retries:  c.cfg.Retries,
		Seed:     c.cfg.Seed ^ h.Sum64(),
		Secrets:  c.secrets,
	}
}

// Search returns the passages that answer q, best first. An empty question returns no passages,
// without a call.
func (c *Client) Search(ctx context.Context, q Query) ([]Chunk, error) {
	if err := q.Check(); err != nil {
		return nil, &llm.Error{Kind: llm.KindBadRequest, Provider: service.Name, Message: err.Error()}
	}
	if strings.TrimSpace(q.Question) == "" {
		return nil, nil
	}
	if len(q.Datasets) == 0 {
		q.Datasets = c.cfg.Datasets
	}
	sent, allMissing := c.withServiceIDs(ctx, q)
	found, err := c.search(ctx, q, sent)
	if allMissing || !isUnknownDocument(q, err) {
		return found, err
	}
	if _, listErr := c.findDocuments(ctx, q, nil); listErr != nil {
		return found, err
	}
	if sent, allMissing = c.withServiceIDs(ctx, q); allMissing {
		return found, err
	}
	return c.search(ctx, q, sent)
}

// search sends a query with the service's IDs of its documents. Passages of documents that q does not name are traced
// and ignored.
func (c *Client) search(ctx context.Context, q, sent Query) ([]Chunk, error) {
	var found []Chunk
	_, err := c.policy(q).Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		var err error
		found, err = c.exchange(ctx, sent)
		return err
	})
	if err != nil {
		return nil, err
	}
	kept := found[:0]
	for _, chunk := range found {
		document, ok := nameOf(chunk.DocumentID, chunk.DocumentName, q.Documents)
		if !ok {
			trace.Emit(ctx, trace.Event{
				Kind:   trace.KindIgnoredInput,
				Node:   c.cfg.Node,
				From:   chunk.ID,
				Text:   chunk.DocumentID,
				Reason: "document_not_requested",
			})
			continue
		}
		chunk.DocumentID = document
		kept = append(kept, chunk)
	}
	return kept, nil
}
