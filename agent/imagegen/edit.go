package imagegen

import (
	"context"
	"fmt"

	"evalctl/agent/llm"
)

const editPath = "/api/v1/services/aigc/image2image/image-synthesis"

// EditRequest describes how to edit an image. Images are http URLs or data URLs of up to 10 MB.
type EditRequest struct {
	Prompt    string // what to change
	BaseImage string // the image to edit
	// same size as Base: white is edited, black is preserved; "": the prompt selects the area
	Mask string

	Strength *float64 // 0..1: amount of change; nil: the service's default; must be nil with a mask
}

// Edit edits an image according to the prompt, always as a task that is polled. The prompt is sent
// without promptPrefix, which requests a new image.
func (c *Client) Edit(ctx context.Context, r EditRequest) (Image, error) {
	if r.BaseImage == "" {
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
	input := map[string]any{"function": "description_edit", "prompt": r.Prompt, "base_image_url": r.BaseImage}
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
