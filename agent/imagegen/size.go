package imagegen

import (
	"fmt"
	"math"
	"strings"
)

// sizes are all that qwen-image, -plus and -max paint.
var sizes = [...]struct{ width, height int }{{1664, 928}, {1472, 1104}, {1328, 1328}, {1104, 1472}, {928, 1664}}

// leastSide and what is most of a side are how many pixels other models paint.
const (
	leastSide   = 512
	mostSide    = 2048
	mostWanSide = 1440
)

// SizeFor is the size, as W*H, that the model paints nearest to a wished one in
// pixels: where there are but a few, the one of the nearest shape. Of a model that
// is not known it is the wished one.
func (c *Client) SizeFor(width, height int) string {
	width, height = max(1, width), max(1, height)
	switch is := func(prefix string) bool { return strings.HasPrefix(c.cfg.Model, prefix) }; {
	case is("wan"):
		width, height = within(width, height, mostWanSide)
	case is("qwen-image-2"), is("qwen-image-3"):
		width, height = within(width, height, mostSide)
	case is("qwen-image"):
		width, height = nearestShape(width, height)
	}
	return fmt.Sprintf("%d*%d", width, height)
}

// nearestShape compares the ratios of the sides.
func nearestShape(width, height int) (w, h int) {
	ratio := func(w, h int) float64 { return math.Log(float64(w) / float64(h)) }
	nearest := math.Inf(1)
	for _, s := range sizes {
		if d := math.Abs(ratio(width, height) - ratio(s.width, s.height)); d < nearest {
			nearest, w, h = d, s.width, s.height
		}
	}
	return w, h
}

// within keeps the shape as far as the bounds of the sides let it.
func within(width, height, most int) (w, h int) {
	scale := max(1, leastSide/float64(min(width, height)))
	scale = min(scale, float64(most)/float64(max(width, height)))
	fit := func(side int) int { return min(max(int(math.Round(float64(side)*scale)), leastSide), most) }
	return fit(width), fit(height)
}
