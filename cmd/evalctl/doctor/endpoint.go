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
	"evalctl/eval/metric"
)

// slow and maxSkew are the limits above which Check warns: response time and clock difference.
// maxAnswer is the number of bytes that it reads.
const (
	slow      = 2 * time.Second
	maxSkew   = time.Minute
	maxAnswer = 4 << 20 // enough for a list of models
)

// Endpoint is a model API to check, with its address, key and model.
type Endpoint struct {
	BaseURL         string // URL to which paths such as /models are added
	Key             string // API key; "": none is sent
	KeyVariable     string // environment variable that contains the key, for messages; "": no key is required
	Model           string // model that the run will use; "": unknown
	TokenLimitField string // name of the request field that limits the answer's tokens; "": max_tokens
}

// Probe checks endpoints: it sends one cheap request to each.
type Probe struct {
	HTTP    *http.Client     // client that sends the requests
	Timeout time.Duration    // maximum duration of each request
	Now     func() time.Time // local clock
}

// response is what an endpoint returned, with the times of the request.
type response struct {
	status   int
	body     []byte
	duration time.Duration
	date     string
	sentAt   time.Time // middle of the request, to compare the local clock with the Date header
}

// Check sends a cheap request to an endpoint and returns findings about it. The request is for the
// list of models. If the endpoint has none, Check requests an answer of one token. If the endpoint
// responds, a second finding compares its clock with the local one.
func (p Probe) Check(ctx context.Context, e Endpoint) []Finding {
	a, err := p.send(ctx, e, http.MethodGet, "/models", nil)
	listed := err == nil && a.status < 300
	if err == nil && e.Model != "" && (a.status == http.StatusNotFound || a.status == http.StatusMethodNotAllowed) {
		limit := e.TokenLimitField
		if limit == "" {
			limit = "max_tokens"
		}
		// cannot fail: the value contains only strings and a number
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

// reason returns the message of a failed request without the URL, which may contain a password.
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

// verdict maps a response to a status. listed is true if the response is a list of models.
func (e Endpoint) verdict(a response, listed bool) (Status, string) {
	key := e.KeyVariable
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
		return StatusWarning, "answers after " + metric.FormatDuration(a.duration)
	}
	return StatusOK, "answers within " + metric.FormatDuration(a.duration)
}

// listsModel reports whether a list of models contains the endpoint's Model. It also returns true
// if Model is unknown, or if the list is empty or unreadable.
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

// clock returns a finding that compares the local clock with the Date header of a response.
func (p Probe) clock(e Endpoint, a response) Finding {
	host := secret.RedactURL(e.BaseURL)
	if u, err := url.Parse(e.BaseURL); err == nil {
		host = u.Host
	}
	theirs, err := http.ParseTime(a.date)
	if err != nil {
		return newFinding("clock", StatusSkipped, "%s does not report its time", host)
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
