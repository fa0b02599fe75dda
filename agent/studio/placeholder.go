package studio

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// PlaceholderGenerator is an image generator without a model. It returns the URL of a stock photo
// after a realistic delay. The same request usually returns the same URL.
type PlaceholderGenerator struct {
	Profile       Profile                     // determines delays, image seeds and retries; "": V2
	Seed          uint64                      // seed of the random delays
	BeforeAttempt func(context.Context) error // called before each attempt, for example to inject a fault; nil: none
	NoDelay       bool                        // answer without a delay
}

var _ ImageGenerator = PlaceholderGenerator{}

func (p PlaceholderGenerator) Generate(ctx context.Context, j ImageRequest) (Image, error) {
	delay := p.delay(ctx, j)
	policy := llm.CallPolicy{
		Node:     executorNode,
		Provider: "placeholder",
		Model:    string(j.Task),
		Timeout:  ExecutorTimeout,
		Retries:  ImageRetries(p.Profile),
		Seed:     p.Seed,
	}
	_, err := policy.Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		if p.BeforeAttempt != nil {
			if err := p.BeforeAttempt(ctx); err != nil {
				return err
			}
		}
		return clock.Sleep(ctx, delay)
	})
	if err != nil {
		return Image{}, err
	}
	key, reusable, err := p.key(ctx, j)
	if j.PriorImageCount > 0 {
		key += fmt.Sprintf("_repeat%d", j.PriorImageCount)
	}
	return Image{URL: fmt.Sprintf("https://picsum.photos/seed/%d/800/600", hash(key)), Reusable: reusable}, err
}

// delay returns a random delay for the task. Within a trial it depends on the turn but not on the
// prompt, so that variants with different prompts wait equally long.
func (p PlaceholderGenerator) delay(ctx context.Context, j ImageRequest) time.Duration {
	least := 2 * time.Second
	switch {
	case p.NoDelay:
		return 0
	case p.Profile != ProfileV1 && j.Task == TaskParameterAdjustment:
		return 1500 * time.Millisecond
	case p.Profile == ProfileV1 && j.Task == TaskInpainting:
		least = 3 * time.Second
	}
	turn := strconv.Itoa(trace.PositionOf(ctx).Turn)
	if turn == "0" {
		turn = j.Prompt + "\x00" + j.Mask
	}
	u := uniform(p.Seed, string(j.Task), turn, strconv.Itoa(j.RejectedCount))
	return least + time.Duration(u*float64(time.Second)).Truncate(time.Millisecond)
}

// key returns the text from which the number of the stock photo is computed. It contains the whole
// mask, because all PNG files start with the same bytes. reusable is false if the key contains the
// time.
func (p PlaceholderGenerator) key(ctx context.Context, j ImageRequest) (key string, reusable bool, err error) {
	v1 := p.Profile == ProfileV1
	switch {
	case j.Task == TaskTextToImage:
		return j.Prompt, true, nil
	case j.Task == TaskInpainting && v1:
		return fmt.Sprintf("%s-%s-%d", j.Prompt, j.Mask, clock.Now(ctx).UnixMilli()), false, nil
	case j.Task == TaskInpainting:
		return j.Prompt + "_" + j.Mask, true, nil
	case v1:
		raw, err := json.Marshal(j.Parameters)
		return j.Prompt + "-" + string(raw), true, err
	default:
		return j.Prompt + "_adjusted", true, nil
	}
}
