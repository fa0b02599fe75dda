package imagegen

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// imageRequest is a request to generate or edit an image.
type imageRequest struct {
	path       string
	async      bool
	model      string
	input      map[string]any
	parameters map[string]any
}

// fetch sends the request and waits for the image, also if the service creates a task. prompt
// becomes the RevisedPrompt if the service reports none.
func (c *Client) fetch(ctx context.Context, o imageRequest, prompt string) (Image, error) {
	if strings.TrimSpace(prompt) == "" {
		return Image{}, c.fail(llm.KindBadRequest, "", "the prompt is empty")
	}
	body, err := json.Marshal(map[string]any{"model": o.model, "input": o.input, "parameters": o.parameters})
	if err != nil {
		return Image{}, c.fail(llm.KindBadRequest, "", err.Error())
	}
	var a answer
	_, err = c.cfg.policy(o.model, c.cfg.Retries).Do(ctx, func(ctx context.Context, s *trace.Span) error {
		var err error
		a, err = c.exchange(ctx, http.MethodPost, o.path, body, o.async)
		s.Images = a.Output.images()
		return err
	})
	if err != nil {
		return Image{}, err
	}
	if at := a.Output.image(); at != "" {
		return Image{URL: at, RevisedPrompt: cmp.Or(a.Output.revised(), prompt), TaskID: a.Output.TaskID}, nil
	}
	if a.Output.TaskID == "" {
		return Image{}, c.fail(llm.KindMalformedResponse, "", "the answer has neither an image nor a task")
	}
	done, image, err := c.taskResult(a.Output)
	if !done {
		image, err = c.poll(ctx, o.model, a.Output)
	}
	if err == nil {
		image.RevisedPrompt = cmp.Or(image.RevisedPrompt, prompt)
	}
	return image, err
}
