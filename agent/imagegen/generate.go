package imagegen

import "context"

const (
	syncPath  = "/api/v1/services/aigc/multimodal-generation/generation"
	asyncPath = "/api/v1/services/aigc/text2image/image-synthesis"
)

// Generate generates a picture from prompt, in one exchange or by polling a task, depending on the
// service's answer.
func (c *Client) Generate(ctx context.Context, prompt string) (Image, error) {
	return c.GenerateSized(ctx, prompt, c.cfg.Size)
}

// GenerateSized is Generate with a size, W*H, from SizeFor.
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
