package number_test

import (
	"math"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/number"
)

func TestNumber(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "number")
}

var _ = DescribeTable("formats numbers",
	func(form func(float64) string, v float64, want string) { Expect(form(v)).To(Equal(want)) },
	Entry("a share", number.Share, 0.9549, "95.5 %"),
	Entry("exactly 0", number.Share, 0.0, "0 %"),
	Entry("exactly 1", number.Share, 1.0, "100 %"),
	Entry("almost 1", number.Share, 0.9996, "100.0 %"),
	Entry("points gained", number.Points, 0.22532, "+22.5"),
	Entry("points lost", number.Points, -0.1081, "−10.8"),
	Entry("no difference", number.Points, 0.0, "0"),
	Entry("a tiny difference", number.Points, -0.0001, "−0.0"),
	Entry("dollars", number.USD, 12.345, "12.35"),
	Entry("many dollars", number.USD, 1204.4, "1,204"),
	Entry("cents", number.USD, 0.14, "0.14"),
	Entry("less than a cent", number.USD, 0.00421, "0.0042"),
	Entry("zero dollars", number.USD, 0.0, "0"),
	Entry("a ratio", number.Factor, 1.0712, "1.07"),
	Entry("times as much", number.Times, 1.96, "2.0"),
	Entry("many times as much", number.Times, 1284.0, "1,300"),
	Entry("ten times as much", number.Times, 9.97, "10"),
	Entry("a small part of it", number.Times, 0.0128, "0.013"),
	Entry("zero", number.Times, 0.0, "0.0"),
	Entry("a threshold", number.Threshold, 0.9, "0.90"),
	Entry("a threshold with three decimals", number.Threshold, 0.965, "0.965"),
	Entry("a threshold with four decimals", number.Threshold, 0.9151, "0.9151"),
	Entry("an F1", number.Score, 0.9056, "0.906"),
	Entry("a mean", number.Mean, 2.224, "2.22"),
	Entry("an integer", number.Round, -12345.6, "-12,346"),
)

var _ = DescribeTable("15.12: formats a duration with three significant digits and its unit",
	func(ms float64, want string) {
		Expect(number.Time(ms)).To(Equal(want))
		Expect(number.Duration(time.Duration(math.Round(ms * 1e6)))).To(Equal(want))
	},
	Entry("zero", 0.0, "0 s"),
	Entry("less than a microsecond", 0.00042, "0.420 µs"),
	Entry("below 0.1 ms", 0.0999, "99.9 µs"),
	Entry("rounded up to 0.1 ms", 0.09996, "0.100 ms"),
	Entry("the p50 of a local agent", 0.29, "0.290 ms"),
	Entry("a half, away from zero", 1.125, "1.13 ms"),
	Entry("below 0.1 s", 99.94, "99.9 ms"),
	Entry("rounded up to 0.1 s", 99.96, "0.100 s"),
	Entry("below one second", 960.0, "0.960 s"),
	Entry("almost one second", 999.7, "1.00 s"),
	Entry("seconds", 8_430.0, "8.43 s"),
	Entry("tens of seconds", 41_600.0, "41.6 s"),
	Entry("rounded up to hundreds", 99_960.0, "100 s"),
	Entry("rounded up to a thousand", 999_600.0, "1,000 s"),
	Entry("thousands, with all digits", 1_204_000.0, "1,204 s"),
	Entry("a difference", -42.04, "-42.0 ms"),
)

var _ = It("15.12: formats the bounds of an interval in the unit of their value", func() {
	Expect(number.TimeIn(120)(98.04)).To(Equal("0.0980"))
	Expect(number.TimeIn(42)(1_250)).To(Equal("1,250"))
	Expect(number.TimeIn(0.05)(0)).To(Equal("0"))
})

var _ = DescribeTable("formats the elapsed time of a command",
	func(d time.Duration, want string) { Expect(number.Elapsed(d)).To(Equal(want)) },
	Entry(nil, 1_280*time.Millisecond, "1.28 s"), Entry(nil, 99*time.Second, "99.0 s"),
	Entry(nil, 125_400*time.Millisecond, "2m5s"))

var _ = DescribeTable("groups the digits of a count",
	func(n int64, want string) { Expect(number.Plural(n, "case")).To(Equal(want)) },
	Entry(nil, int64(0), "0 cases"), Entry(nil, int64(1), "1 case"), Entry(nil, int64(3124), "3,124 cases"),
	Entry(nil, int64(-1234567), "-1,234,567 cases"))

var _ = DescribeTable("parses a share", func(word string, want float64) {
	v, err := number.ParseShare(word)
	Expect(err).NotTo(HaveOccurred())
	Expect(v).To(Equal(want))
},
	Entry(nil, "5%", 0.05), Entry(nil, "0.05", 0.05), Entry(nil, "99.9%", 0.999), Entry(nil, "0", 0.0),
	Entry(nil, "1", 1.0), Entry(nil, "100%", 1.0), Entry(nil, ".5", 0.5),
)

var _ = DescribeTable("rejects an invalid share", func(word string) {
	_, err := number.ParseShare(word)
	Expect(err).To(MatchError("want a share such as 5% or 0.05 here"))
},
	Entry(nil, ""), Entry(nil, "x"), Entry(nil, "NaN"), Entry(nil, "Inf%"), Entry(nil, "1e-2"), Entry(nil, "0x1p-2"),
	Entry(nil, "1_0%"), Entry(nil, "101%"), Entry(nil, "-1%"),
	Entry(nil, "5"), Entry(nil, "5pp"), Entry(nil, "5 %"), Entry(nil, "%"), Entry(nil, strings.Repeat("9", 400)),
)

var _ = DescribeTable("parses points", func(word string, want float64) {
	v, err := number.ParsePoints(word)
	Expect(err).NotTo(HaveOccurred())
	Expect(v).To(Equal(want))
}, Entry(nil, "2pp", 0.02), Entry(nil, "0.5pp", 0.005), Entry(nil, "-1pp", -0.01))

var _ = DescribeTable("rejects invalid points", func(word string) {
	_, err := number.ParsePoints(word)
	Expect(err).To(HaveOccurred())
}, Entry(nil, ""), Entry(nil, "2"), Entry(nil, "2%"), Entry(nil, "0.02"), Entry(nil, "100pp"), Entry(nil, "NaNpp"),
	Entry(nil, "pp"), Entry(nil, "2 pp"))
