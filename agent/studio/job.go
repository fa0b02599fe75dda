package studio

import "context"

// ImageTask is the kind of image generation.
type ImageTask string

// The tasks.
const (
	TextToImage         ImageTask = "text_to_image"
	InpaintingTask      ImageTask = "inpainting"
	ParameterAdjustment ImageTask = "parameter_adjustment"
)

// ImageRequest is a request to an ImageGenerator.
type ImageRequest struct {
	Task       ImageTask
	Prompt     string
	Base       string         // base image, an http(s) or data URL; "": none
	Mask       string         // data URL, white = edit; "" except for InpaintingTask
	Parameters map[string]any // v1's, with the planner's names
	Retry      int            // how often the critic has rejected this turn's image
}

// Image is a generated image.
type Image struct {
	URL      string
	Task     ImageTask // the task that was executed; "": as requested
	Reusable bool      // the same request returns the same image
}

// ImageGenerator generates images. It emits a span of node "executor" for each attempt, and its
// errors are *llm.Error.
type ImageGenerator interface {
	Paint(ctx context.Context, j ImageRequest) (Image, error)
}

func taskOf(action string) ImageTask {
	switch action {
	case Inpainting:
		return InpaintingTask
	case AdjustParameters:
		return ParameterAdjustment
	default:
		return TextToImage
	}
}
