package imagegen

import "context"

const (
	syncPath  = "/api/v1/services/aigc/multimodal-generation/generation"
	asyncPath = "/api/v1/services/aigc/text2image/image-synthesis"
)

// Generate generates an image from a prompt. If the service creates a task instead of returning the
// image, the task is polled.
func (c *Client) Generate(ctx context.Context, prompt string) (Image, error) {
	return c.GenerateSized(ctx, prompt, c.cfg.Size)
}

// GenerateSized generates an image of a given size, W*H in pixels, which NearestSize returns.
func (c *Client) GenerateSized(ctx context.Context, prompt, size string) (Image, error) {
	o := imageRequest{path: syncPath, model: c.cfg.Model, parameters: map[string]any{"size": size, "n": 1}}
	if c.cfg.Async {
		o.path, o.async = asyncPath, true
		o.input = map[string]any{"prompt": promptPrefix + prompt}
	} else {
		o.input = map[string]any{"messages": []message{{Role: "user", Content: []part{{Text: promptPrefix + prompt}}}}}
	}
	return c.fetch(ctx, o, prompt)
}
