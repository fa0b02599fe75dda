package imagegen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

const taskPath = "/api/v1/tasks/"

// poll polls a task 2, 4 … 120 s after its creation until it ends. A poll that hangs is aborted
// when the next one is due. A transient failure counts as one poll.
func (c *Client) poll(ctx context.Context, model string, task output) (Image, error) {
	begin, last := clock.Now(ctx), task
	policy := c.cfg.policy(model, llm.NoRetries)
	for n := 1; n <= maxPolls; n++ {
		if err := policy.Sleep(ctx, time.Duration(n)*PollInterval-clock.Since(ctx, begin)); err != nil {
			return Image{TaskID: task.TaskID}, err
		}
		policy.Timeout = c.pollTimeout(n, clock.Since(ctx, begin))
		o, err := c.pollOnce(ctx, policy, task.TaskID)
		if err != nil && (!isTransient(err) || ctx.Err() != nil) {
			return Image{TaskID: task.TaskID}, err
		}
		if err != nil {
			trace.Emit(ctx, trace.Event{Kind: trace.KindRetry, Node: c.cfg.Node, Reason: string(llm.KindOf(err))})
			continue
		}
		last = o
		if done, image, err := c.taskResult(o); done {
			return image, err
		}
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindTimeout, Node: c.cfg.Node, Reason: "polls_exhausted"})
	return Image{TaskID: task.TaskID}, c.fail(llm.KindTimeout, cmp.Or(last.Code, last.TaskStatus),
		cmp.Or(last.Message, fmt.Sprintf("the task was not done after %d polls", maxPolls)))
}

// minPollTimeout is the minimum timeout of a poll.
const minPollTimeout = 500 * time.Millisecond

// pollTimeout returns the timeout of the n-th poll. elapsed is the time since the task was created.
func (c *Client) pollTimeout(n int, elapsed time.Duration) time.Duration {
	left := minPollTimeout
	if n < maxPolls {
		left = max(left, time.Duration(n+1)*PollInterval-elapsed)
	}
	return min(c.cfg.Timeout, left)
}

// pollOnce requests the state of a task once.
func (c *Client) pollOnce(ctx context.Context, policy llm.CallPolicy, id string) (output, error) {
	var a answer
	_, err := policy.Do(ctx, func(ctx context.Context, s *trace.Span) error {
		var err error
		a, err = c.exchange(ctx, http.MethodGet, taskPath+url.PathEscape(id), nil, false)
		s.Images = a.Output.images()
		return err
	})
	a.Output.TaskID = id
	return a.Output, err
}

// isTransient reports whether another poll may succeed after this error. A redirect, whose kind is
// malformed_response, is permanent.
func isTransient(err error) bool {
	var e *llm.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Kind {
	case llm.KindRateLimited, llm.KindServerError, llm.KindConnectionReset, llm.KindTimeout:
		return true
	case llm.KindMalformedResponse:
		return e.Status < 300
	default:
		return false
	}
}

// taskResult returns the image or the error of a task. done is false while the task is running.
func (c *Client) taskResult(o output) (done bool, _ Image, _ error) {
	image := Image{TaskID: o.TaskID}
	switch o.TaskStatus {
	case "SUCCEEDED":
		if image.URL = o.image(); image.URL != "" {
			image.RevisedPrompt = o.revised()
			return true, image, nil
		}
		code, text := o.failure()
		return true, image, c.taskFailed(cmp.Or(code, o.TaskStatus),
			cmp.Or(text, "the task succeeded without an image"))
	case "FAILED", "CANCELED", "UNKNOWN":
		return true, image, c.taskFailed(cmp.Or(o.Code, o.TaskStatus), cmp.Or(o.Message, "the task is "+o.TaskStatus))
	default: // PENDING, RUNNING, SUSPENDED and unknown states
		return false, image, nil
	}
}
