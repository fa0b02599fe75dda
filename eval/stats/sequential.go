package stats

import "math"

// stakes is the number of bets that [SequentialDropTest] combines; they risk 1/40, 3/40 … 39/40 of
// the wealth.
const stakes = 20

// SequentialDropTest tests the drop A − B against a margin after every case, and may stop at the
// first proof. Error rates stay below alpha for any number of checks. It bets against "the drop is
// at most the margin" and against "the drop is at least the margin". A hypothesis is rejected if
// the wealth of the bets against it reaches 1/alpha. Add cases in an order that was fixed before
// the run, never in order of completion.
//
// It saves almost nothing for unchanged variants; large drops are found early.
//
// Sources: Waudby-Smith & Ramdas, "Estimating means of bounded random variables by betting", JRSS B
// 86 (2024); mixture of stakes: Robbins, Annals of Mathematical Statistics 41 (1970); bound: Ville
// (1939).
type SequentialDropTest struct {
	margin float64
	limit  float64 // log of the wealth that is a proof
	n      int64
	result DropTestResult

	// log wealth of each stake, against "at most the margin" and against "at least the margin"
	more, less [stakes]float64
}

// DropTestResult is the result of a [SequentialDropTest] so far.
type DropTestResult int

const (
	noProof    DropTestResult = iota
	dropMore                  // the drop is larger than the margin
	dropWithin                // the drop is smaller than the margin
)

// NewSequentialDropTest creates a test of the drop against margin; ok is false unless 0 ≤ margin <
// 1 and 0 < alpha < 1.
func NewSequentialDropTest(margin, alpha float64) (s *SequentialDropTest, ok bool) {
	if !(margin >= 0 && margin < 1) || !isLevel(alpha) {
		return nil, false
	}
	return &SequentialDropTest{margin: margin, limit: -math.Log(alpha)}, true
}

// Add adds the drop of a case (the share right under A less the share under B) and returns the
// result so far. Later cases do not change a proof. A drop outside −1…1 is ignored.
func (s *SequentialDropTest) Add(drop float64) DropTestResult {
	if s.result != noProof || !(drop >= -1 && drop <= 1) {
		return s.result
	}
	s.n++
	for i := range stakes {
		stake := (float64(i) + 0.5) / stakes
		s.more[i] += math.Log1p(stake * (drop - s.margin) / (1 + s.margin))
		s.less[i] += math.Log1p(stake * (s.margin - drop) / (1 - s.margin))
	}
	more, less := s.LogWealth()
	switch {
	case more >= s.limit:
		s.result = dropMore
	case less >= s.limit:
		s.result = dropWithin
	}
	return s.result
}

// N returns the number of cases added before the proof, including the one that completed it.
func (s *SequentialDropTest) N() int64 { return s.n }

// LogWealth returns the log wealth of the bets on a drop above the margin, and on a drop below it.
// A log wealth of log(1/alpha) is a proof.
func (s *SequentialDropTest) LogWealth() (more, less float64) {
	return logMean(s.more), logMean(s.less)
}

// logMean returns the log of the mean of exp(x) over logs, without overflow.
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
