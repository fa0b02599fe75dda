package recall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/trace"
)

// Limits on the list of a service's documents.
const (
	documentsPerPage = 1000
	maxPages         = maxDocuments / documentsPerPage
)

// unknownDocument is RAGFlow's code if the datasets do not contain a document of the query.
const unknownDocument = "102"

// missingDocumentTTL is the time for which a document that is not in the service's list is not looked up again.
const missingDocumentTTL = time.Minute

// listedDocuments contains the service's documents, by the ID or name that a query uses; none for a
// document that the service does not have.
type listedDocuments map[string][]listedDocument

// lookup is the cached result of looking up one document in the datasets of a query.
type lookup struct {
	documents []listedDocument // none if the datasets do not contain the document
	until     time.Time        // end of the validity of a result without documents
}

// cacheKey is the key of a document in the datasets of a query. q.Datasets is set.
func cacheKey(q Query, document string) string { return fmt.Sprintf("%q %q", q.Datasets, document) }

// cachedDocuments returns the service's documents with an ID or name of the query. ok is false if they must be looked
// up.
func (c *Client) cachedDocuments(ctx context.Context, q Query, name string) (docs []listedDocument, ok bool) {
	l, ok := c.lookups.Get(ctx, cacheKey(q, name))
	return l.documents, ok && (len(l.documents) > 0 || clock.Now(ctx).Before(l.until))
}

// findDocuments looks up the documents of a query, by ID and name, in the list of the service's documents, and
// caches the results.
func (c *Client) findDocuments(ctx context.Context, q Query, calls *clock.Semaphore) (listedDocuments, error) {
	found, err := c.listDocuments(ctx, q, calls)
	if err != nil {
		return nil, err
	}
	until := clock.Now(ctx).Add(missingDocumentTTL)
	for name, docs := range found {
		c.lookups.Put(ctx, cacheKey(q, name), lookup{documents: docs, until: until})
	}
	return found, nil
}

// DocumentNames returns the file names of the documents of a query, by the ID or name in the query. A document that the
// service does not have is absent. Each request holds a slot of calls; nil: no limit.
func (c *Client) DocumentNames(ctx context.Context, q Query, calls *clock.Semaphore) (map[string]string, error) {
	if err := q.Check(); err != nil {
		return nil, &llm.Error{Kind: llm.KindBadRequest, Provider: service.Name, Message: err.Error()}
	}
	if len(q.Datasets) == 0 {
		q.Datasets = c.cfg.Datasets
	}
	found := listedDocuments{}
	for _, name := range q.Documents {
		docs, ok := c.cachedDocuments(ctx, q, name)
		if !ok {
			var err error
			if found, err = c.findDocuments(ctx, q, calls); err != nil {
				return nil, err
			}
			break
		}
		found[name] = docs
	}
	names := map[string]string{}
	for name, docs := range found {
		if len(docs) > 0 {
			names[name] = oneLine(docs[0].Name)
		}
	}
	return names, nil
}

// withServiceIDs replaces the names of documents whose IDs are known. It removes those that the
// service does not have, unless no other remains. allMissing reports that the service has none of them.
func (c *Client) withServiceIDs(ctx context.Context, q Query) (_ Query, allMissing bool) {
	var all []string
	for _, name := range q.Documents {
		docs, ok := c.cachedDocuments(ctx, q, name)
		if !ok {
			all = append(all, name)
		}
		for _, d := range docs {
			all = append(all, d.ID)
		}
	}
	if all != nil {
		q.Documents = all
	}
	return q, all == nil
}

// nameOf returns the document of the query that a passage belongs to: the document with the
// passage's ID or, if the service has its own IDs, the one with its name. ok is false if there is
// none.
func nameOf(id, name string, requested []string) (document string, ok bool) {
	if len(requested) == 0 || slices.Contains(requested, id) {
		return id, true
	}
	i := slices.IndexFunc(requested, func(document string) bool { return isNamed(name, document) })
	if i < 0 {
		return "", false
	}
	return requested[i], true
}

// isNamed reports whether a file name, with or without its extension, is the name of a document.
func isNamed(file, document string) bool {
	return file == document || strings.TrimSuffix(file, filepath.Ext(file)) == document
}

// listDocuments returns the service's documents that a query names. Each page holds a slot of calls; nil: no limit.
func (c *Client) listDocuments(ctx context.Context, q Query, calls *clock.Semaphore) (listedDocuments, error) {
	found := listedDocuments{}
	for _, name := range q.Documents {
		found[name] = nil
	}
	for _, dataset := range q.Datasets {
		for page := 1; page <= maxPages; page++ {
			if calls != nil {
				if err := calls.Acquire(ctx); err != nil {
					return nil, err
				}
			}
			var docs []listedDocument
			_, err := c.policy(q).Do(ctx, func(ctx context.Context, _ *trace.Span) (err error) {
				docs, err = c.documentPage(ctx, dataset, page)
				return err
			})
			if calls != nil {
				calls.Release()
			}
			if err != nil {
				return nil, err
			}
			for _, d := range docs {
				if name, ok := nameOf(d.ID, d.Name, q.Documents); ok {
					found[name] = append(found[name], d)
				}
			}
			if len(docs) < documentsPerPage {
				break
			}
		}
	}
	return found, nil
}

type listedDocument struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// documentPage requests a page of the list of a dataset's documents.
func (c *Client) documentPage(ctx context.Context, dataset string, page int) ([]listedDocument, error) {
	base, query, _ := strings.Cut(c.cfg.BaseURL, "?")
	address := fmt.Sprintf("%s/api/v1/datasets/%s/documents?page=%d&page_size=%d", strings.TrimRight(base, "/"),
		url.PathEscape(dataset), page, documentsPerPage)
	if query != "" {
		address += "&" + query
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &llm.Error{Kind: llm.KindBadRequest, Err: err}
	}
	if c.cfg.APIKey != "" {
		r.Header.Set("Authorization", "Bearer "+c.cfg.APIKey)
	}
	data, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	var list struct {
		Docs []listedDocument `json:"docs"`
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list.Docs) > documentsPerPage {
		return nil, malformed("the answer's data are no list of documents: %.100s", data)
	}
	return list.Docs, nil
}

// send sends a request and returns the data of the response.
func (c *Client) send(ctx context.Context, r *http.Request) (json.RawMessage, error) {
	resp, err := c.cfg.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return nil, correctKind(llm.ReadResponseError(ctx, service, resp))
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxBody {
		return nil, malformed("the answer is longer than %d bytes", maxBody)
	}
	if err := outbound.CheckJSONComplexity(raw); err != nil {
		return nil, malformed("%v", err)
	}
	return dataOf(c.secrets.RedactJSON(raw))
}

// isUnknownDocument reports whether a search failed because the service has no document with an ID
// of the query.
func isUnknownDocument(q Query, err error) bool {
	e := (*llm.Error)(nil)
	return len(q.Documents) > 0 && errors.As(err, &e) && e.Code == unknownDocument
}
