package main

import (
	"cmp"
	"image/color"
	"maps"
	"slices"
)

// frequent returns the most frequent colors, but no more than most. Colors of equal frequency have
// a stable order.
func frequent(counts map[color.RGBA]int, most int) color.Palette {
	list := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G),
			cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range list[:min(len(list), most)] {
		palette = append(palette, c)
	}
	return palette
}
