package wire

import (
	"strings"

	"evalctl/agent/clock"
	"evalctl/mocks/jsontext"
)

// AppendPictures answers with the addresses of pictures of a size.
func (c *Call) AppendPictures(o []byte, b *ImageBody, w, h int) []byte {
	n := b.count()
	o = append(o, `{"output":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":[`...)
	for i := range n {
		if i > 0 {
			o = append(o, ',')
		}
		o = append(jsontext.AppendField(append(o, '{'), "image", pictureURL(c.ID, i, clock.Now(c.Request.Context()))), '}')
	}
	o = append(o, `]}}]`...)
	if oneSized(b.Model) && !strings.HasPrefix(b.Model, "qwen-image-max") {
		o = jsontext.AppendNumber(append(o, `,"task_metric":{`...), "TOTAL", n)
		o = jsontext.AppendNumber(append(o, ','), "SUCCEEDED", n)
		o = append(o, `,"FAILED":0}`...)
	}
	o = append(o, `},"usage":{`...)
	if strings.HasPrefix(b.Model, "qwen-image-3") {
		o = jsontext.AppendNumber(o, "output_width", w)
		o = jsontext.AppendNumber(append(o, ','), "output_height", h)
		o = jsontext.AppendNumber(append(o, ','), "input_image_count", b.pictures())
		o = jsontext.AppendNumber(append(o, ','), "output_image_count", n)
	} else {
		o = jsontext.AppendNumber(o, "width", w)
		o = jsontext.AppendNumber(append(o, ','), "height", h)
		o = jsontext.AppendNumber(append(o, ','), "image_count", n)
	}
	return append(jsontext.AppendField(append(o, '}', ','), "request_id", c.requestID()), '}')
}
