package tune

import (
	"math"
	"strconv"
)

// shortestBetween returns the number strictly between lo and hi that has the fewest decimals. Among
// several, it returns one close to the middle. If there is none, it returns hi.
func shortestBetween(lo, hi float64) float64 {
	middle := lo + (hi-lo)/2
	for decimals := range 18 {
		text := strconv.FormatFloat(middle, 'f', decimals, 64)
		v, _ := strconv.ParseFloat(text, 64) // cannot fail
		step := math.Pow10(-decimals)
		for _, v := range []float64{v, v - step, v + step} {
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', decimals, 64), 64)
			if lo < v && v < hi {
				return v
			}
		}
	}
	return hi
}

// roundedDown returns hi rounded down to few decimals, at least three, so that it stays above lo.
// If that is impossible, it returns hi.
func roundedDown(lo, hi float64) float64 {
	for decimals := 3; decimals < 18; decimals++ {
		v, _ := strconv.ParseFloat(strconv.FormatFloat(hi, 'f', decimals, 64), 64) // cannot fail
		if v > hi {
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v-math.Pow10(-decimals), 'f', decimals, 64), 64)
		}
		if lo < v && v <= hi {
			return v
		}
	}
	return hi
}
