package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// answer is an answer of a simulated model: its confidence, and whether it is correct.
type answer struct {
	confidence float64
	right      bool
}

func calibrationOf(answers []answer) *stats.Calibration {
	var c stats.Calibration
	for _, a := range answers {
		c.Add(a.confidence, a.right)
	}
	return &c
}

// randomAnswers returns n answers with only this many different confidences, so that many are
// equal.
func randomAnswers(random *rand.Rand, n, confidences int) []answer {
	answers := make([]answer, n)
	for i := range answers {
		confidence := float64(random.IntN(confidences)) / float64(confidences)
		answers[i] = answer{math.Round(confidence*1e4) / 1e4, random.Float64() < 0.2+0.7*confidence}
	}
	return answers
}

// rounds calls check for many random sets of answers and their Calibration.
func rounds(check func(answers []answer, c *stats.Calibration)) {
	random := rand.New(rand.NewPCG(8, 9))
	for round := range 60 {
		answers := randomAnswers(random, 1+random.IntN(60), 1+round)
		check(answers, calibrationOf(answers))
	}
}

func figure(v float64, ok bool) float64 {
	GinkgoHelper()
	Expect(ok).To(BeTrue())
	return v
}

var _ = Describe("Calibration", func() {
	// Brier 1950, table 1: ten forecasts of rain, which occurred on occasions 2 to 4. Brier's score
	// sums over rain and no rain and is 0.19.
	It("returns half of the score in Brier's example, because Brier sums over both outcomes", func() {
		var c stats.Calibration
		for i, confidence := range []float64{0.7, 0.9, 0.8, 0.4, 0.2, 0, 0, 0, 0, 0.1} {
			c.Add(confidence, i >= 1 && i <= 3)
		}
		Expect(figure(c.Brier())).To(BeNumerically("~", 0.19/2, 1e-15))
	})

	It("returns the mean squared error of the confidences as its Brier score", func() {
		rounds(func(answers []answer, c *stats.Calibration) {
			want := 0.0
			for _, a := range answers {
				want += math.Pow(a.confidence-truth(a.right), 2) / float64(len(answers))
			}
			Expect(figure(c.Brier())).To(BeNumerically("~", want, 1e-12))
		})
	})

	It("returns as ECE the calibration error over bins of ten answers each", func() {
		random := rand.New(rand.NewPCG(9, 9))
		answers := make([]answer, 100)
		for i := range answers {
			answers[i] = answer{float64(i) / 100, random.Float64() < math.Sqrt(float64(i)/100)}
		}
		want := 0.0
		for bin := range 10 {
			gap := 0.0
			for _, a := range answers[10*bin : 10*bin+10] {
				gap += a.confidence - truth(a.right)
			}
			want += math.Abs(gap) / 100
		}
		random.Shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
		Expect(figure(calibrationOf(answers).ECE(10))).To(BeNumerically("~", want, 1e-12))
	})

	It("puts answers of equal confidence into one bin of the ECE", func() {
		var c stats.Calibration
		for i := range 40 {
			c.Add(0.9, i%4 > 0) // 75 % right
			c.Add(0.5, i%2 > 0)
		}
		for _, bins := range []int64{2, 3, 10, 1000} {
			Expect(figure(c.ECE(bins))).To(BeNumerically("~", 0.15/2, 1e-12), "%d bins", bins)
		}
		Expect(figure(c.ECE(1))).To(BeNumerically("~", 0.7-0.625, 1e-12))
	})

	// Hanley & McNeil 1982, tables I and II: 58 normal and 51 abnormal images, rated 1 to 5; area
	// 0.893 with a standard error of 0.032. The standard error of DeLong is 0.0307 here.
	It("returns the AUROC of Hanley & McNeil's example, and approximately its standard error", func() {
		var c stats.Calibration
		abnormal := []int{3, 2, 2, 11, 33}
		for rating, normal := range []int{33, 6, 6, 11, 2} {
			for range normal {
				c.Add(float64(rating)/10, false)
			}
			for range abnormal[rating] {
				c.Add(float64(rating)/10, true)
			}
		}
		Expect(figure(c.AUROC())).To(BeNumerically("~", 0.893, 5e-4))
		lo, hi, ok := c.AUROCInterval(0.95)
		Expect(ok).To(BeTrue())
		// t with 50 degrees of freedom
		Expect((logit(hi) - logit(lo)) / 2 / 2.0086 * 0.893 * 0.107).To(BeNumerically("~", 0.032, 2e-3))
	})

	It("returns as AUROC the share of pairs of a right and a wrong answer that are in the correct order", func() {
		rounds(func(answers []answer, c *stats.Calibration) {
			ordered, pairs := 0.0, 0.0
			for _, r := range answers {
				for _, w := range answers {
					if r.right && !w.right {
						pairs++
						ordered += (1 + sign(r.confidence-w.confidence)) / 2
					}
				}
			}
			v, ok := c.AUROC()
			Expect(ok).To(Equal(pairs > 0))
			if ok {
				Expect(v).To(BeNumerically("~", ordered/pairs, 1e-12))
			}
		})
	})

	It("lists how many answers each threshold accepts, and how many of these are wrong", func() {
		rounds(func(answers []answer, c *stats.Calibration) {
			var want []stats.RiskCoveragePoint
			for _, a := range answers {
				point := stats.RiskCoveragePoint{Confidence: a.confidence, N: int64(len(answers))}
				for _, o := range answers {
					if o.confidence >= a.confidence {
						point.Accepted++
						point.Wrong += int64(1 - truth(o.right))
					}
				}
				want = append(want, point)
			}
			slices.SortFunc(want, func(a, b stats.RiskCoveragePoint) int { return int(a.Accepted - b.Accepted) })
			Expect(c.RiskCoverage()).To(Equal(slices.Compact(want)))
		})
	})

	It("returns as AURC the mean over all orders of answers with equal confidence", func() {
		random := rand.New(rand.NewPCG(10, 9))
		for range 30 {
			answers := randomAnswers(random, 1+random.IntN(6), 3)
			sum, orders := 0.0, 0.0
			permute(answers, 0, func() {
				if !slices.IsSortedFunc(answers,
					func(a, b answer) int { return int(sign(b.confidence - a.confidence)) }) {
					return
				}
				orders++
				wrong := 0.0
				for i, a := range answers {
					wrong += 1 - truth(a.right)
					sum += wrong / float64(i+1) / float64(len(answers))
				}
			})
			Expect(figure(calibrationOf(answers).AURC())).To(BeNumerically("~", sum/orders, 1e-12), "%v", answers)
		}
	})

	It("returns bit-identical results for any order of the answers", func() {
		random := rand.New(rand.NewPCG(11, 9))
		answers := randomAnswers(random, 400, 90)
		figures := func() []float64 {
			c := calibrationOf(answers)
			lo, hi, _ := c.AUROCInterval(0.95)
			low, high, _ := c.ECEInterval(15, 0.95)
			return []float64{figure(c.Brier()), figure(c.ECE(15)), figure(c.AUROC()), lo, hi, low,
				high, figure(c.AURC())}
		}
		want := figures()
		random.Shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
		Expect(figures()).To(Equal(want))
	})

	It("has no values without answers, and no AUROC if all answers are right or all are wrong", func() {
		var c stats.Calibration
		for _, confidence := range []float64{-0.1, 1.1, 95, math.NaN(), math.Inf(1)} {
			c.Add(confidence, true)
		}
		Expect(c.N()).To(BeZero())
		Expect(c.RiskCoverage()).To(BeEmpty())
		for _, figure := range []func() (float64, bool){c.Brier, c.AUROC, c.AURC, c.MeanConfidence,
			func() (float64, bool) { return c.ECE(10) }, func() (float64, bool) { return c.ECEIfCalibrated(10) }} {
			_, ok := figure()
			Expect(ok).To(BeFalse())
		}
		for _, right := range []bool{true, false} {
			one := calibrationOf([]answer{{0.5, right}, {0.7, right}})
			_, ok := one.AUROC()
			Expect(ok).To(BeFalse())
			_, _, ok = one.AUROCInterval(0.95)
			Expect(ok).To(BeFalse())
		}
		_, ok := calibrationOf([]answer{{0.5, true}}).ECE(0)
		Expect(ok).To(BeFalse())
		for _, interval := range []func() (lo, hi float64, ok bool){
			func() (float64, float64, bool) { return c.BrierInterval(0.95) },
			func() (float64, float64, bool) { return c.ECEInterval(10, 0.95) },
			func() (float64, float64, bool) { return c.AUROCInterval(0.95) },
			func() (float64, float64, bool) { return c.SubsetInterval(0, 0, 0.95) },
		} {
			_, _, ok := interval()
			Expect(ok).To(BeFalse())
		}
	})

	// The reference values are from a separate program (Python 3.11, no packages): over all pairs
	// of answers, sorted lists, and Student's quantile by integration.
	It("has the reference values for one answer per case", func() {
		var c stats.Calibration
		for i := range 200 {
			steps := 1000 + 37*i*i%9001
			c.Add(float64(steps)/1e4, (7*i*i+3*i)%11*1000 < 1500+steps)
		}
		Expect(figure(c.Brier())).To(BeNumerically("~", 0.213385116, 1e-9))
		expectInterval(0.184933, 0.244900)(c.BrierInterval(0.95))
		Expect(figure(c.ECE(10))).To(BeNumerically("~", 0.2137815, 1e-9))
		Expect(figure(c.ECEIfCalibrated(10))).To(BeNumerically("~", 0.075076245, 1e-9))
		expectInterval(0.100281, 0.272869)(c.ECEInterval(10, 0.95))
		Expect(figure(c.AUROC())).To(BeNumerically("~", 0.743714517, 1e-9))
		expectInterval(0.665565, 0.808847)(c.AUROCInterval(0.95))
		Expect(figure(c.AURC())).To(BeNumerically("~", 0.154836286, 1e-9))
	})

	It("has the reference values for cases of one to four answers", func() {
		c := clustered()
		Expect([]int64{c.N(), c.Cases(), c.Accuracy().Successes()}).To(Equal([]int64{150, 60, 100}))
		Expect(figure(c.Brier())).To(BeNumerically("~", 0.176747878, 1e-9))
		expectInterval(0.148246, 0.209382)(c.BrierInterval(0.95))
		Expect(figure(c.ECE(10))).To(BeNumerically("~", 0.1015, 1e-9))
		Expect(figure(c.ECEIfCalibrated(10))).To(BeNumerically("~", 0.122343762, 1e-9))
		_, _, ok := c.ECEInterval(10, 0.95)
		Expect(ok).To(BeFalse(), "87.5 independent answers are too few for ten bins")
		Expect(figure(c.AUROC())).To(BeNumerically("~", 0.7823, 1e-9))
		expectInterval(0.689670, 0.853167)(c.AUROCInterval(0.95))
		Expect(figure(c.AURC())).To(BeNumerically("~", 0.147504797, 1e-9))
		top := c.ReliabilityBins(10)[9]
		Expect(top).To(And(HaveField("MinConfidence", 0.9131), HaveField("MaxConfidence", 0.9726),
			HaveField("Correct", int64(15)),
			HaveField("N", int64(15))))
		expectInterval(0.694916, 1)(c.SubsetInterval(top.Correct, top.N, 0.95))
	})

	It("has the same intervals if every case runs five times with the same outcome", func() {
		random := rand.New(rand.NewPCG(12, 9))
		var once, often stats.Calibration
		for _, a := range randomAnswers(random, 300, 40) {
			one := stats.Answer{Confidence: a.confidence, Correct: a.right}
			once.AddCase(one)
			often.AddCase(one, one, one, one, one)
		}
		for _, interval := range []func(*stats.Calibration) (lo, hi float64, ok bool){
			func(c *stats.Calibration) (float64, float64, bool) { return c.BrierInterval(0.95) },
			func(c *stats.Calibration) (float64, float64, bool) { return c.AUROCInterval(0.95) },
			func(c *stats.Calibration) (float64, float64, bool) { return c.ECEInterval(10, 0.95) },
			func(c *stats.Calibration) (float64, float64, bool) {
				return c.SubsetInterval(c.Accuracy().Successes(), c.N(), 0.95)
			},
		} {
			lo, hi, ok := interval(&once)
			low, high, well := interval(&often)
			Expect(ok && well).To(BeTrue())
			Expect([]float64{low, high}).
				To(And(HaveExactElements(BeNumerically("~", lo, 2e-3), BeNumerically("~", hi, 2e-3))))
		}
	})

	It("treats all answers of a case as equal, in any order, if too many cases have several answers", func() {
		var c stats.Calibration
		random := rand.New(rand.NewPCG(13, 9))
		for range 6000 {
			a := randomAnswers(random, 1, 40)[0]
			one := stats.Answer{Confidence: a.confidence, Correct: a.right}
			c.AddCase(one, one, one)
		}
		lo, hi, _ := c.AUROCInterval(0.95)
		var few stats.Calibration
		random = rand.New(rand.NewPCG(13, 9))
		for range 6000 {
			few.Add(randomAnswer(random))
		}
		low, high, _ := few.AUROCInterval(0.95)
		Expect(lo).To(BeNumerically("~", low, 1e-4))
		Expect(hi).To(BeNumerically("~", high, 1e-4))
	})

	It("has wide intervals if the outcomes do not vary", func() {
		var sorted, same stats.Calibration
		for i := range 40 {
			sorted.Add(0.5+float64(i)/100, i >= 10)
			same.Add(0.9, i >= 10)
		}
		lo, hi, ok := sorted.AUROCInterval(0.95)
		Expect(ok).To(BeTrue())
		low, _ := stats.Wilson(10, 10, 0.95)
		Expect([]float64{lo, hi}).To(Equal([]float64{low, 1}))
		lo, hi, ok = same.AUROCInterval(0.95)
		Expect(ok).To(BeTrue())
		Expect(lo).To(BeNumerically("<", 0.3))
		Expect(hi).To(BeNumerically(">", 0.7))
		var right stats.Calibration
		for range 40 {
			right.Add(1, true)
		}
		lo, hi, _ = right.BrierInterval(0.95)
		_, most := stats.Wilson(0, 40, 0.95)
		Expect([]float64{lo, hi}).To(Equal([]float64{0, most}))
	})
})

