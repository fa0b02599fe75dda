package figure

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"unicode/utf8"
)

// rooms are widths of a plot in pixels, from the least that it has on, with the style of
// what is shown from there on, and how many labels there are at most.
var rooms = []struct {
	class string
	width float64
	most  int
}{{"", 96, 3}, {"w160", 160, 3}, {"w240", 240, mostTimes}, {"w320", 320, mostTimes}, {"w560", 560, mostTimes}}

// Pixels of a letter of a label, and between two labels.
const (
	letter  = 7
	between = 8
)

// plot is what stands beneath an axis: labels that touch at no width of the plot.
func (a Axis) plot() template.HTML {
	return plot{Height: axisHeight, Ticks: fitted(a.Ticks)}.HTML()
}

// fitted are the labels with the room that each needs: those at the ends come first, then
// from the middle outwards what leaves the others alone. What never fits is left out.
func fitted(ticks []Tick) (shown []Tick) {
	ticks = slices.DeleteFunc(slices.Clone(ticks), func(t Tick) bool { return t.Label == "" })
	if len(ticks) == 0 {
		return nil
	}
	ranks := map[float64]float64{}
	for i, t := range ticks {
		ranks[t.At] = math.Abs(float64(2*i - len(ticks) + 1))
	}
	ranks[ticks[0].At], ranks[ticks[len(ticks)-1].At] = -2, -1
	slices.SortStableFunc(ticks, func(a, b Tick) int { return cmp.Compare(ranks[a.At], ranks[b.At]) })
	for _, room := range rooms {
		ticks = slices.DeleteFunc(ticks, func(t Tick) bool {
			fits := len(shown) < room.most && !slices.ContainsFunc(shown, func(other Tick) bool { return touch(t, other, room.width) })
			if fits {
				t.Room = room.class
				shown = append(shown, t)
			}
			return fits
		})
	}
	slices.SortFunc(shown, func(a, b Tick) int { return cmp.Compare(a.At, b.At) })
	return shown
}

// touch tells labels that meet in a plot so wide.
func touch(a, b Tick, width float64) bool {
	if a.At > b.At {
		a, b = b, a
	}
	_, end := a.reach(width)
	start, _ := b.reach(width)
	return end+between > start
}

// reach is from where to where a label lies, in pixels.
func (t Tick) reach(width float64) (from, to float64) {
	at, long := t.At/100*width, letter*float64(utf8.RuneCountInString(t.Label))
	switch t.Anchor {
	case "start":
		return at, at + long
	case "end":
		return at - long, at
	}
	return at - long/2, at + long/2
}
