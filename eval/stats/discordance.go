package stats

import (
	"maps"
	"math"
	"slices"
)

// Discordance is in how many cases two variants differ, and by how much: all that the
// power of comparing them depends on.
type Discordance struct {
	Cases     int64
	Differing int64   // cases whose difference is not 0
	Sum       float64 // of the differences, B − A
	Squares   float64 // of them: with one epoch, as many as differ
}

// Discordance is that of the cases so far.
func (p *Paired) Discordance() Discordance {
	m := p.moments()
	return Discordance{Cases: p.n, Differing: int64(m.differing), Sum: m.sum, Squares: m.squares}
}

// Independent is the discordance if the errors of A and B were independent: as if the
// cases of A were paired at random with those of B. The difference stays the same.
// Variants whose answers are drawn from the same random numbers differ in fewer cases
// than variants of real models.
func (p *Paired) Independent() Discordance {
	d := Discordance{Cases: p.n, Sum: p.moments().sum}
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
	if d.Differing = int64(math.Round(differing)); d.Differing > 0 {
		d.Squares = max(squares-2*n*means[0]*means[1], 0) / differing * float64(d.Differing)
	}
	return d
}

// Size is the root mean square of a difference that is not 0: with one epoch 1.
func (d Discordance) Size() float64 {
	if d.Differing == 0 {
		return 1
	}
	return math.Sqrt(d.Squares / float64(d.Differing))
}

// Proportion is how much of the cases differ without the difference: all that do but for
// what is proven at alpha of the observed difference. The rest of it may be luck, and
// luck left out would promise too much. It is 0 without a case.
func (d Discordance) Share(alpha float64) float64 {
	if d.Cases == 0 {
		return 0
	}
	return float64(d.Differing)/float64(d.Cases) - d.proven(alpha)
}

// proven is the share of cases that the proven part of the difference takes.
func (d Discordance) proven(alpha float64) float64 {
	sum := max(math.Abs(d.Sum)-normalScore(1-alpha)*math.Sqrt(d.Squares), 0)
	return sum / d.Size() / float64(d.Cases)
}

// Interval is that of Share by the cases that differ, which may be few: Wilson's.
// Where none does, lo is 0 and hi one-sided, about 3/n (Hanley & Lippman-Hand, «If
// Nothing Goes Wrong, Is Everything All Right?», JAMA 249, 1983).
func (d Discordance) Interval(alpha, level float64) (lo, hi float64) {
	switch {
	case d.Cases == 0:
		return 0, 1
	case d.Differing == 0:
		return 0, 1 - math.Pow(1-level, 1/float64(d.Cases))
	}
	lo, hi = Wilson(d.Differing, d.Cases, level)
	proven := d.proven(alpha)
	return max(lo-proven, 0), hi - proven
}

// Variance is that of a case's difference where nothing is better, such a share of the
// cases differs, and the two cases of [Paired.Interval] are added.
func (d Discordance) Variance(share float64) float64 {
	n := float64(d.Cases)
	typical := moments{differing: float64(d.Differing), squares: d.Squares}.typical()
	return (share*n*d.Size()*d.Size() + 2*typical) / (n + 2)
}
