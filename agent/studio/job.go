package studio

import "context"

// ImageTask is what an image generator must do: create or edit an image.
type ImageTask string

// The tasks of an image generator.
const (
	TaskTextToImage         ImageTask = "text_to_image"        // create a new image
	TaskInpainting          ImageTask = "inpainting"           // change the masked area of the base image
	TaskParameterAdjustment ImageTask = "parameter_adjustment" // change the whole base image
)

// ImageRequest is the request for one image.
type ImageRequest struct {
	Task            ImageTask
	Prompt          string         // describes the image
	BaseImage       string         // image to edit, as an http(s) or data URL; "": none
	Mask            string         // area to edit as a data URL, white means edit; only for TaskInpainting
	Parameters      map[string]any // image parameters of V1, under the names that the planner's model used
	RejectedCount   int            // number of images of this turn that the critic has rejected
	PriorImageCount int            // number of images that the conversation already has for this request
}

// Image is the result of an image generator.
type Image struct {
	URL      string
	Task     ImageTask // task that was executed instead of the requested one; "": the requested one
	Reusable bool      // an identical request returns the same image, so it may be cached
}

// ImageGenerator creates and edits images. For each attempt it emits a span of the node "executor".
// Its errors are of type *llm.Error.
type ImageGenerator interface {
	Generate(ctx context.Context, j ImageRequest) (Image, error)
}

func taskOf(action string) ImageTask {
	switch action {
	case ActionInpainting:
		return TaskInpainting
	case ActionAdjustParameters:
		return TaskParameterAdjustment
	default:
		return TaskTextToImage
	}
}
