package studio

import "context"

// Task is a kind of painting.
type Task string

// The tasks.
const (
	TextToImage         Task = "text_to_image"
	InpaintingTask      Task = "inpainting"
	ParameterAdjustment Task = "parameter_adjustment"
)

// Job is what a Painter is to paint.
type Job struct {
	Task       Task
	Prompt     string
	Base       string         // the picture to work on: an http(s) or data URL; "": none
	Mask       string         // data URL, white = paint here; "" but for InpaintingTask
	Parameters map[string]any // v1's, as the planner named them
	Retry      int            // how often the critic has sent this turn's picture back
}

// Picture is a picture made.
type Picture struct {
	URL      string
	Task     Task // what was painted; "": what the job asks
	Reusable bool // the same job would give the same picture
}

// Painter makes pictures. It leaves a span of node "executor" for each
// attempt, and its errors are *llm.Error.
type Painter interface {
	Paint(ctx context.Context, j Job) (Picture, error)
}

func taskOf(action string) Task {
	switch action {
	case Inpainting:
		return InpaintingTask
	case AdjustParameters:
		return ParameterAdjustment
	default:
		return TextToImage
	}
}
