package mocks

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"evalctl/agent/clock"
)

// SyncPatience is when DashScope gives a synchronous call up.
const SyncPatience = 300 * time.Second

// Flow is which way to pictures the provider offers.
type Flow string

// The flows; the zero Flow offers both.
const (
	AnyFlow  Flow = ""
	SyncFlow Flow = "sync"
	TaskFlow Flow = "task"
)

// DefaultPictures is where pictures are said to be by default. Nothing is
// there; a Server answers GET /pictures/NAME itself, under any host name.
const DefaultPictures = "https://dashscope-result.invalid/pictures"

// ImageConfig says how pictures are made. A synchronous picture takes the
// latency of the component image. A task is created at once, is PENDING for
// Pending, RUNNING for Running and the latency, then done.
type ImageConfig struct {
	Flow    Flow
	Pending time.Duration
	Running time.Duration
	Sizes   []string // W*H accepted of every model; nil: what the model takes
	BaseURL string   // before /NAME.png; empty: DefaultPictures
}

func (i ImageConfig) validate() error {
	switch {
	case i.Flow != AnyFlow && i.Flow != SyncFlow && i.Flow != TaskFlow:
		return fmt.Errorf("unknown Flow %q: known are sync, task and empty for both", i.Flow)
	case i.Pending < 0:
		return fmt.Errorf("negative Pending %v", i.Pending)
	case i.Running < 0:
		return fmt.Errorf("negative Running %v", i.Running)
	}
	for _, s := range i.Sizes {
		if _, _, ok := parseSize(s); !ok {
			return fmt.Errorf("entry %q of Sizes is not of the form W*H", s)
		}
	}
	return nil
}

// imageSync answers multimodal-generation: a picture made, or edited, while
// the client waits.
func (c *call) imageSync() {
	var b imageBody
	if !c.decode(&b) {
		return
	}
	c.ex.Model = b.Model
	c.noteTypes(&b)
	w, h, p := c.checkSync(&b)
	if p != nil {
		c.send(*p)
		return
	}
	c.count(Image)
	if c.failed() || c.syncFailed() {
		return
	}
	first, each := c.wait()
	if !c.sleep(first + each) {
		return
	}
	c.answer(http.StatusOK, c.appendPictures(nil, &b, w, h))
}

// syncFailed is what failed and endless tasks are where there are no tasks.
func (c *call) syncFailed() bool {
	switch c.fault.Kind {
	case TaskFailed:
		if first, _ := c.wait(); c.sleep(first) {
			c.refuse(broken, "")
		}
	case TaskEndless:
		if c.sleep(SyncPatience) {
			c.refuse(timedOut, "")
		}
	default:
		return false
	}
	return true
}

func (c *call) noteTypes(b *imageBody) {
	if b.Input == nil {
		return
	}
	for _, m := range b.Input.Messages {
		for _, item := range m.Content {
			if item.Type != nil {
				c.note("superfluous key type in a content item")
				return
			}
		}
	}
}

func (c *call) appendPictures(o []byte, b *imageBody, w, h int) []byte {
	n := b.count()
	o = append(o, `{"output":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":[`...)
	for i := range n {
		if i > 0 {
			o = append(o, ',')
		}
		o = append(appendField(append(o, '{'), "image", c.pictureURL(c.id, i, clock.Now(c.ctx))), '}')
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

// pictureURL is the address of the i-th picture that seed made; it is good
// for a day.
func (c *call) pictureURL(seed uint64, i int, made time.Time) string {
	base := c.s.cfg.Images.BaseURL
	if base == "" {
		base = DefaultPictures
	}
	b := append([]byte(strings.TrimSuffix(base, "/")), '/')
	b = appendHex(b, mix(seed, uint64(i)+20), 16)
	b = append(b, ".png?Expires="...)
	b = strconv.AppendInt(b, made.Add(24*time.Hour).Unix(), 10)
	b = append(b, "&OSSAccessKeyId=mock&Signature="...)
	return string(appendWord(b, mix(seed, uint64(i)+30), 28))
}
