package metric_test

import (
	"math"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

var _ = DescribeTable("formats a number",
	func(form func(float64) string, v float64, want string) { Expect(form(v)).To(Equal(want)) },
	Entry("Share: a percentage with one decimal", metric.FormatShare, 0.9549, "95.5 %"),
	Entry("Share: exactly 0 without decimals", metric.FormatShare, 0.0, "0 %"),
	Entry("Share: exactly 1 without decimals", metric.FormatShare, 1.0, "100 %"),
	Entry("Share: almost 1 with a decimal", metric.FormatShare, 0.9996, "100.0 %"),
	Entry("Points: a positive difference", metric.FormatPoints, 0.22532, "+22.5"),
	Entry("Points: a negative difference", metric.FormatPoints, -0.1081, "−10.8"),
	Entry("Points: no difference", metric.FormatPoints, 0.0, "0"),
	Entry("Points: a tiny difference", metric.FormatPoints, -0.0001, "−0.0"),
	Entry("USD: dollars with cents", metric.FormatUSD, 12.345, "12.35"),
	Entry("USD: many dollars without cents", metric.FormatUSD, 1204.4, "1,204"),
	Entry("USD: cents", metric.FormatUSD, 0.14, "0.14"),
	Entry("USD: less than a cent", metric.FormatUSD, 0.00421, "0.0042"),
	Entry("USD: zero", metric.FormatUSD, 0.0, "0"),
	Entry("Ratio: two decimals", metric.FormatRatio, 1.0712, "1.07"),
	Entry("RatioTwoDigits: two significant digits", metric.FormatRatioTwoDigits, 1.96, "2.0"),
	Entry("RatioTwoDigits: a large ratio", metric.FormatRatioTwoDigits, 1284.0, "1,300"),
	Entry("RatioTwoDigits: a ratio rounded up to 10", metric.FormatRatioTwoDigits, 9.97, "10"),
	Entry("RatioTwoDigits: a ratio below 1", metric.FormatRatioTwoDigits, 0.0128, "0.013"),
	Entry("RatioTwoDigits: zero", metric.FormatRatioTwoDigits, 0.0, "0.0"),
	Entry("Threshold: at least two decimals", metric.FormatThreshold, 0.9, "0.90"),
	Entry("Threshold: three decimals", metric.FormatThreshold, 0.965, "0.965"),
	Entry("Threshold: four decimals", metric.FormatThreshold, 0.9151, "0.9151"),
	Entry("Score: three decimals", metric.FormatScore, 0.9056, "0.906"),
	Entry("Mean: two decimals", metric.FormatMean, 2.224, "2.22"),
	Entry("RoundedInteger: an integer with commas", metric.FormatRounded, -12345.6, "−12,346"),
)

var _ = DescribeTable("15.12: formats a duration with three significant digits and its unit",
	func(ms float64, want string) {
		Expect(metric.FormatTime(ms)).To(Equal(want))
		Expect(metric.FormatDuration(time.Duration(math.Round(ms * 1e6)))).To(Equal(want))
	},
	Entry("zero", 0.0, "0 s"),
	Entry("less than a microsecond", 0.00042, "0.420 µs"),
	Entry("below 0.1 ms", 0.0999, "99.9 µs"),
	Entry("rounded up to 0.1 ms", 0.09996, "0.100 ms"),
	Entry("the p50 of an agent without network calls", 0.29, "0.290 ms"),
	Entry("a half, rounded away from zero", 1.125, "1.13 ms"),
	Entry("below 0.1 s", 99.94, "99.9 ms"),
	Entry("rounded up to 0.1 s", 99.96, "0.100 s"),
	Entry("below one second", 960.0, "0.960 s"),
	Entry("almost one second", 999.7, "1.00 s"),
	Entry("seconds", 8_430.0, "8.43 s"),
	Entry("tens of seconds", 41_600.0, "41.6 s"),
	Entry("rounded up to 100 s", 99_960.0, "100 s"),
	Entry("rounded up to 1,000 s", 999_600.0, "1,000 s"),
	Entry("more than 1,000 s, with all digits", 1_204_000.0, "1,204 s"),
	Entry("a negative difference", -42.04, "−42.0 ms"),
)

var _ = It("15.12: formats the bounds of an interval in the unit of its value", func() {
	Expect(metric.TimeFormatter(120)(98.04)).To(Equal("0.0980"))
	Expect(metric.TimeFormatter(42)(1_250)).To(Equal("1,250"))
	Expect(metric.TimeFormatter(0.05)(0)).To(Equal("0"))
})

var _ = DescribeTable("formats the elapsed time of a command",
	func(d time.Duration, want string) { Expect(metric.FormatElapsed(d)).To(Equal(want)) },
	Entry(nil, 1_280*time.Millisecond, "1.28 s"), Entry(nil, 99*time.Second, "99.0 s"),
	Entry(nil, 125_400*time.Millisecond, "2m5s"))

var _ = DescribeTable("formats an integer with commas",
	func(n int64, want string) { Expect(metric.Plural(n, "case")).To(Equal(want)) },
	Entry(nil, int64(0), "0 cases"), Entry(nil, int64(1), "1 case"), Entry(nil, int64(3124), "3,124 cases"),
	Entry(nil, int64(-1234567), "−1,234,567 cases"))

var _ = DescribeTable("parses a share, given as a percentage or a fraction", func(word string, want float64) {
	v, err := metric.ParseShare(word)
	Expect(err).NotTo(HaveOccurred())
	Expect(v).To(Equal(want))
},
	Entry(nil, "5%", 0.05), Entry(nil, "0.05", 0.05), Entry(nil, "99.9%", 0.999), Entry(nil, "0", 0.0),
	Entry(nil, "1", 1.0), Entry(nil, "100%", 1.0), Entry(nil, ".5", 0.5),
)

var _ = DescribeTable("rejects an invalid share", func(word string) {
	_, err := metric.ParseShare(word)
	Expect(err).To(MatchError("want a share such as 5% or 0.05 here"))
},
	Entry(nil, ""), Entry(nil, "x"), Entry(nil, "NaN"), Entry(nil, "Inf%"), Entry(nil, "1e-2"), Entry(nil, "0x1p-2"),
	Entry(nil, "1_0%"), Entry(nil, "101%"), Entry(nil, "-1%"),
	Entry(nil, "5"), Entry(nil, "5pp"), Entry(nil, "5 %"), Entry(nil, "%"), Entry(nil, strings.Repeat("9", 400)),
)

var _ = DescribeTable("parses a difference in percentage points", func(word string, want float64) {
	v, err := metric.ParsePoints(word)
	Expect(err).NotTo(HaveOccurred())
	Expect(v).To(Equal(want))
}, Entry(nil, "2pp", 0.02), Entry(nil, "0.5pp", 0.005), Entry(nil, "-1pp", -0.01))

var _ = DescribeTable("rejects an invalid difference in percentage points", func(word string) {
	_, err := metric.ParsePoints(word)
	Expect(err).To(HaveOccurred())
}, Entry(nil, ""), Entry(nil, "2"), Entry(nil, "2%"), Entry(nil, "0.02"), Entry(nil, "100pp"), Entry(nil, "NaNpp"),
	Entry(nil, "pp"), Entry(nil, "2 pp"))

var _ = DescribeTable("formats a quantile of times: the largest of a few values as the maximum",
	func(statistic string, n int64, ms float64, want string) {
		Expect(metric.FormatQuantile(statistic, eval.Estimate{Value: &ms, N: n})).To(Equal(want))
	},
	Entry("p95 of 20", "p95", int64(20), 3450.0, "3.45 s"),
	Entry("p95 of 19", "p95", int64(19), 3450.0, "max 3.45 s"),
	Entry("p99 of 100", "p99", int64(100), 3450.0, "3.45 s"),
	Entry("p99 of 99", "p99", int64(99), 3450.0, "max 3.45 s"),
	Entry("p90 of 10", "p90", int64(10), 3450.0, "3.45 s"),
	Entry("p90 of 9", "p90", int64(9), 3450.0, "max 3.45 s"),
	Entry("p50 of 1", "p50", int64(1), 3450.0, "3.45 s"),
	Entry("p95 of few times of 0", "p95", int64(3), 0.0, "0 s"),
)