// clustered returns a Calibration of cases with one to four answers.
func clustered() *stats.Calibration {
	var c stats.Calibration
	for i := range 60 {
		base := 3000 + 1237*i%6501
		var answers []stats.Answer
		for k := range 1 + i%4 {
			answers = append(answers,
				stats.Answer{Confidence: float64(base+53*k*(i+1)%500) / 1e4,
					Correct: (5*i+3*k*(i%3))%10*1000 < base-1500})
		}
		c.AddCase(answers...)
	}
	return &c
}

func randomAnswer(random *rand.Rand) (float64, bool) {
	a := randomAnswers(random, 1, 40)[0]
	return a.confidence, a.right
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

func truth(right bool) float64 {
	if right {
		return 1
	}
	return 0
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// permute calls visit for every order of the answers from index i on.
func permute(answers []answer, i int, visit func()) {
	if i == len(answers) {
		visit()
		return
	}
	for j := i; j < len(answers); j++ {
		answers[i], answers[j] = answers[j], answers[i]
		permute(answers, i+1, visit)
		answers[i], answers[j] = answers[j], answers[i]
	}
}

func BenchmarkCalibration(b *testing.B) {
	c := calibrationOf(randomAnswers(rand.New(rand.NewPCG(1, 2)), 5000, 10_000))
	for range b.N {
		c.AUROC()
		c.AURC()
		c.ECE(15)
	}
}
