package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/search"
)

// maxBody limits the size of a response, in bytes.
const maxBody = 2 << 20

// exchange makes one attempt of a search: it sends the request and decodes the response.
func (c *Client) exchange(ctx context.Context, body []byte) (search.Results, error) {
	base, query, _ := strings.Cut(c.cfg.BaseURL, "?")
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(base, "/")+c.engine.path,
		bytes.NewReader(body))
	if err != nil {
		return search.Results{}, c.fail(llm.KindBadRequest, err.Error())
	}
	r.URL.RawQuery = query
	r.Header.Set("Content-Type", "application/json")
	if c.cfg.APIKey != "" {
		r.Header.Set("Authorization", "Bearer "+c.cfg.APIKey)
	}
	resp, err := c.cfg.HTTP.Do(r)
	if err != nil {
		return search.Results{}, err
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return search.Results{}, classifyRefusal(llm.ReadResponseError(ctx, c.provider, resp))
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return search.Results{}, err
	}
	if len(raw) > maxBody {
		return search.Results{}, malformed(fmt.Errorf("the answer is longer than %d bytes", maxBody))
	}
	if err := outbound.CheckJSONComplexity(raw); err != nil {
		return search.Results{}, malformed(err)
	}
	return c.engine.read(c.policy.Secrets.RedactJSON(raw), c.provider)
}

// classifyRefusal sets the right error kind for a missing API key. Bocha reports it as a bad
// request.
func classifyRefusal(e *llm.Error) *llm.Error {
	if e.Kind == llm.KindBadRequest && strings.Contains(strings.ToLower(e.Message), "api key") {
		e.Kind = llm.KindAuth
	}
	return e
}

func malformed(err error) *llm.Error {
	return &llm.Error{Kind: llm.KindMalformedResponse, Status: http.StatusOK, Err: err}
}

func missing(field string) *llm.Error {
	return malformed(fmt.Errorf("the answer has no %s", field))
}
