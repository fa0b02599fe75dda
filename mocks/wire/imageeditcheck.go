package wire

import (
	"slices"
	"strings"

	"evalctl/mocks/model"
)

var editFunctions = []string{
	"stylization_all", "stylization_local", "description_edit", "description_edit_with_mask", "remove_watermark",
	"expand", "super_resolution", "colorization", "doodle", "control_cartoon_feature",
}

// CheckImageEdit validates a request that creates a task for editing an image. Only the function
// description_edit_with_mask requires a mask.
func (c *Call) CheckImageEdit(b *ImageBody) *model.ErrorResponse {
	if !c.isAsync() {
		return nativeRefusalOf(403, "AccessDenied", noSync)
	}
	if p := c.checkImage(b); p != nil {
		return p
	}
	strength := b.Parameters.Strength
	switch {
	case !slices.Contains(editFunctions, b.Input.Function):
		return badParameter("function must be one of " + strings.Join(editFunctions, ", "))
	case strings.TrimSpace(b.Input.Prompt) == "":
		return badParameter("input.prompt is required")
	case b.Input.BaseImageURL == "":
		return badParameter("input.base_image_url is required")
	case b.Input.Function == "description_edit_with_mask" && b.Input.MaskImageURL == "":
		return badParameter("input.mask_image_url is required by description_edit_with_mask")
	case strength != nil && !(*strength >= 0 && *strength <= 1):
		return badParameter("strength must be in [0, 1]")
	}
	if p := checkSource(b.Input.BaseImageURL); p != nil {
		return p
	}
	if b.Input.MaskImageURL != "" {
		if p := checkSource(b.Input.MaskImageURL); p != nil {
			return p
		}
	}
	return checkCount(b)
}
