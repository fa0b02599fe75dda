package studio

import "context"

// ImageTask is a kind of painting.
type ImageTask string

// The tasks.
const (
	TextToImage         ImageTask = "text_to_image"
	InpaintingTask      ImageTask = "inpainting"
	ParameterAdjustment ImageTask = "parameter_adjustment"
)

// ImageRequest is what a Painter is to paint.
type ImageRequest struct {
	Task       ImageTask
	Prompt     string
	Base       string         // the picture to work on: an http(s) or data URL; "": none
	Mask       string         // data URL, white = paint here; "" but for InpaintingTask
	Parameters map[string]any // v1's, as the planner named them
	Retry      int            // how often the critic has sent this turn's picture back
}

// Image is a picture made.
type Image struct {
	URL      string
	Task     ImageTask // what was painted; "": what the job asks
	Reusable bool      // the same job would give the same picture
}

// ImageGenerator makes pictures. It leaves a span of node "executor" for each
// attempt, and its errors are *llm.Error.
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
