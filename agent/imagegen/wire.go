package imagegen

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/outbound"
)

// maxBody bounds an answer, which holds addresses and never a picture.
const maxBody = 256 << 10

// message and part are DashScope's own dialect: parts have no type.
type message struct {
	Role    string `json:"role"`
	Content []part `json:"content"`
}

type part struct {
	Text  string `json:"text,omitempty"`
	Image string `json:"image,omitempty"`
}

// answer is what the creating call and a poll return.
type answer struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Output  output `json:"output"`
}

type output struct {
	Choices []struct {
		Message struct {
			Content []part `json:"content"`
		} `json:"message"`
	} `json:"choices"`

	TaskID     string   `json:"task_id"`
	TaskStatus string   `json:"task_status"`
	Results    []result `json:"results"`
	Code       string   `json:"code"`
	Message    string   `json:"message"`
}

type result struct {
	URL          string `json:"url"`
	ActualPrompt string `json:"actual_prompt"`
	Code         string `json:"code"`
	Message      string `json:"message"`
}

// first is what pick finds first in the choices, else what made finds in the
// first result that has a picture.
func (o output) first(pick func(part) string, made func(result) string) string {
	for _, choice := range o.Choices {
		for _, p := range choice.Message.Content {
			if found := pick(p); found != "" {
				return found
			}
		}
	}
	for _, r := range o.Results {
		if r.URL != "" {
			return made(r)
		}
	}
	return ""
}

// image is the first picture's address.
func (o output) image() string {
	return o.first(func(p part) string { return p.Image }, func(r result) string { return r.URL })
}

// images is 1 where there is a picture: no more are asked for.
func (o output) images() int64 {
	if o.image() == "" {
		return 0
	}
	return 1
}

// revised is the prompt that the service made of ours.
func (o output) revised() string {
	return o.first(func(p part) string { return p.Text }, func(r result) string { return r.ActualPrompt })
}

// failure is the first failed result's code and message.
func (o output) failure() (code, text string) {
	for _, r := range o.Results {
		if r.Code != "" || r.Message != "" {
			return r.Code, r.Message
		}
	}
	return o.Code, o.Message
}

// exchange is one request and its answer; async asks for a task.
func (c *Client) exchange(ctx context.Context, method, path string, body []byte, async bool) (answer, error) {
	base, query, _ := strings.Cut(c.cfg.BaseURL, "?")
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(base, "/")+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, c.fail(llm.KindBadRequest, "", err.Error())
	}
	r.URL.RawQuery = query
	if c.cfg.APIKey != "" {
		r.Header.Set("Authorization", "Bearer "+c.cfg.APIKey)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if async {
		r.Header.Set("X-DashScope-Async", "enable")
	}
	resp, err := c.cfg.HTTP.Do(r)
	if err != nil {
		return answer{}, err
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return answer{}, llm.ReadResponseError(ctx, c.provider, resp)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return answer{}, err
	}
	return c.decode(raw)
}

func (c *Client) decode(raw []byte) (answer, error) {
	if len(raw) > maxBody {
		return answer{}, c.fail(llm.KindMalformedResponse, "", fmt.Sprintf("the answer is longer than %d bytes: the addresses of pictures are read, not pictures", maxBody))
	}
	var a answer
	err := outbound.CheckShape(raw)
	if err == nil {
		err = json.Unmarshal(c.cfg.secrets.RedactJSON(raw), &a)
	}
	if err != nil {
		e := c.fail(llm.KindMalformedResponse, "", "")
		e.Status, e.Err = http.StatusOK, err
		return answer{}, e
	}
	if a.Code != "" {
		return answer{}, llm.NewResponseError(c.provider, http.StatusOK, a.Code, "", a.Message)
	}
	return a, nil
}

func (c *Client) fail(kind llm.ErrorKind, code, text string) *llm.Error {
	return &llm.Error{Kind: kind, Provider: c.provider.Name, Code: code, Message: text}
}

// taskFailed tells a blocked or unpaid task from other failures by its code.
func (c *Client) taskFailed(code, text string) *llm.Error {
	e := llm.NewResponseError(c.provider, http.StatusOK, code, "", text)
	if e.Kind != llm.KindContentBlocked && e.Kind != llm.KindNoBalance {
		e.Kind = llm.KindTask
	}
	return e
}
