package imagegen

import (
	"context"
	"fmt"

	"evalctl/agent/llm"
)

const editPath = "/api/v1/services/aigc/image2image/image-synthesis"

// EditRequest says what to change of which picture. Pictures are http
// addresses or data URLs, of up to 10 MB each.
type EditRequest struct {
	Prompt string
	Base   string // the picture to change
	Mask   string // as large as Base: white is to be changed, black to be kept; "": the prompt says where

	Strength *float64 // 0..1, how much is changed; nil: as the service likes. It takes none beside a mask
}

// Edit changes a picture as the prompt says: always a task, polled as
// Generate's. The prompt goes without Prefix, which asks for a new picture.
func (c *Client) Edit(ctx context.Context, r EditRequest) (Image, error) {
	if r.Base == "" {
		return Image{}, c.fail(llm.KindBadRequest, "", "there is no picture to edit")
	}
	parameters := map[string]any{"n": 1}
	switch v := r.Strength; {
	case v == nil:
	case r.Mask != "" || !(*v >= 0 && *v <= 1):
		return Image{}, c.fail(llm.KindBadRequest, "", fmt.Sprintf("a strength of %v, where an edit without a mask takes 0..1", *v))
	default:
		parameters["strength"] = *v
	}
	input := map[string]any{"function": "description_edit", "prompt": r.Prompt, "base_image_url": r.Base}
	if r.Mask != "" {
		input["function"], input["mask_image_url"] = "description_edit_with_mask", r.Mask
	}
	return c.fetch(ctx, order{
		path: editPath, async: true, model: c.cfg.EditModel,
		input: input, parameters: parameters,
	}, r.Prompt)
}
