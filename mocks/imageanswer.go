package mocks

import (
	"strings"

	"evalctl/agent/clock"
)

func (c *Call) appendPictures(o []byte, b *imageBody, w, h int) []byte {
	n := b.count()
	o = append(o, `{"output":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":[`...)
	for i := range n {
		if i > 0 {
			o = append(o, ',')
		}
		o = append(appendField(append(o, '{'), "image", pictureURL(c.ID, i, clock.Now(c.Request.Context()))), '}')
	}
	o = append(o, `]}}]`...)
	if oneSized(b.Model) && !strings.HasPrefix(b.Model, "qwen-image-max") {
		o = appendNumber(append(o, `,"task_metric":{`...), "TOTAL", n)
		o = appendNumber(append(o, ','), "SUCCEEDED", n)
		o = append(o, `,"FAILED":0}`...)
	}
	o = append(o, `},"usage":{`...)
	if strings.HasPrefix(b.Model, "qwen-image-3") {
		o = appendNumber(o, "output_width", w)
		o = appendNumber(append(o, ','), "output_height", h)
		o = appendNumber(append(o, ','), "input_image_count", b.pictures())
		o = appendNumber(append(o, ','), "output_image_count", n)
	} else {
		o = appendNumber(o, "width", w)
		o = appendNumber(append(o, ','), "height", h)
		o = appendNumber(append(o, ','), "image_count", n)
	}
	return append(appendField(append(o, '}', ','), "request_id", c.requestID()), '}')
}
