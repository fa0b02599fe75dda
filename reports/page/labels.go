package page

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"unicode/utf8"
)

// plotWidths lists the widths of a plot, in pixels, from which it shows more axis labels. class is
// the CSS class of these labels, and most is the maximum number of labels at this width.
var plotWidths = []struct {
	class string
	width float64
	most  int
}{{"", 96, 3}, {"w160", 160, 3}, {"w240", 240, maxTimeLabels}, {"w320", 320, maxTimeLabels},
	{"w560", 560, maxTimeLabels}}

// Estimated width of a character, and minimum distance between two labels, in pixels.
const (
	charWidth = 7
	labelGap  = 8
)

// plot renders the labels of the axis. In a narrow plot it hides some of them, so that they do not
// overlap.
func (a Axis) plot() template.HTML {
	return plot{Height: axisHeight, Ticks: fittedTicks(a.Ticks)}.HTML()
}

// fittedTicks sets for each label the minimum width of the plot at which it is shown. The labels at
// the ends have priority, then those closest to the middle. It omits labels that never fit.
func fittedTicks(ticks []Tick) (shown []Tick) {
	ticks = slices.DeleteFunc(slices.Clone(ticks), func(t Tick) bool { return t.Label == "" })
	if len(ticks) == 0 {
		return nil
	}
	ranks := map[float64]float64{}
	for i, t := range ticks {
		ranks[t.Position] = math.Abs(float64(2*i - len(ticks) + 1))
	}
	ranks[ticks[0].Position], ranks[ticks[len(ticks)-1].Position] = -2, -1
	slices.SortStableFunc(ticks, func(a, b Tick) int { return cmp.Compare(ranks[a.Position], ranks[b.Position]) })
	for _, room := range plotWidths {
		ticks = slices.DeleteFunc(ticks, func(t Tick) bool {
			fits := len(shown) < room.most &&
				!slices.ContainsFunc(shown, func(other Tick) bool { return overlap(t, other, room.width) })
			if fits {
				t.HideClass = room.class
				shown = append(shown, t)
			}
			return fits
		})
	}
	slices.SortFunc(shown, func(a, b Tick) int { return cmp.Compare(a.Position, b.Position) })
	return shown
}

func overlap(a, b Tick, width float64) bool {
	if a.Position > b.Position {
		a, b = b, a
	}
	_, end := a.extent(width)
	start, _ := b.extent(width)
	return end+labelGap > start
}

// extent returns the start and the end of a label in a plot of the given width, in pixels.
func (t Tick) extent(width float64) (from, to float64) {
	at, long := t.Position/100*width, charWidth*float64(utf8.RuneCountInString(t.Label))
	switch t.Anchor {
	case "start":
		return at, at + long
	case "end":
		return at - long, at
	}
	return at - long/2, at + long/2
}
