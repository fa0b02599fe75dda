package stats

import "math"

// stakes are the bets of [Sequential]: 1/40, 3/40 … 39/40 of the wealth.
const stakes = 20

// Sequential tests the drop A − B against a margin after every case, and may stop at
// the first proof: errors stay below alpha however often one looks. Wealth is bet
// against «the drop is at most the margin» and against «it is at least the margin»;
// whichever grows to 1/alpha is refuted. Cases must come in an order that was fixed
// before the run, never in that of completion.
//
// Unchanged variants save almost nothing by it; large drops are found early.
//
// Sources: Waudby-Smith & Ramdas, «Estimating means of bounded random variables by
// betting», JRSS B 86 (2024); the mixture of stakes is Robbins's (Annals of
// Mathematical Statistics 41, 1970), the bound Ville's (1939).
type Sequential struct {
	margin float64
	limit  float64 // of the logarithm of wealth
	n      int64
	proof  SequentialResult

	more, less [stakes]float64 // log wealth against «at most», «at least the margin», by stake
}

// SequentialResult is what a sequential test has come to.
type SequentialResult int

const (
	NoProof    SequentialResult = iota
	DropMore                    // the drop is larger than the margin
	DropWithin                  // the drop is smaller than the margin
)

// NewSequential starts a test; ok is false unless 0 ≤ margin < 1 and 0 < alpha < 1.
func NewSequential(margin, alpha float64) (s *Sequential, ok bool) {
	if !(margin >= 0 && margin < 1) || !isLevel(alpha) {
		return nil, false
	}
	return &Sequential{margin: margin, limit: -math.Log(alpha)}, true
}

// Add bets on a case's drop, the share that A has right less the share that B has,
// and returns the proof, which a later case cannot take back. A drop outside −1…1 is
// none, and counts for nothing.
func (s *Sequential) Add(drop float64) SequentialResult {
	if s.proof != NoProof || !(drop >= -1 && drop <= 1) {
		return s.proof
	}
	s.n++
	for i := range stakes {
		stake := (float64(i) + 0.5) / stakes
		s.more[i] += math.Log1p(stake * (drop - s.margin) / (1 + s.margin))
		s.less[i] += math.Log1p(stake * (s.margin - drop) / (1 - s.margin))
	}
	more, less := s.Evidence()
	switch {
	case more >= s.limit:
		s.proof = DropMore
	case less >= s.limit:
		s.proof = DropWithin
	}
	return s.proof
}

// N is how many cases were bet on.
func (s *Sequential) N() int64 { return s.n }

// Evidence is the logarithm of the wealth that says that the drop is more than the
// margin, and of that which says that it is less; proof is the logarithm of 1/alpha.
func (s *Sequential) Evidence() (more, less float64) { return logMean(s.more), logMean(s.less) }

// logMean is the logarithm of the mean of exp(v), without overflow.
func logMean(logs [stakes]float64) float64 {
	top, sum := logs[0], 0.0
	for _, v := range logs {
		top = max(top, v)
	}
	for _, v := range logs {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum/stakes)
}
