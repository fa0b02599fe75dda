package newsroom

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// ImageRequest is an image to generate.
type ImageRequest struct {
	Prompt string
	Size   string // such as 1024x768 or 3:4; "" or invalid: the default of the generator
}

// ImageGenerator generates images and returns their URL.
type ImageGenerator interface {
	Paint(ctx context.Context, j ImageRequest) (address string, err error)
}

// The values of the setting image-generator.
const (
	placeholder = "placeholder" // URLs of stock images, without a model
	dashScope   = "dashscope"
)

// imageNode is the node of image spans in the trace.
const imageNode = "image"

// Placeholder returns the URL of a stock image that depends only on the request, after a realistic
// delay.
type Placeholder struct {
	Before  func(context.Context) error // called before each attempt; nil: none
	Instant bool                        // no delay
}

var _ ImageGenerator = Placeholder{}

// placeholderTimeout is the timeout of an attempt.
const placeholderTimeout = 10 * time.Second

func (p Placeholder) Paint(ctx context.Context, j ImageRequest) (string, error) {
	n := system.SeededHash(0, j.Prompt, j.Size)
	wait := 2*time.Second + time.Duration(n%1000)*time.Millisecond
	if p.Instant {
		wait = 0
	}
	policy := llm.Policy{
		Node:     imageNode,
		Provider: placeholder,
		Model:    "pictures",
		Timeout:  placeholderTimeout,
		Retries:  1,
	}
	_, err := policy.Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		if p.Before != nil {
			if err := p.Before(ctx); err != nil {
				return err
			}
		}
		return clock.Sleep(ctx, wait)
	})
	if err != nil {
		return "", err
	}
	width, height := sides(j.Size)
	return fmt.Sprintf("https://picsum.photos/seed/%d/%d/%d", n%1e9, width, height), nil
}

// DashScope generates images with DashScope. Its client should have the node "image".
type DashScope struct{ Client *imagegen.Client }

var _ ImageGenerator = DashScope{}

// Paint generates an image of the nearest size that the model supports.
func (d DashScope) Paint(ctx context.Context, j ImageRequest) (string, error) {
	width, height := sides(j.Size)
	image, err := d.Client.GenerateSized(ctx, j.Prompt, d.Client.SizeFor(width, height))
	return image.URL, err
}

var pair = regexp.MustCompile(`([0-9]{1,4})\s*[x×*:：]\s*([0-9]{1,4})`)

// sides are the sides of an image in pixels. The longer side of a ratio is 1024.
func sides(size string) (width, height int) {
	const defaultValue, least, most = 1024, 64, 4096
	both := pair.FindStringSubmatch(strings.ToLower(size))
	if both == nil {
		return defaultValue, defaultValue
	}
	width, _ = strconv.Atoi(both[1]) // the pattern matches digits only
	height, _ = strconv.Atoi(both[2])
	if longer := max(width, height); longer > 0 && longer < least {
		width, height = width*defaultValue/longer, height*defaultValue/longer
	}
	if min(width, height) < least || max(width, height) > most {
		return defaultValue, defaultValue
	}
	return width, height
}
