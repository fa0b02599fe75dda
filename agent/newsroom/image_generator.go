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

// ImageRequest describes an image to generate.
type ImageRequest struct {
	Prompt string // description of the image
	Size   string // size such as 1024x768, or ratio such as 3:4; "" or invalid: the generator's default
}

// ImageGenerator generates images. Paint returns the URL of the generated image.
type ImageGenerator interface {
	Generate(ctx context.Context, j ImageRequest) (address string, err error)
}

// Values of the setting image-generator.
const (
	placeholder = "placeholder" // stock images, without a model
	dashScope   = "dashscope"
)

// imageNode is the name of image generation in trace spans.
const imageNode = "image"

// PlaceholderGenerator is an ImageGenerator without a model. It returns the URL of a stock image that
// depends only on the request, after a realistic delay.
type PlaceholderGenerator struct {
	BeforeAttempt func(context.Context) error // called before each attempt, to inject faults; nil: none
	NoDelay       bool                        // returns the URL without the delay
}

var _ ImageGenerator = PlaceholderGenerator{}

// placeholderTimeout is the time limit of one attempt of Placeholder.
const placeholderTimeout = 10 * time.Second

// Generate returns the URL of a stock image for the request. Unless NoDelay is set, it waits two to
// three seconds.
func (p PlaceholderGenerator) Generate(ctx context.Context, j ImageRequest) (string, error) {
	n := system.SeededHash(0, j.Prompt, j.Size)
	wait := 2*time.Second + time.Duration(n%1000)*time.Millisecond
	if p.NoDelay {
		wait = 0
	}
	policy := llm.CallPolicy{
		Node:     imageNode,
		Provider: placeholder,
		Model:    "pictures",
		Timeout:  placeholderTimeout,
		Retries:  1,
	}
	_, err := policy.Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		if p.BeforeAttempt != nil {
			if err := p.BeforeAttempt(ctx); err != nil {
				return err
			}
		}
		return clock.Sleep(ctx, wait)
	})
	if err != nil {
		return "", err
	}
	width, height := sizeInPixels(j.Size)
	return fmt.Sprintf("https://picsum.photos/seed/%d/%d/%d", n%1e9, width, height), nil
}

// DashScopeGenerator is an ImageGenerator that calls an image model of DashScope.
type DashScopeGenerator struct{ Client *imagegen.Client }

var _ ImageGenerator = DashScopeGenerator{}

// Generate generates an image in the size nearest to the requested one that the model supports.
func (d DashScopeGenerator) Generate(ctx context.Context, j ImageRequest) (string, error) {
	width, height := sizeInPixels(j.Size)
	image, err := d.Client.GenerateSized(ctx, j.Prompt, d.Client.NearestSize(width, height))
	return image.URL, err
}

var pair = regexp.MustCompile(`([0-9]{1,4})\s*[x×*:：]\s*([0-9]{1,4})`)

// sizeInPixels returns width and height of an image in pixels. The longer side of a ratio becomes
// 1024.
func sizeInPixels(size string) (width, height int) {
	const defaultValue, least, most = 1024, 64, 4096
	both := pair.FindStringSubmatch(strings.ToLower(size))
	if both == nil {
		return defaultValue, defaultValue
	}
	width, _ = strconv.Atoi(both[1]) // cannot fail: the pattern matches only digits
	height, _ = strconv.Atoi(both[2])
	if longer := max(width, height); longer > 0 && longer < least {
		width, height = width*defaultValue/longer, height*defaultValue/longer
	}
	if min(width, height) < least || max(width, height) > most {
		return defaultValue, defaultValue
	}
	return width, height
}
