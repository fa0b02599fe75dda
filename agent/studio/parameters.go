package studio

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// parameters are the image parameters that V1's planner returns, such as the resolution. The model
// may return other names.
type parameters map[string]any

// The parameters that V1's prompt defines.
const (
	styleStrength = "style_strength"
	resolution    = "resolution"
)

// strength returns the style strength from 0 to 1. given is false if the parameter is absent. ok is
// false if it is absent or invalid.
func (p parameters) strength() (v float64, given, ok bool) {
	if p[styleStrength] == nil {
		return 0, false, false
	}
	text := strings.TrimRight(norm.NFKC.String(fmt.Sprint(p[styleStrength])), "% ")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v / 100, true, err == nil && v >= 0 && v <= 100
}

var sides = regexp.MustCompile(`^([1-9][0-9]{1,3})(?:px|像素)?[xX×*]([1-9][0-9]{1,3})(?:px|pixels|像素)?$`)

// bySides converts a size that is a list or an object to WIDTHxHEIGHT. It returns other sizes
// unchanged.
func bySides(size any) string {
	if o, ok := size.(map[string]any); ok {
		size = []any{o["width"], o["height"]}
	}
	if list, ok := size.([]any); ok && len(list) == 2 {
		return fmt.Sprintf("%vx%v", list[0], list[1])
	}
	return fmt.Sprint(size)
}

// size returns the image size in pixels. given is false if the parameter is absent. ok is false if
// it is absent or no image model supports it.
func (p parameters) size() (width, height int, given, ok bool) {
	if p[resolution] == nil {
		return 0, 0, false, false
	}
	both := sides.FindStringSubmatch(strings.ReplaceAll(norm.NFKC.String(bySides(p[resolution])), " ", ""))
	if both == nil {
		return 0, 0, true, false
	}
	width, _ = strconv.Atoi(both[1]) // the pattern ensures that these are digits
	height, _ = strconv.Atoi(both[2])
	return width, height, true, min(width, height) >= 64 && max(width, height) <= 4096
}

// others returns the names of all given parameters except used, separated by commas.
func (p parameters) others(used string) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if p[name] != nil && name != used {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("%.200s", strings.Join(names, ", "))
}
