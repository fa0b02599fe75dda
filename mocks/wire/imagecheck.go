package wire

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"evalctl/mocks/model"
)

const (
	maxSeed     = 1<<31 - 1
	maxImages   = 6
	maxNegative = 500 // maximum length of a negative prompt, in characters
	maxPixels   = 2048 * 2048
	minPixels   = 512 * 512
)

// checkImage applies the validation rules that all image requests have in common.
func (c *Call) checkImage(b *ImageBody) *model.ErrorResponse {
	switch {
	case b.Model == "":
		return emptyModel()
	case b.Input == nil:
		return emptyInput()
	case !isImageModel(b.Model):
		r := c.ErrorResponse(UnknownModel)
		return &r
	case b.Parameters.Seed != nil && (*b.Parameters.Seed < 0 || *b.Parameters.Seed > maxSeed):
		return badParameter("seed must be in [0, 2147483647]")
	case utf8.RuneCountInString(b.Input.Negative) > maxNegative,
		utf8.RuneCountInString(b.Parameters.Negative) > maxNegative:
		return badParameter("negative_prompt must have at most 500 characters")
	}
	return nil
}

func isImageModel(m string) bool { return hasFixedSizes(m) || isEdit(m) || isLargeImage(m) || isWan(m) }

// CheckSyncImage validates a synchronous image request. It returns the size of the images, or a
// refusal.
func (c *Call) CheckSyncImage(b *ImageBody) (w, h int, p *model.ErrorResponse) {
	if p := c.checkImage(b); p != nil {
		return 0, 0, p
	}
	switch {
	case c.isAsync():
		return 0, 0, nativeRefusalOf(403, "AccessDenied", noAsync)
	case isWan(b.Model):
		return 0, 0, nativeRefusalOf(403, "AccessDenied", noSync)
	}
	return checkMessages(b)
}

// CheckImageMessages validates a request that creates an image task from messages. It returns the
// size of the images, or a refusal.
func (c *Call) CheckImageMessages(b *ImageBody) (w, h int, p *model.ErrorResponse) {
	if !c.isAsync() {
		return 0, 0, nativeRefusalOf(403, "AccessDenied", noSync)
	}
	if p := c.checkImage(b); p != nil {
		return 0, 0, p
	}
	if !isNewestImage(b.Model) {
		return 0, 0, nativeRefusalOf(403, "AccessDenied", noAsync)
	}
	return checkMessages(b)
}

func checkMessages(b *ImageBody) (w, h int, p *model.ErrorResponse) {
	if p := checkImageMessages(b); p != nil {
		return 0, 0, p
	}
	if p := checkCount(b); p != nil {
		return 0, 0, p
	}
	return imageSize(b)
}

// CheckImageTask validates a request that creates an image task from a prompt.
func (c *Call) CheckImageTask(b *ImageBody) *model.ErrorResponse {
	if !c.isAsync() {
		return nativeRefusalOf(403, "AccessDenied", noSync)
	}
	if p := c.checkImage(b); p != nil {
		return p
	}
	noTask := isEdit(b.Model) || isLargeImage(b.Model) || strings.HasPrefix(b.Model, "qwen-image-max")
	switch {
	case noTask:
		return nativeRefusalOf(403, "AccessDenied", noAsync)
	case strings.TrimSpace(b.Input.Prompt) == "":
		return badParameter("input.prompt is required")
	}
	if p := checkCount(b); p != nil {
		return p
	}
	_, _, p := imageSize(b)
	return p
}

func checkImageMessages(b *ImageBody) *model.ErrorResponse {
	if len(b.Input.Messages) != 1 || b.Input.Messages[0].Role != "user" {
		return badParameter("input.messages must have exactly one message of role user")
	}
	texts, images := 0, 0
	items := b.Input.Messages[0].Content
	for i, item := range items {
		switch {
		case item.Image != nil:
			images++
			if p := checkURL(*item.Image); p != nil {
				return p
			}
		case item.Text != nil:
			if texts++; isEdit(b.Model) && i != len(items)-1 {
				return badParameter("the text item must be the last of the content")
			}
			if strings.TrimSpace(*item.Text) == "" {
				return badParameter("prompt must not be empty")
			}
		}
	}
	switch {
	case texts != 1:
		return badParameter("input.messages.content must have exactly one text item")
	case isEdit(b.Model) && (images < 1 || images > 3):
		return badParameter("input.messages.content must have 1 to 3 image items")
	case hasFixedSizes(b.Model) && images > 0:
		return badParameter("this model does not take image items")
	}
	return nil
}

func checkCount(b *ImageBody) *model.ErrorResponse {
	n := b.count()
	switch {
	case hasFixedSizes(b.Model) || b.Model == "qwen-image-edit":
		if n != 1 {
			return badParameter("num_images_per_prompt must be 1")
		}
	case n < 1 || n > maxImages:
		return badParameter(fmt.Sprintf("n must be in [1, %d]", maxImages))
	}
	return nil
}

var fiveSizes = []string{"1664*928", "1472*1104", "1328*1328", "1104*1472", "928*1664"}

// imageSize returns the requested image size, or the default of the model. It returns a refusal for
// a size that the model does not support.
func imageSize(b *ImageBody) (w, h int, p *model.ErrorResponse) {
	s := b.Parameters.Size
	if s == "" {
		s = defaultSize(b.Model)
	} else if b.Model == "qwen-image-edit" {
		return 0, 0, badParameter("size is not supported by this model")
	}
	w, h, ok := parseSize(s)
	if !ok {
		return 0, 0, badParameter("size must be of the form width*height, got " + s)
	}
	switch {
	case hasFixedSizes(b.Model):
		ok = slices.Contains(fiveSizes, s)
	case isEdit(b.Model), isWan(b.Model):
		ok = min(w, h) >= 512 && max(w, h) <= 2048
	case isLargeImage(b.Model):
		ok = w*h >= minPixels && w*h <= maxPixels
	}
	if !ok {
		return 0, 0, badParameter("size " + s + " is not supported by " + b.Model)
	}
	return w, h, nil
}

func defaultSize(model string) string {
	switch {
	case hasFixedSizes(model):
		return "1664*928"
	case isLargeImage(model):
		return "2048*2048"
	}
	return "1024*1024"
}
