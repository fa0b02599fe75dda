package stats_test

import (
	"math"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// sixDigits is the tolerance for reference values that are given with six digits.
const sixDigits = 6e-7

var _ = Describe("Paired", func() {
	DescribeTable("returns the reference p-values of the sign-flip test",
		func(scale int64, differences []int64, exact, midP float64) {
			p := pairedOf(scale, differences...)
			Expect(p.ExactP()).To(BeNumerically("~", exact, sixDigits))
			Expect(p.MidP()).To(BeNumerically("~", midP, sixDigits))
		},
		Entry("reference P1: 7 cases gained, 1 lost", int64(1), flippedDifferences(7, 1, 0), 0.0703125, 0.0390625),
		Entry("reference P2: ten cases of five epochs", int64(5), []int64{3, -1, 2, 5, 1, -2, 0, 4, 1, 1},
			0.1015625, 0.0761719),
		Entry("reference P3: 14 cases gained, 9 lost", int64(1), flippedDifferences(14, 9, 0), 0.404873, 0.307456),
		Entry("reference P4: one large difference among small ones", int64(5), []int64{5, 1, -1, -1}, 0.875, 0.6875),
		Entry("no case that differs", int64(1), flippedDifferences(0, 0, 9), 1.0, 1.0),
	)

	It("reference P5: accepts cases with different numbers of scored epochs", func() {
		p := p5()
		Expect(p.N()).To(Equal(int64(8)))
		Expect([]int64{p.Wins(), p.Losses()}).To(Equal([]int64{4, 1}))
		Expect(p.ExactP()).To(BeNumerically("~", 0.125, sixDigits))
		Expect(p.MidP()).To(BeNumerically("~", 0.09375, sixDigits))
		value, ok := p.Value()
		Expect(ok).To(BeTrue())
		Expect(value).To(BeNumerically("~", 0.175, sixDigits))
		expectInterval(-0.062803, 0.342803)(p.Interval(0.95))
	})

	DescribeTable("returns the reference confidence interval",
		func(scale int64, differences []int64, value, lo, hi float64) {
			p := pairedOf(scale, differences...)
			got, ok := p.Value()
			Expect(ok).To(BeTrue())
			Expect(got).To(BeNumerically("~", value, sixDigits))
			expectInterval(lo, hi)(p.Interval(0.95))
		},
		Entry("reference D1: 1 gained, 7 lost of 21 cases", int64(1), flippedDifferences(1, 7, 13), -0.285714,
			-0.508359, -0.013380),
		Entry("reference D2: none of 466 cases differs", int64(1), flippedDifferences(0, 0, 466),
			0.0, -0.005923, 0.005923),
		Entry("reference D3: 14 gained, 9 lost of 466 cases", int64(1), flippedDifferences(14, 9, 443), 0.010730,
			-0.010234, 0.031601),
		Entry("reference D4: the cases of P2 and ten more of five epochs", int64(5),
			append([]int64{3, -1, 2, 5, 1, -2, 0, 4, 1, 1}, make([]int64, 10)...), 0.14, -0.022324, 0.276869),
	)

	It("ignores a case that is unscored on one side, and invalid counts", func() {
		p := p5()
		p.Add(3, 5, 0, 0)
		p.Add(0, 0, 3, 5)
		p.Add(6, 5, 1, 5)
		p.Add(-1, 5, 1, 5)
		Expect(p).To(Equal(p5()))
	})

	It("has no values without cases or at an invalid level", func() {
		var p stats.PairedAccuracy
		_, ok := p.Value()
		Expect(ok).To(BeFalse())
		_, _, ok = p.Interval(0.95)
		Expect(ok).To(BeFalse())
		_, ok = p.MinDetectableDifference(0.05, 0.8)
		Expect(ok).To(BeFalse())
		Expect(p.MidP()).To(Equal(1.0))
		p.Add(1, 1, 0, 1)
		for _, level := range []float64{0, 1, 95, math.NaN()} {
			_, _, ok = p.Interval(level)
			Expect(ok).To(BeFalse(), "level %v", level)
		}
	})

	It("returns bit-identical results for any order of cases", func() {
		random := rand.New(rand.NewPCG(31, 1))
		cases := make([][4]int64, 200)
		for i := range cases {
			mA, mB := 1+random.Int64N(7), 1+random.Int64N(7)
			cases[i] = [4]int64{random.Int64N(mA + 1), mA, random.Int64N(mB + 1), mB}
		}
		want := valuesOf(cases)
		for range 5 {
			random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			Expect(valuesOf(cases)).To(Equal(want))
		}
	})

	It("returns mirrored results if A and B are exchanged", func() {
		var there, back stats.PairedAccuracy
		for _, c := range p5Cases {
			there.Add(c[0], c[1], c[2], c[3])
			back.Add(c[2], c[3], c[0], c[1])
		}
		Expect(back.MidP()).To(Equal(there.MidP()))
		lo, hi, _ := there.Interval(0.9)
		backLo, backHi, _ := back.Interval(0.9)
		Expect(backLo).To(BeNumerically("~", -hi, 1e-15))
		Expect(backHi).To(BeNumerically("~", -lo, 1e-15))
	})

	It("returns the same p-values as an enumeration of all signs", func() {
		random := rand.New(rand.NewPCG(32, 1))
		for range 40 {
			differences := make([]int64, 1+random.IntN(11))
			for i := range differences {
				differences[i] = random.Int64N(13) - 6
			}
			exact, midP := enumerateSigns(differences)
			p := pairedOf(6, differences...)
			Expect(p.ExactP()).To(BeNumerically("~", exact, 1e-12), "%v", differences)
			Expect(p.MidP()).To(BeNumerically("~", midP, 1e-12), "%v", differences)
		}
	})

	DescribeTable("has p-values that do not jump where the normal limit takes over, with",
		func(scale int64, most int) {
			random := rand.New(rand.NewPCG(33, 1))
			for lead := range 5 { // in standard deviations
				p := casesWithSum(random, scale, most, float64(lead))
				Expect(p.IsExact()).To(BeTrue())
				exact, midP := p.LimitP()
				Expect(exact).To(BeNumerically("~", p.ExactP(), 5e-4), "lead %d", lead)
				Expect(midP).To(BeNumerically("~", p.MidP(), 5e-4), "lead %d", lead)
				p = casesWithSum(random, scale, most+most/10, float64(lead))
				Expect(p.IsExact()).To(BeFalse())
				exact, midP = p.LimitP()
				Expect([]float64{p.MidP(), p.ExactP()}).To(Equal([]float64{midP, exact}))
			}
		},
		Entry("cases of one epoch", int64(1), 8000),
		Entry("cases of five epochs", int64(5), 4600),
		Entry("cases of 3, 4 and 5 epochs, whose differences have the denominator 60", int64(60), 1420),
	)
})

var p5Cases = [][4]int64{{3, 5, 5, 5}, {2, 4, 4, 5}, {5, 5, 4, 4}, {1, 5, 3, 5}, {4, 5, 4, 5}, {0, 3, 2, 4},
	{5, 5, 5, 5}, {2, 5, 1, 5}}

func p5() *stats.PairedAccuracy {
	var p stats.PairedAccuracy
	for _, c := range p5Cases {
		p.Add(c[0], c[1], c[2], c[3])
	}
	return &p
}

// pairedOf returns one case for each difference, in units of 1/scale.
func pairedOf(scale int64, differences ...int64) *stats.PairedAccuracy {
	var p stats.PairedAccuracy
	for _, d := range differences {
		p.Add(max(-d, 0), scale, max(d, 0), scale)
	}
	return &p
}

// flippedDifferences returns up differences of 1, down of −1, and same of 0.
func flippedDifferences(up, down, same int) []int64 {
	list := make([]int64, up+down+same)
	for i := range list[:up+down] {
		list[i] = 1
		if i >= up {
			list[i] = -1
		}
	}
	return list
}

// casesWithSum returns n cases that differ by up to scale. Their sum is lead standard deviations of
// its sign-flip distribution.
func casesWithSum(random *rand.Rand, scale int64, n int, lead float64) *stats.PairedAccuracy {
	sizes, squares := make([]int64, n), 0.0
	for i := range sizes {
		sizes[i] = 1 + random.Int64N(scale)
		squares += float64(sizes[i] * sizes[i])
	}
	wanted, sum := int64(lead*math.Sqrt(squares)), int64(0)
	for i, size := range sizes {
		if sum > wanted {
			sizes[i] = -size
		}
		sum += sizes[i]
	}
	return pairedOf(scale, sizes...)
}

func expectInterval(wantLo, wantHi float64) func(lo, hi float64, ok bool) {
	return func(lo, hi float64, ok bool) {
		GinkgoHelper()
		Expect(ok).To(BeTrue())
		Expect(lo).To(BeNumerically("~", wantLo, sixDigits))
		Expect(hi).To(BeNumerically("~", wantHi, sixDigits))
	}
}

// valuesOf returns all results of [stats.PairedAccuracy] for the cases, for comparison.
func valuesOf(cases [][4]int64) []float64 {
	var p stats.PairedAccuracy
	for _, c := range cases {
		p.Add(c[0], c[1], c[2], c[3])
	}
	value, _ := p.Value()
	lo, hi, _ := p.Interval(0.95)
	detectable, _ := p.MinDetectableDifference(0.05, 0.8)
	return []float64{value, lo, hi, p.MidP(), p.ExactP(), p.Variance(), detectable}
}

// enumerateSigns computes both p-values by counting, over all assignments of signs, the sums that
// are as far from 0 or farther.
func enumerateSigns(differences []int64) (exact, midP float64) {
	observed := int64(0)
	for _, d := range differences {
		observed += d
	}
	all := 1 << len(differences)
	for signs := range all {
		sum := int64(0)
		for i, d := range differences {
			if signs>>i&1 == 1 {
				d = -d
			}
			sum += d
		}
		switch far, limit := max(sum, -sum), max(observed, -observed); {
		case far > limit:
			exact, midP = exact+1, midP+1
		case far == limit:
			exact, midP = exact+1, midP+0.5
		}
	}
	if slicesAllZero(differences) {
		return 1, 1
	}
	return exact / float64(all), midP / float64(all)
}

func slicesAllZero(v []int64) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
