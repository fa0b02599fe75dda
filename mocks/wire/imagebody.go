package wire

import (
	"strconv"
	"strings"
)

// ImageBody is the body of an image request: with messages, or with a prompt.
type ImageBody struct {
	Model      string      `json:"model"`
	Input      *imageInput `json:"input"`
	Parameters struct {
		Size         string   `json:"size"`
		N            *int     `json:"n"`
		PromptExtend *bool    `json:"prompt_extend"`
		Seed         *int64   `json:"seed"`
		Strength     *float64 `json:"strength"`
		Negative     string   `json:"negative_prompt"`
	} `json:"parameters"`
}

type imageInput struct {
	Messages []struct {
		Role    string      `json:"role"`
		Content []imageItem `json:"content"`
	} `json:"messages"`
	Prompt       string `json:"prompt"`
	Negative     string `json:"negative_prompt"`
	Function     string `json:"function"`
	BaseImageURL string `json:"base_image_url"`
	MaskImageURL string `json:"mask_image_url"`
}

type imageItem struct {
	Type  *string `json:"type"`
	Text  *string `json:"text"`
	Image *string `json:"image"`
}

// count returns the requested number of images.
func (b *ImageBody) count() int {
	if b.Parameters.N == nil {
		return 1
	}
	return *b.Parameters.N
}

// images returns the number of input images in the messages.
func (b *ImageBody) images() (n int) {
	for _, m := range b.Input.Messages {
		for _, item := range m.Content {
			if item.Image != nil {
				n++
			}
		}
	}
	return n
}

// parseSize parses an image size of the form W*H. DashScope accepts no other separator.
func parseSize(s string) (w, h int, ok bool) {
	left, right, found := strings.Cut(s, "*")
	if !found {
		return 0, 0, false
	}
	w, err1 := strconv.Atoi(left)
	h, err2 := strconv.Atoi(right)
	return w, h, err1 == nil && err2 == nil && w > 0 && h > 0
}

// hasFixedSizes reports whether a model supports only five sizes and one image per call.
func hasFixedSizes(model string) bool {
	rest, found := strings.CutPrefix(model, "qwen-image")
	if !found {
		return false
	}
	return rest == "" || strings.HasPrefix(rest, "-plus") || strings.HasPrefix(rest, "-max")
}

func isEdit(model string) bool { return strings.HasPrefix(model, "qwen-image-edit") }

// isLargeImage reports whether a model supports any size within its pixel limits.
func isLargeImage(model string) bool {
	return strings.HasPrefix(model, "qwen-image-2") || isNewestImage(model)
}

// isNewestImage reports whether a model creates asynchronous tasks from messages.
func isNewestImage(model string) bool { return strings.HasPrefix(model, "qwen-image-3") }

// isWan reports whether a model belongs to the Wan series, which supports asynchronous tasks only.
func isWan(model string) bool {
	return strings.HasPrefix(model, "wan2.") || strings.HasPrefix(model, "wanx")
}

// HasUndocumentedType reports whether a content item contains the key "type", which the API does
// not document. The real service might reject it, so the server logs a note.
func (b *ImageBody) HasUndocumentedType() bool {
	if b.Input == nil {
		return false
	}
	for _, m := range b.Input.Messages {
		for _, item := range m.Content {
			if item.Type != nil {
				return true
			}
		}
	}
	return false
}
