package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// exactVariance is the largest n·q·(1−q) up to which gonum's binomial distribution
// function is right to 1e-9; beyond, its continued fraction stops too early.
const exactVariance = 250_000

// Ranks returns the 1-based ranks l < u of the order statistics that enclose the
// q-quantile of n independent draws with probability at least level, whatever the
// distribution:
//
//	P(X(l) ≤ ξq ≤ X(u)) ≥ P(l ≤ Bin(n,q) < u) ≥ level
//
// It is as symmetric as n allows: each tail keeps at most (1−level)/2 outside; where
// even the extreme order statistic leaves more than that on one side, that side stops
// at the extreme and the other gets what remains. When not even (1, n) reaches the
// level, or q or level is outside the open interval 0…1, ok is false: 6 draws are the
// fewest for a median at 0.95, 59 for a p95, 299 for a p99.
//
// Up to n·q·(1−q) = 250,000 the binomial is exact; beyond, ranks come from the normal
// limit and are set apart by a margin that covers its skewness (Cornish & Fisher 1937).
//
// Sources: W. R. Thompson, Annals of Mathematical Statistics 7 (1936); Scheffé & Tukey,
// ibid. 16 (1945); David & Nagaraja, «Order Statistics», 3rd ed. (2003), §7.1; Hahn &
// Meeker, «Statistical Intervals» (1991), §5.2.
func Ranks(n int64, q, level float64) (l, u int64, ok bool) {
	if n < 2 || !isLevel(q) || !isLevel(level) {
		return 0, 0, false
	}
	if float64(n)*q*(1-q) > exactVariance {
		return normalRanks(n, q, level)
	}
	draws := distuv.Binomial{N: float64(n), P: q}
	outside := 1 - level
	l = lowestRanks(draws, outside/2)
	u = highestRanks(draws, outside/2)
	if l < 1 {
		l = 1
		u = highestRanks(draws, outside-draws.CDF(0))
	}
	if u > n {
		u = n
		l = lowestRanks(draws, outside-draws.Prob(draws.N))
	}
	if l < 1 || u > n || l >= u {
		return 0, 0, false
	}
	return l, u, true
}

// LowerRank returns the largest 1-based rank l whose order statistic lies at or below
// the q-quantile of n independent draws with probability at least level:
// P(Bin(n,q) < l) ≤ 1−level. ok is false where even the smallest draw does not, and for
// q or level outside the open interval 0…1. See [Ranks] for sources.
func LowerRank(n int64, q, level float64) (l int64, ok bool) {
	if n < 1 || !isLevel(q) || !isLevel(level) {
		return 0, false
	}
	if float64(n)*q*(1-q) > exactVariance {
		l, _, ok = normalRanks(n, q, 2*level-1)
		return l, ok
	}
	l = lowestRanks(distuv.Binomial{N: float64(n), P: q}, 1-level)
	return l, l > 0
}

// lowestRanks is the largest l with P(Bin < l) ≤ tail; 0 when there is none.
func lowestRanks(draws distuv.Binomial, tail float64) int64 {
	n := int(draws.N)
	tooMany := sort.Search(n, func(i int) bool { return draws.CDF(float64(i)) > tail })
	return int64(tooMany)
}

// highestRanks is the smallest u with P(Bin ≥ u) ≤ tail; n+1 when there is none.
// P(Bin ≥ u) is taken as P(n−Bin ≤ n−u) so that small tails keep their precision.
func highestRanks(draws distuv.Binomial, tail float64) int64 {
	mirrored := distuv.Binomial{N: draws.N, P: 1 - draws.P}
	return int64(draws.N) + 1 - lowestRanks(mirrored, tail)
}

func normalRanks(n int64, q, level float64) (l, u int64, ok bool) {
	z := normalScore(level)
	mean, sd := float64(n)*q, math.Sqrt(float64(n)*q*(1-q))
	margin := 1 + math.Ceil(z*z/6)
	lower, upper := math.Floor(mean-z*sd-margin), math.Ceil(mean+z*sd+margin)+1
	if lower < 1 || upper > float64(n) {
		return 0, 0, false
	}
	return int64(lower), int64(upper), true
}
