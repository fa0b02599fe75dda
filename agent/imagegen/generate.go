package imagegen

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

const (
	syncPath  = "/api/v1/services/aigc/multimodal-generation/generation"
	asyncPath = "/api/v1/services/aigc/text2image/image-synthesis"
	taskPath  = "/api/v1/tasks/"
)

// Generate makes a picture of what prompt says, in one exchange or by polling
// a task, as the service answers.
func (c *Client) Generate(ctx context.Context, prompt string) (Picture, error) {
	if strings.TrimSpace(prompt) == "" {
		return Picture{}, c.fail(llm.KindBadRequest, "", "the prompt is empty")
	}
	var a answer
	_, err := c.cfg.policy(c.cfg.Retries).Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		var err error
		a, err = c.create(ctx, Prefix+prompt)
		return err
	})
	if err != nil {
		return Picture{}, err
	}
	if at := a.Output.image(); at != "" {
		return Picture{URL: at, RevisedPrompt: cmp.Or(a.Output.revised(), prompt), TaskID: a.Output.TaskID}, nil
	}
	if a.Output.TaskID == "" {
		return Picture{}, c.fail(llm.KindMalformed, "", "the answer has neither a picture nor a task")
	}
	done, pic, err := c.judge(a.Output)
	if !done {
		pic, err = c.poll(ctx, a.Output)
	}
	if err == nil {
		pic.RevisedPrompt = cmp.Or(pic.RevisedPrompt, prompt)
	}
	return pic, err
}

// create is one attempt of the creating call.
func (c *Client) create(ctx context.Context, prompt string) (answer, error) {
	path, input := syncPath, map[string]any{
		"messages": []message{{Role: "user", Content: []part{{Text: prompt}}}},
	}
	if c.cfg.Async {
		path, input = asyncPath, map[string]any{"prompt": prompt}
	}
	body, err := json.Marshal(map[string]any{
		"model": c.cfg.Model, "input": input,
		"parameters": map[string]any{"size": c.cfg.Size, "n": 1},
	})
	if err != nil {
		return answer{}, c.fail(llm.KindBadRequest, "", err.Error())
	}
	return c.exchange(ctx, http.MethodPost, path, body)
}

// poll asks for the task at 2, 4 … 120 s after its creation. A poll that
// fails in passing counts as one; one that lasts past the next instant takes
// its place, so that polls never come in a burst.
func (c *Client) poll(ctx context.Context, task output) (Picture, error) {
	begin, last := clock.Now(ctx), task
	policy := c.cfg.policy(llm.NoRetries)
	for range MaxPolls {
		if err := policy.Sleep(ctx, PollEvery-clock.Since(ctx, begin)%PollEvery); err != nil {
			return Picture{TaskID: task.TaskID}, err
		}
		o, err := c.look(ctx, policy, task.TaskID)
		if err != nil && (!passing(err) || ctx.Err() != nil) {
			return Picture{TaskID: task.TaskID}, err
		}
		if err != nil {
			trace.Emit(ctx, trace.Event{Kind: trace.KindRetry, Node: c.cfg.Node, Reason: string(llm.KindOf(err))})
			continue
		}
		last = o
		if done, pic, err := c.judge(o); done {
			return pic, err
		}
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindTimeout, Node: c.cfg.Node, Reason: "polls_exhausted"})
	return Picture{TaskID: task.TaskID}, c.fail(llm.KindTimeout, cmp.Or(last.Code, last.TaskStatus),
		cmp.Or(last.Message, fmt.Sprintf("the task was not done after %d polls", MaxPolls)))
}

// look is one poll.
func (c *Client) look(ctx context.Context, policy llm.Policy, id string) (output, error) {
	var a answer
	_, err := policy.Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		var err error
		a, err = c.exchange(ctx, http.MethodGet, taskPath+url.PathEscape(id), nil)
		return err
	})
	a.Output.TaskID = id
	return a.Output, err
}

// passing tells a poll's failure that the next poll may not meet.
func passing(err error) bool {
	switch llm.KindOf(err) {
	case llm.KindRateLimited, llm.KindServer, llm.KindReset, llm.KindTimeout, llm.KindMalformed:
		return true
	default:
		return false
	}
}

// judge tells whether a task is over, and what came of it.
func (c *Client) judge(o output) (done bool, _ Picture, _ error) {
	pic := Picture{TaskID: o.TaskID}
	switch o.TaskStatus {
	case "SUCCEEDED":
		if pic.URL = o.image(); pic.URL != "" {
			pic.RevisedPrompt = o.revised()
			return true, pic, nil
		}
		code, text := o.failure()
		return true, pic, c.taskFailed(cmp.Or(code, o.TaskStatus), cmp.Or(text, "the task succeeded without a picture"))
	case "FAILED", "CANCELED", "UNKNOWN":
		return true, pic, c.taskFailed(cmp.Or(o.Code, o.TaskStatus), cmp.Or(o.Message, "the task is "+o.TaskStatus))
	default: // PENDING, RUNNING, SUSPENDED and what may come
		return false, pic, nil
	}
}
