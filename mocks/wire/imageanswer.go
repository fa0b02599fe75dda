package wire

import (
	"strings"
	"time"

	"evalctl/agent/clock"
)

type imageAnswer struct {
	Output struct {
		Choices []imageChoice `json:"choices"`
		Metric  *taskMetrics  `json:"task_metric,omitempty"` // sent by older models only
	} `json:"output"`
	Usage     any    `json:"usage"`
	RequestID string `json:"request_id"`
}

// imageChoice is a choice of an answer: a message with generated images.
type imageChoice struct {
	FinishReason string       `json:"finish_reason"`
	Message      imageMessage `json:"message"`
}

type imageMessage struct {
	Role    string         `json:"role"`
	Content []imageContent `json:"content"`
}

type imageContent struct {
	Image string `json:"image"`
}

type imageUsage struct {
	Width  int `json:"width"`
	Height int `json:"height"`
	Images int `json:"image_count"`
}

// largeUsage is the usage in answers of the newest image models.
type largeUsage struct {
	Width       int `json:"output_width"`
	Height      int `json:"output_height"`
	InputImages int `json:"input_image_count"`
	Images      int `json:"output_image_count"`
}

// imageChoices returns one choice with n image URLs, which depend on seed.
func (c *Call) imageChoices(seed uint64, n int, made time.Time) []imageChoice {
	choice := imageChoice{FinishReason: "stop", Message: imageMessage{Role: "assistant"}}
	for i := range n {
		choice.Message.Content = append(choice.Message.Content, imageContent{Image: c.imageURL(seed, i, made)})
	}
	return []imageChoice{choice}
}

// AppendImages appends the answer to a synchronous image request, with the URLs of images of width
// w and height h.
func (c *Call) AppendImages(o []byte, b *ImageBody, w, h int) []byte {
	n := b.count()
	a := imageAnswer{Usage: imageUsage{Width: w, Height: h, Images: n}, RequestID: c.requestID()}
	a.Output.Choices = c.imageChoices(c.IDSeed, n, clock.Now(c.Request.Context()))
	if hasFixedSizes(b.Model) && !strings.HasPrefix(b.Model, "qwen-image-max") {
		a.Output.Metric = &taskMetrics{Total: n, Succeeded: n}
	}
	if isNewestImage(b.Model) {
		a.Usage = b.largeUsage(w, h)
	}
	return appendJSON(o, a)
}

func (b *ImageBody) largeUsage(w, h int) *largeUsage {
	return &largeUsage{
		Width:       w,
		Height:      h,
		InputImages: b.images(),
		Images:      b.count(),
	}
}
