package imagegen

import (
	"context"
	"fmt"

	"evalctl/agent/llm"
)

const editPath = "/api/v1/services/aigc/image2image/image-synthesis"

// EditRequest describes an edit. Pictures are http URLs or data URLs, up to 10 MB each.
type EditRequest struct {
	Prompt string
	Base   string // the picture to edit
	Mask   string // same size as Base: white is edited, black is kept; "": the prompt describes the place

	Strength *float64 // 0..1: amount of change; nil: the service's default; not allowed with a mask
}

// Edit edits a picture according to the prompt, always as a task with polling. The prompt is sent
// without promptPrefix, which requests a new picture.
func (c *Client) Edit(ctx context.Context, r EditRequest) (Image, error) {
	if r.Base == "" {
		return Image{}, c.fail(llm.KindBadRequest, "", "there is no image to edit")
	}
	parameters := map[string]any{"n": 1}
	switch v := r.Strength; {
	case v == nil:
	case r.Mask != "" || !(*v >= 0 && *v <= 1):
		return Image{}, c.fail(llm.KindBadRequest, "",
			fmt.Sprintf("a strength of %v, where an edit without a mask takes 0..1", *v))
	default:
		parameters["strength"] = *v
	}
	input := map[string]any{"function": "description_edit", "prompt": r.Prompt, "base_image_url": r.Base}
	if r.Mask != "" {
		input["function"], input["mask_image_url"] = "description_edit_with_mask", r.Mask
	}
	return c.fetch(ctx, imageRequest{
		path:       editPath,
		async:      true,
		model:      c.cfg.EditModel,
		input:      input,
		parameters: parameters,
	}, r.Prompt)
}
