package tune

import (
	"math"
	"strconv"
)

// short is the number of the fewest decimals between lo and hi, of several the one
// nearest to their middle; hi where there is none.
func short(lo, hi float64) float64 {
	middle := lo + (hi-lo)/2
	for decimals := range 18 {
		text := strconv.FormatFloat(middle, 'f', decimals, 64)
		v, _ := strconv.ParseFloat(text, 64) // what was formatted
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

// rounded is hi rounded down to as few decimals as leave it above lo, three at least;
// hi where there is no room.
func rounded(lo, hi float64) float64 {
	for decimals := 3; decimals < 18; decimals++ {
		v, _ := strconv.ParseFloat(strconv.FormatFloat(hi, 'f', decimals, 64), 64) // what was formatted
		if v > hi {
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v-math.Pow10(-decimals), 'f', decimals, 64), 64)
		}
		if lo < v && v <= hi {
			return v
		}
	}
	return hi
}
