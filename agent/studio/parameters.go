package studio

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	v, err := strconv.ParseFloat(fmt.Sprint(p[styleStrength]), 64)
	return v / 100, true, err == nil && v >= 0 && v <= 100
}

var sides = regexp.MustCompile(`^([1-9][0-9]{1,3})[xX×*]([1-9][0-9]{1,3})$`)

// size is that of the picture in pixels; given is false where there is none, ok
// where no image model might paint it.
func (p parameters) size() (width, height int, given, ok bool) {
	if p[resolution] == nil {
		return 0, 0, false, false
	}
	both := sides.FindStringSubmatch(strings.ReplaceAll(fmt.Sprint(p[resolution]), " ", ""))
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
