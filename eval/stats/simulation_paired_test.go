package stats_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval/stats"
)

// pairedPopulation simulates n cases of one epoch. In the share discordance of them A and B differ.
// The accuracy of B exceeds that of A by the share difference.
type pairedPopulation struct {
	n                       int
	discordance, difference float64
}

func (w pairedPopulation) fill(p *stats.PairedAccuracy, random *rand.Rand) {
	flips := int(distuv.Binomial{N: float64(w.n), P: w.discordance, Src: random}.Rand())
	for range flips {
		gained := int64(0)
		if random.Float64() < (1+w.difference/w.discordance)/2 {
			gained = 1
		}
		p.Add(1-gained, 1, gained, 1)
	}
	for range w.n - flips {
		p.Add(1, 1, 1, 1)
	}
}

func (w pairedPopulation) String() string {
	return fmt.Sprintf("n %d, ψ %.3g, δ %.3g", w.n, w.discordance, w.difference)
}

// epochsPopulation simulates cases of several epochs. Accuracies of cases follow a beta
// distribution around mean; two epochs of a case correlate with icc. B equals A except for the
// share moved of the cases, whose accuracy falls to 0 or rises to 1 under B.
type epochsPopulation struct {
	n, epochs   int
	mean, icc   float64
	moved, tilt float64 // share of cases that change; (1+tilt)/2 of these rise, all others fall
}

func (w epochsPopulation) chance(random *rand.Rand) float64 {
	switch {
	case w.icc == 0 || w.mean == 1:
		return w.mean
	case w.icc == 1:
		if random.Float64() < w.mean {
			return 1
		}
		return 0
	}
	total := 1/w.icc - 1
	return distuv.Beta{Alpha: w.mean * total, Beta: (1 - w.mean) * total, Src: random}.Rand()
}

func (w epochsPopulation) pair(random *rand.Rand) (a, b float64) {
	a = w.chance(random)
	if w.moved == 0 || random.Float64() >= w.moved {
		return a, a
	}
	if random.Float64() < (1+w.tilt)/2 {
		return 0, 1
	}
	return 1, 0
}

func (w epochsPopulation) fill(p *stats.PairedAccuracy, random *rand.Rand) {
	for range w.n {
		a, b := w.pair(random)
		p.Add(w.right(random, a), int64(w.epochs), w.right(random, b), int64(w.epochs))
	}
}

func (w epochsPopulation) right(random *rand.Rand, chance float64) (k int64) {
	for range w.epochs {
		if random.Float64() < chance {
			k++
		}
	}
	return k
}

func (w epochsPopulation) String() string {
	return fmt.Sprintf("n %d, %d epochs, p %.3g, ICC %.3g, moved %.3g", w.n, w.epochs, w.mean, w.icc, w.moved)
}

// differing returns the share of cases with different numbers of right epochs under A and B.
func (w epochsPopulation) differing() (share float64) {
	const cases = 1000
	random := rand.New(rand.NewPCG(52, 1))
	for range cases {
		a, b := w.pair(random)
		if w.right(random, a) != w.right(random, b) {
			share += 1. / cases
		}
	}
	return share
}

// lopsidedPopulation simulates two variants of equal accuracy: B loses all of 5 epochs in some
// cases, and gains one epoch of 5 in many.
type lopsidedPopulation struct {
	n            int
	lost, gained float64
}

func (w lopsidedPopulation) fill(p *stats.PairedAccuracy, random *rand.Rand) {
	for range w.n {
		switch u := random.Float64(); {
		case u < w.lost:
			p.Add(5, 5, 0, 5)
		case u < w.lost+w.gained && random.Float64() < 5*w.lost/w.gained:
			p.Add(4, 5, 5, 5)
		default:
			p.Add(5, 5, 5, 5)
		}
	}
}

func (w lopsidedPopulation) String() string {
	return fmt.Sprintf("n %d, 5 epochs, %.3g lost in all, gains of one", w.n, w.lost)
}

// pairedSimulation draws paired cases for a claim about [stats.PairedAccuracy].
type pairedSimulation interface {
	fill(p *stats.PairedAccuracy, random *rand.Rand)
	String() string
}

func rejects(w pairedSimulation) draw {
	return func(random *rand.Rand) outcome {
		var p stats.PairedAccuracy
		w.fill(&p, random)
		return hitIf(p.MidP() <= 0.05)
	}
}

func pairedCovers(w pairedSimulation, truth float64) draw {
	return func(random *rand.Rand) outcome {
		var p stats.PairedAccuracy
		w.fill(&p, random)
		return covers(truth)(p.Interval(0.95))
	}
}

// runSizeTable checks the size of the test with as many cases as the built-in data set: 5 % must be
// in the binomial interval of the rejections.
func runSizeTable() table {
	t := table{name: "false alarms at 5 % for two equal variants with 466 cases"}
	exactly := func(w pairedSimulation) {
		t.claims = append(t.claims,
			claim{setting: w.String(), draw: at(rejects(w)), full: 10_000, quick: 1000, least: 0.05, most: 0.05,
				reason: "5 % lies in the binomial interval"})
	}
	for _, discordance := range []float64{0.05, 0.1, 0.2} {
		exactly(pairedPopulation{n: 466, discordance: discordance})
	}
	for _, epochs := range []int{3, 5} {
		exactly(epochsPopulation{n: 466, epochs: epochs, mean: 0.93, icc: 0.5})
	}
	return t
}

