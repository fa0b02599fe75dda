package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ClopperPearson returns the exact confidence interval of a proportion with k successes in n
// independent trials. It contains every p for which both tails of Bin(n,p) beyond k have at least
// (1−level)/2. Its coverage is never below the level, so it is wider than [Wilson]'s. Use it for a
// limit that must hold, such as the rate of a failure that was never observed. n = 0 gives (0, 1).
// An invalid count or level gives (NaN, NaN).
//
// Source: Clopper & Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of
// the Binomial", Biometrika 26 (1934).
func ClopperPearson(k, n int64, level float64) (lo, hi float64) {
	if k < 0 || k > n || !isLevel(level) {
		return math.NaN(), math.NaN()
	}
	tail := (1 - level) / 2
	lo, hi = 0, 1
	if k > 0 {
		lo = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		hi = 1 - distuv.Beta{Alpha: float64(n - k), Beta: float64(k + 1)}.Quantile(tail)
	}
	return lo, hi
}
