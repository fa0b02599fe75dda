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

// maxBody limits an answer in bytes. An answer contains URLs and never image data.
const maxBody = 256 << 10

// message is a chat message in DashScope's format. A part is a piece of its content and has no type
// field, unlike in OpenAI's format.
type message struct {
	Role    string `json:"role"`
	Content []part `json:"content"`
}

type part struct {
	Text  string `json:"text,omitempty"`
	Image string `json:"image,omitempty"`
}

// answer is the response to the request for an image and to a poll.
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

// first returns the first non-empty value of fromPart for the parts of the choices. If there is
// none, it returns the value of fromResult for the first result with an image.
func (o output) first(fromPart func(part) string, fromResult func(result) string) string {
	for _, choice := range o.Choices {
		for _, p := range choice.Message.Content {
			if found := fromPart(p); found != "" {
				return found
			}
		}
	}
	for _, r := range o.Results {
		if r.URL != "" {
			return fromResult(r)
		}
	}
	return ""
}

// image returns the URL of the first image; "": none.
func (o output) image() string {
	return o.first(func(p part) string { return p.Image }, func(r result) string { return r.URL })
}

// images returns the number of images to bill: 1 or 0, because only one is requested.
func (o output) images() int64 {
	if o.image() == "" {
		return 0
	}
	return 1
}

// revised returns the prompt as revised by the service; "": not reported.
func (o output) revised() string {
	return o.first(func(p part) string { return p.Text }, func(r result) string { return r.ActualPrompt })
}

// failure returns the code and message of the first failed result.
func (o output) failure() (code, text string) {
	for _, r := range o.Results {
		if r.Code != "" || r.Message != "" {
			return r.Code, r.Message
		}
	}
	return o.Code, o.Message
}

// exchange sends a request and reads the answer. With async, it requests a task.
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
		return answer{}, c.fail(llm.KindMalformedResponse, "",
			fmt.Sprintf("the answer is longer than %d bytes: it must contain the URLs of images, not the images",
				maxBody))
	}
	var a answer
	err := outbound.CheckJSONComplexity(raw)
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
	return &llm.Error{
		Kind:     kind,
		Provider: c.provider.Name,
		Code:     code,
		Message:  text,
	}
}

// taskFailed returns the error of a failed task. Its code determines whether the content was
// blocked or the account has no balance.
func (c *Client) taskFailed(code, text string) *llm.Error {
	e := llm.NewResponseError(c.provider, http.StatusOK, code, "", text)
	if e.Kind != llm.KindContentBlocked && e.Kind != llm.KindNoBalance {
		e.Kind = llm.KindTaskFailed
	}
	return e
}
