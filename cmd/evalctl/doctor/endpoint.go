package doctor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/eval/number"
)

// Limits of an endpoint check.
const (
	slow      = 2 * time.Second
	maxSkew   = time.Minute
	maxAnswer = 4 << 20 // bytes of a list of models
)

// Endpoint is a model endpoint.
type Endpoint struct {
	BaseURL  string
	Key      string
	Variable string // environment variable with the key; "": no key is required
	Model    string // model to request; "": unknown
	Limit    string // request field that limits the tokens of an answer; "": max_tokens
}

// Probe sends one cheap request to each endpoint.
type Probe struct {
	HTTP    *http.Client
	Timeout time.Duration // per call
	Now     func() time.Time
}

// response is the response of an endpoint.
type response struct {
	status   int
	body     []byte
	duration time.Duration
	date     string
	sentAt   time.Time // middle of the call, for comparing clocks
}

// Check requests the list of models, or an answer of one token if there is no list. The second
// finding, if any, is about the clock.
func (p Probe) Check(ctx context.Context, e Endpoint) []Finding {
	a, err := p.send(ctx, e, http.MethodGet, "/models", nil)
	listed := err == nil && a.status < 300
	if err == nil && e.Model != "" && (a.status == http.StatusNotFound || a.status == http.StatusMethodNotAllowed) {
		limit := e.Limit
		if limit == "" {
			limit = "max_tokens"
		}
		// cannot fail: strings and a number
		body, _ := json.Marshal(map[string]any{"model": e.Model, limit: 1,
			"messages": []map[string]string{{"role": "user", "content": "hi"}}})
		a, err = p.send(ctx, e, http.MethodPost, "/chat/completions", body)
	}
	where := secret.RedactURL(e.BaseURL)
	if err != nil {
		return []Finding{newFinding("endpoint", StatusFailed, "%s: %s", where, reason(err, p.Timeout))}
	}
	mark, text := e.verdict(a, listed)
	return []Finding{newFinding("endpoint", mark, "%s %s", where, text), p.clock(e, a)}
}

// send sends one request.
func (p Probe) send(ctx context.Context, e Endpoint, method, path string, body []byte) (response, error) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	u, err := outbound.ParseURL(e.BaseURL)
	if err != nil {
		return response{}, errors.New("is not an address")
	}
	req, err := http.NewRequestWithContext(ctx, method, u.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return response{}, errors.New("is not an address")
	}
	if e.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.Key)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	began := p.Now()
	resp, err := p.HTTP.Do(req)
	if err != nil {
		return response{}, err
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	duration := p.Now().Sub(began)
	return response{
		status:   resp.StatusCode,
		body:     text,
		duration: duration,
		date:     resp.Header.Get("Date"),
		sentAt:   began.Add(duration / 2),
	}, errors.Join(err, resp.Body.Close())
}

// reason describes why a call failed, without the URL, which may contain a password.
func reason(err error, timeout time.Duration) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("does not answer within %v", timeout)
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// verdict interprets a response.
func (e Endpoint) verdict(a response, listed bool) (Status, string) {
	key := e.Variable
	switch {
	case a.status == http.StatusUnauthorized && key == "":
		return StatusWarning, fmt.Sprintf("requires a key for this check (%d); if calls fail too, set --api-key-env",
			a.status)
	case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden:
		return StatusFailed, fmt.Sprintf("refuses %s (%d)", cmp.Or(key, "a request without a key"), a.status)
	case a.status == http.StatusPaymentRequired:
		return StatusFailed, fmt.Sprintf("reports that the account has no balance left (%d)", a.status)
	case a.status == http.StatusTooManyRequests:
		return StatusWarning, fmt.Sprintf("is rate-limited, or its quota is used up (%d)", a.status)
	case a.status >= 300 && a.status < 400:
		return StatusFailed, fmt.Sprintf("redirects (%d); keys are not sent to the new address", a.status)
	case a.status == http.StatusNotFound && e.Model == "":
		return StatusWarning, "answers but has no list of models (404); to check a model, name it with --model"
	case a.status >= 300:
		return StatusFailed, fmt.Sprintf("answers %d", a.status)
	case listed && !e.listsModel(a.body):
		return StatusWarning, fmt.Sprintf("answers but does not list %s", e.Model)
	case a.duration > slow:
		return StatusWarning, "answers after " + number.Duration(a.duration)
	}
	return StatusOK, "answers within " + number.Duration(a.duration)
}

// listsModel reports whether the list contains the requested model. It accepts an empty or
// unreadable list.
func (e Endpoint) listsModel(body []byte) bool {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if e.Model == "" || json.Unmarshal(body, &list) != nil || len(list.Data) == 0 {
		return true
	}
	return slices.ContainsFunc(list.Data, func(m struct {
		ID string `json:"id"`
	}) bool {
		return strings.EqualFold(m.ID, e.Model)
	})
}

// clock compares the local clock with the endpoint's.
func (p Probe) clock(e Endpoint, a response) Finding {
	host := secret.RedactURL(e.BaseURL)
	if u, err := url.Parse(e.BaseURL); err == nil {
		host = u.Host
	}
	theirs, err := http.ParseTime(a.date)
	if err != nil {
		return newFinding("clock", Skipped, "%s does not report its time", host)
	}
	off := a.sentAt.Sub(theirs).Round(time.Second)
	switch {
	case off > maxSkew:
		return newFinding("clock", StatusWarning, "is %v ahead of %s", off, host)
	case off < -maxSkew:
		return newFinding("clock", StatusWarning, "is %v behind %s", -off, host)
	}
	return newFinding("clock", StatusOK, "agrees with %s", host)
}
