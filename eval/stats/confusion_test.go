package stats_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("Confusion", func() {
	It("measures nothing while it is empty", func() {
		var c stats.Confusion
		_, ok := c.MacroF1()
		Expect(ok).To(BeFalse())
		Expect(c.Labels()).To(BeEmpty())
		Expect(c.Classes()).To(BeEmpty())
		Expect(c.Confused()).To(BeEmpty())
	})

	// The worked example of scikit-learn's user guide for classification_report:
	// y_true = [0, 1, 2, 2, 0], y_pred = [0, 0, 2, 1, 0], macro avg F1 0.49.
	It("agrees with scikit-learn's classification_report", func() {
		var c stats.Confusion
		for _, row := range []string{"00", "10", "22", "21", "00"} {
			c.Add(row[:1], row[1:], 1)
		}
		Expect(c.Labels()).To(Equal([]string{"0", "1", "2"}))
		Expect(c.Classes()).To(Equal([]stats.LabelCounts{
			{Label: "0", Support: 2, Precision: stats.Fraction{Num: 2, Den: 3}, Recall: stats.Fraction{Num: 2, Den: 2}, F1: stats.Fraction{Num: 4, Den: 5}},
			{Label: "1", Support: 1, Precision: stats.Fraction{Num: 0, Den: 1}, Recall: stats.Fraction{Num: 0, Den: 1}, F1: stats.Fraction{Num: 0, Den: 2}},
			{Label: "2", Support: 2, Precision: stats.Fraction{Num: 1, Den: 1}, Recall: stats.Fraction{Num: 1, Den: 2}, F1: stats.Fraction{Num: 2, Den: 3}},
		}))
		macro, ok := c.MacroF1()
		Expect(ok).To(BeTrue())
		Expect(macro).To(BeNumerically("~", (0.8+0+2.0/3)/3, 1e-15))
	})

	It("leaves a precision or recall without a denominator open, and counts the class as 0 in the mean", func() {
		var c stats.Confusion
		c.Add("chat", "chat", 3)
		c.Add("image", "invented", 1)
		classes := c.Classes()
		Expect(classes[1].Label).To(Equal("image"))
		_, ok := classes[1].Precision.Value()
		Expect(ok).To(BeFalse(), "image was never predicted")
		Expect(classes[2].Label).To(Equal("invented"))
		_, ok = classes[2].Recall.Value()
		Expect(ok).To(BeFalse(), "invented was never expected")
		f1, ok := classes[2].F1.Value()
		Expect(ok).To(BeTrue())
		Expect(f1).To(BeZero())
		macro, _ := c.MacroF1()
		Expect(macro).To(BeNumerically("~", 1.0/3, 1e-15))
	})

	It("lists confused pairs by frequency, then by label", func() {
		var c stats.Confusion
		c.Add("a", "a", 9)
		c.Add("b", "a", 2)
		c.Add("a", "c", 2)
		c.Add("a", "b", 2)
		c.Add("c", "a", 5)
		Expect(c.Confused()).To(Equal([]stats.ConfusedPair{
			{Expected: "c", Predicted: "a", N: 5}, {Expected: "a", Predicted: "b", N: 2},
			{Expected: "a", Predicted: "c", N: 2}, {Expected: "b", Predicted: "a", N: 2}}))
		Expect(c.Count("c", "a")).To(Equal(int64(5)))
		Expect(c.Count("c", "b")).To(BeZero())
	})

	It("ignores a count below 1 and does not learn its labels", func() {
		var c stats.Confusion
		c.Add("a", "b", 0)
		c.Add("a", "b", -1)
		Expect(c.Labels()).To(BeEmpty())
	})

	It("agrees with counting every figure from the rows", func() {
		for round := range 50 {
			rows := randomRows(rand.New(rand.NewPCG(uint64(round), 12)), 1+round*5, 1+round%7)
			var c stats.Confusion
			for _, r := range rows {
				c.Add(r.expected, r.predicted, 1)
			}
			got, ok := c.MacroF1()
			Expect(ok).To(BeTrue())
			Expect(got).To(BeNumerically("~", naiveMacroF1(rows), 1e-14))
		}
	})
})

type row struct {
	caseKey             uint64
	expected, predicted string
}

// randomRows are right about 70 % of the time over k labels of unequal frequency.
func randomRows(random *rand.Rand, n, k int) []row {
	rows := make([]row, n)
	for i := range rows {
		expected := min(random.IntN(k), random.IntN(k))
		predicted := expected
		if random.Float64() > 0.7 {
			predicted = random.IntN(k)
		}
		rows[i] = row{caseKey: uint64(i), expected: string(rune('a' + expected)), predicted: string(rune('a' + predicted))}
	}
	return rows
}

// naiveMacroF1 goes through precision and recall, label by label and row by row.
func naiveMacroF1(rows []row) float64 {
	var labels []string
	for _, r := range rows {
		labels = append(labels, r.expected, r.predicted)
	}
	slices.Sort(labels)
	labels = slices.Compact(labels)
	sum := 0.0
	for _, label := range labels {
		hits, expected, predicted := 0.0, 0.0, 0.0
		for _, r := range rows {
			switch {
			case r.expected == label && r.predicted == label:
				hits, expected, predicted = hits+1, expected+1, predicted+1
			case r.expected == label:
				expected++
			case r.predicted == label:
				predicted++
			}
		}
		if hits > 0 {
			precision, recall := hits/predicted, hits/expected
			sum += 2 * precision * recall / (precision + recall)
		}
	}
	return sum / float64(len(labels))
}

func ExampleConfusion() {
	var c stats.Confusion
	c.Add("chat", "chat", 8)
	c.Add("chat", "image_gen", 2)
	c.Add("image_gen", "image_gen", 4)
	c.Add("web_search", "chat", 1)
	for _, class := range c.Classes() {
		precision, ok := class.Precision.Value()
		fmt.Printf("%-10s precision %.3f of %d (measured: %v)\n", class.Label, precision, class.Precision.Den, ok)
	}
	macro, _ := c.MacroF1()
	fmt.Printf("macro-F1 %.3f\n", macro)
	// Output:
	// chat       precision 0.889 of 9 (measured: true)
	// image_gen  precision 0.667 of 6 (measured: true)
	// web_search precision 0.000 of 0 (measured: false)
	// macro-F1 0.547
}

func BenchmarkConfusionAdd(b *testing.B) {
	rows := randomRows(rand.New(rand.NewPCG(1, 1)), 1024, 20)
	var c stats.Confusion
	b.ReportAllocs()
	for i := range b.N {
		r := rows[i%1024]
		c.Add(r.expected, r.predicted, 1)
	}
}
