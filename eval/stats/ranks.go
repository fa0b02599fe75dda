package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// exactVariance is the largest n·q·(1−q) for which ranks are computed exactly. Beyond it gonum's
// binomial distribution function is no longer accurate to 1e-9, because its continued fraction
// stops too early.
const exactVariance = 250_000

// QuantileIntervalRanks returns the 1-based ranks l < u of the order statistics that enclose the
// q-quantile of n independent draws with probability at least level, for any distribution:
//
//	P(X(l) ≤ ξq ≤ X(u)) ≥ P(l ≤ Bin(n,q) < u) ≥ level
//
// The interval is as symmetric as n permits. Each tail has at most (1−level)/2. If the extreme
// order statistic of one side leaves more than that, this side ends there and the other side gets
// the rest. ok is false if (1, n) does not reach the level, or if q or level is outside the open
// interval 0…1. A median at 0.95 needs at least 6 draws, a p95 59 and a p99 299.
//
// Up to n·q·(1−q) = 250,000 the binomial is exact. Beyond it the ranks are from the normal limit,
// widened by a margin that covers its skewness (Cornish & Fisher 1937).
//
// Sources: W. R. Thompson, Annals of Mathematical Statistics 7 (1936); Scheffé & Tukey, ibid. 16
// (1945); David & Nagaraja, "Order Statistics", 3rd ed. (2003), §7.1; Hahn & Meeker, "Statistical
// Intervals" (1991), §5.2.
func QuantileIntervalRanks(n int64, q, level float64) (l, u int64, ok bool) {
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

// QuantileLowerBoundRank returns the largest 1-based rank l whose order statistic is at or below the
// q-quantile of n independent draws with probability at least level: P(Bin(n,q) < l) ≤ 1−level. ok
// is false if even the smallest draw does not qualify, and for q or level outside the open interval
// 0…1. See [QuantileIntervalRanks] for sources.
func QuantileLowerBoundRank(n int64, q, level float64) (l int64, ok bool) {
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

// lowestRanks returns the largest l with P(Bin < l) ≤ tail; 0 if there is none.
func lowestRanks(draws distuv.Binomial, tail float64) int64 {
	n := int(draws.N)
	tooMany := sort.Search(n, func(i int) bool { return draws.CDF(float64(i)) > tail })
	return int64(tooMany)
}

// highestRanks returns the smallest u with P(Bin ≥ u) ≤ tail; n+1 if there is none. It computes
// P(Bin ≥ u) as P(n−Bin ≤ n−u) to preserve the precision of small tails.
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