func sizeTable() table {
	t := table{name: "false alarms of the paired test at 5 % for two equal variants"}
	for _, n := range []int{20, 30, 100, 466, 2000} {
		for _, discordance := range []float64{0.01, 0.03, 0.05, 0.1, 0.2} {
			w := pairedPopulation{n: n, discordance: discordance}
			t.claims = append(t.claims, sizeOf(w.String(), rejects(w)))
		}
	}
	for _, w := range epochsPopulations() {
		t.claims = append(t.claims, sizeOf(w.String(), rejects(w)).repeated(2000, w.quick(200)))
	}
	lost := lopsidedPopulation{n: 100, lost: 0.03, gained: 0.3}
	c := sizeOf(lost.String(), rejects(lost))
	t.claims = append(t.claims,
		c.withBand(0.09, 0.17, "the null here is not an exchange of A and B: few cases are lost in all epochs against many small gains"))
	lost.n = 466
	t.claims = append(t.claims, sizeOf(lost.String(), rejects(lost)).withBand(0.03, 0.08, "the same, on more cases"))
	return t
}

// quick returns the repetitions in the fast simulation: all for populations of medium size, 0
// otherwise.
func (w epochsPopulation) quick(repetitions int) int {
	if w.n != 100 {
		return 0
	}
	return repetitions
}

func epochsPopulations() (worlds []epochsPopulation) {
	for _, shape := range shapes(20, 100, 466, 2000) {
		if shape.epochs > 1 {
			worlds = append(worlds, epochsPopulation{n: shape.n, epochs: shape.epochs, mean: 0.9, icc: shape.icc})
		}
	}
	return worlds
}

func pairedIntervalTable() table {
	t := table{name: "interval of the paired difference"}
	add := func(w pairedSimulation, truth float64, differing float64) {
		c := interval(w.String(), pairedCovers(w, truth))
		if differing > 3 && differing < 60 {
			c.quick = 100
		}
		if differing < 30 {
			c = c.withBand(leastCoverage, 1, "fewer than 30 cases are expected to differ: the two added ones widen it")
		}
		t.claims = append(t.claims, c)
	}
	for _, n := range []int{20, 100, 466, 2000} {
		for _, discordance := range []float64{0.01, 0.03, 0.1, 0.2} {
			for _, share := range []float64{0, 0.5, 0.9} {
				w := pairedPopulation{n: n, discordance: discordance, difference: share * discordance}
				add(w, w.difference, float64(n)*discordance)
			}
		}
	}
	for _, w := range epochsPopulations() {
		add(w, 0, float64(w.n)*w.differing())
		w.moved, w.tilt = 0.1, 0.5
		add(w, 0.05, float64(w.n)*w.differing())
	}
	return t
}

// familyTable checks Holm's adjustment: it compares ten variants with an equally good one.
func familyTable() table {
	t := table{name: "any false alarm among ten equal variants, after Holm"}
	for _, w := range []epochsPopulation{{n: 466, epochs: 1, mean: 0.93, icc: 0.5},
		{n: 466, epochs: 5, mean: 0.93, icc: 0.5}} {
		t.claims = append(t.claims, sizeOf(w.String(), func(random *rand.Rand) outcome {
			p := slices.Min(stats.Holm(w.family(random, 10)))
			return hitIf(p <= 0.05)
		}).repeated(2000, 200))
	}
	return t
}

// family returns the p-values of this many equal variants, each compared with the same variant.
func (w epochsPopulation) family(random *rand.Rand, variants int) []float64 {
	pairs, m := make([]stats.PairedAccuracy, variants), int64(w.epochs)
	for range w.n {
		chance := w.chance(random)
		against := w.right(random, chance)
		for i := range pairs {
			pairs[i].Add(against, m, w.right(random, chance), m)
		}
	}
	p := make([]float64, variants)
	for i := range pairs {
		p[i] = pairs[i].MidP()
	}
	return p
}

// sequentialTable checks [stats.SequentialDropTest] after every case, if the true drop equals the
// margin.
func sequentialTable() table {
	t := table{name: "wrong verdicts at 5 % of the sequential test, checked after each of 2,000 cases"}
	for _, margin := range []float64{0, 0.01} {
		for _, discordance := range []float64{0.03, 0.1} {
			w := pairedPopulation{n: 2000, discordance: discordance, difference: -margin}
			for _, wrong := range []stats.DropTestResult{stats.DropMore, stats.DropWithin} {
				t.claims = append(t.claims, sizeOf(verdictOf[wrong]+w.String(), func(random *rand.Rand) outcome {
					return hitIf(w.sequence(random, margin) == wrong)
				}).repeated(2000, 25))
			}
		}
	}
	return t
}

var verdictOf = map[stats.DropTestResult]string{stats.DropMore: "fails: ", stats.DropWithin: "passes: "}

func (w pairedPopulation) sequence(random *rand.Rand, margin float64) (proof stats.DropTestResult) {
	s, _ := stats.NewSequentialDropTest(margin, 0.05)
	for range w.n {
		if proof = s.Add(w.drop(random)); proof != stats.NoProof {
			break
		}
	}
	return proof
}

func (w pairedPopulation) drop(random *rand.Rand) float64 {
	switch u := random.Float64(); {
	case u < (w.discordance-w.difference)/2:
		return 1
	case u < w.discordance:
		return -1
	}
	return 0
}
