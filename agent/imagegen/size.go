package imagegen

import (
	"fmt"
	"math"
	"strings"
)

// sizes are the only sizes that the models qwen-image, -plus and -max support.
var sizes = [...]struct{ width, height int }{{1664, 928}, {1472, 1104}, {1328, 1328}, {1104, 1472}, {928, 1664}}

// Limits on width and height for other models, in pixels.
const (
	minSide    = 512
	maxSide    = 2048
	maxWanSide = 1440
)

// NearestSize returns the supported size, W*H, that is nearest to a requested size. If the model
// supports only a few fixed sizes, it compares aspect ratios. For an unknown model it returns the
// requested size.
func (c *Client) NearestSize(width, height int) string {
	width, height = max(1, width), max(1, height)
	switch is := func(prefix string) bool { return strings.HasPrefix(c.cfg.Model, prefix) }; {
	case is("wan"):
		width, height = within(width, height, maxWanSide)
	case is("qwen-image-2"), is("qwen-image-3"):
		width, height = within(width, height, maxSide)
	case is("qwen-image"):
		width, height = nearestShape(width, height)
	}
	return fmt.Sprintf("%d*%d", width, height)
}

// nearestShape returns the fixed size with the nearest aspect ratio.
func nearestShape(width, height int) (w, h int) {
	ratio := func(w, h int) float64 { return math.Log(float64(w) / float64(h)) }
	nearest := math.Inf(1)
	for _, s := range sizes {
		if d := math.Abs(ratio(width, height) - ratio(s.width, s.height)); d < nearest {
			nearest = d
			w = s.width
			h = s.height
		}
	}
	return w, h
}

// within scales a size to the limits on its sides, and preserves the aspect ratio if possible.
func within(width, height, limit int) (w, h int) {
	scale := max(1, minSide/float64(min(width, height)))
	scale = min(scale, float64(limit)/float64(max(width, height)))
	fit := func(side int) int { return min(max(int(math.Round(float64(side)*scale)), minSide), limit) }
	return fit(width), fit(height)
}
