package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ClopperPearson returns the exact interval of the proportion behind k successes in n
// independent trials: every p for which neither tail of Bin(n,p) beyond k is less than
// (1−level)/2. It never covers less often than it says, and so is wider than [Wilson]'s:
// for a limit that must hold, such as on a rate of failures that was never observed.
// Nothing observed gives (0, 1), and a count or level that makes no sense (NaN, NaN).
//
// Source: Clopper & Pearson, «The Use of Confidence or Fiducial Limits Illustrated in
// the Case of the Binomial», Biometrika 26 (1934).
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
