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

// parameters are what v1's planner says of a picture besides the prompt, by any
// names that the model likes.
type parameters map[string]any

// The parameters of which v1 speaks.
const (
	styleStrength = "style_strength"
	resolution    = "resolution"
)

// strength is the style's from 0 to 1; given is false where there is none, ok
// where it cannot be meant.
func (p parameters) strength() (v float64, given, ok bool) {
	if p[styleStrength] == nil {
		return 0, false, false
	}
	text := strings.TrimRight(norm.NFKC.String(fmt.Sprint(p[styleStrength])), "% ")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v / 100, true, err == nil && v >= 0 && v <= 100
}

var sides = regexp.MustCompile(`^([1-9][0-9]{1,3})(?:px|像素)?[xX×*]([1-9][0-9]{1,3})(?:px|pixels|像素)?$`)

// bySides writes a size that comes as a list or an object as WIDTHxHEIGHT.
func bySides(size any) string {
	if o, ok := size.(map[string]any); ok {
		size = []any{o["width"], o["height"]}
	}
	if list, ok := size.([]any); ok && len(list) == 2 {
		return fmt.Sprintf("%vx%v", list[0], list[1])
	}
	return fmt.Sprint(size)
}

// size is that of the picture in pixels; given is false where there is none, ok
// where no image model might paint it.
func (p parameters) size() (width, height int, given, ok bool) {
	if p[resolution] == nil {
		return 0, 0, false, false
	}
	both := sides.FindStringSubmatch(strings.ReplaceAll(norm.NFKC.String(bySides(p[resolution])), " ", ""))
	if both == nil {
		return 0, 0, true, false
	}
	width, _ = strconv.Atoi(both[1]) // the pattern has seen to digits
	height, _ = strconv.Atoi(both[2])
	return width, height, true, min(width, height) >= 64 && max(width, height) <= 4096
}

// besides lists the parameters that are given but the one that is used.
func (p parameters) besides(used string) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if p[name] != nil && name != used {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("%.200s", strings.Join(names, ", "))
}
