package stats

import (
	"maps"
	"math"
	"slices"
)

// Discordance describes in how many cases two variants differ, and by how much. The power of a
// paired comparison depends only on this.
type Discordance struct {
	Cases                 int64
	DifferingCases        int64   // cases with a nonzero difference
	SumDifferences        float64 // sum of the cases' differences B − A
	SumSquaredDifferences float64 // sum of the squared differences; equals Differing with one epoch
}

// Discordance returns the discordance of the cases added so far.
func (p *PairedAccuracy) Discordance() Discordance {
	m := p.moments()
	return Discordance{
		Cases:                 p.n,
		DifferingCases:        int64(m.differing),
		SumDifferences:        m.sum,
		SumSquaredDifferences: m.squares,
	}
}

// IndependentDiscordance returns the discordance that A and B would have if their errors were
// independent, as if the cases of A were paired with those of B at random. The difference of the
// accuracies stays the same. Simulated variants that share random numbers differ in fewer cases
// than real models.
func (p *PairedAccuracy) IndependentDiscordance() Discordance {
	d := Discordance{Cases: p.n, SumDifferences: p.moments().sum}
	if p.n == 0 {
		return d
	}
	n := float64(p.n)
	means, squares, same := [2]float64{}, 0.0, 0.0
	for side, cases := range p.sides {
		for _, share := range slices.SortedFunc(maps.Keys(cases), byValue) {
			count, v := float64(cases[share]), share.value()
			means[side] += count * v / n
			squares += count * v * v
			if side == 0 {
				same += count * float64(p.sides[1][share]) / n
			}
		}
	}
	differing := n - same
	if d.DifferingCases = int64(math.Round(differing)); d.DifferingCases > 0 {
		d.SumSquaredDifferences = max(squares-2*n*means[0]*means[1], 0) / differing * float64(d.DifferingCases)
	}
	return d
}

// TypicalDifference returns the typical difference of a case that differs: the root mean square of
// the nonzero differences. It is 1 with one epoch.
func (d Discordance) TypicalDifference() float64 {
	if d.DifferingCases == 0 {
		return 1
	}
	return math.Sqrt(d.SumSquaredDifferences / float64(d.DifferingCases))
}

// UnexplainedShare returns the share of cases that differ without a proven difference: all cases
// that differ, less the part of the observed difference that is significant at alpha. The rest of
// the observed difference may be chance, and excluding it too would overstate the power. The result
// is 0 without cases.
func (d Discordance) UnexplainedShare(alpha float64) float64 {
	if d.Cases == 0 {
		return 0
	}
	return float64(d.DifferingCases)/float64(d.Cases) - d.proven(alpha)
}

// proven returns the share of all cases that the significant part of the observed difference
// explains.
func (d Discordance) proven(alpha float64) float64 {
	significantSum := max(math.Abs(d.SumDifferences)-normalScore(1-alpha)*math.Sqrt(d.SumSquaredDifferences), 0)
	return significantSum / d.TypicalDifference() / float64(d.Cases)
}

// Interval returns a confidence interval of [Discordance.UnexplainedShare]: Wilson's, over the
// cases that differ. If none of the n cases differs, lo is 0 and hi is one-sided, about 3/n (Hanley &
// Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 249, 1983).
func (d Discordance) Interval(alpha, level float64) (lo, hi float64) {
	switch {
	case d.Cases == 0:
		return 0, 1
	case d.DifferingCases == 0:
		return 0, 1 - math.Pow(1-level, 1/float64(d.Cases))
	}
	lo, hi = Wilson(d.DifferingCases, d.Cases, level)
	proven := d.proven(alpha)
	return max(lo-proven, 0), hi - proven
}

// Variance returns the variance of a case's difference if there is no true difference and this
// share of the cases differs. It includes the two added cases of [Paired.Interval].
func (d Discordance) Variance(share float64) float64 {
	n := float64(d.Cases)
	typical := moments{differing: float64(d.DifferingCases), squares: d.SumSquaredDifferences}.typical()
	return (share*n*d.TypicalDifference()*d.TypicalDifference() + 2*typical) / (n + 2)
}
