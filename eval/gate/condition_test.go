package gate_test

import (
	"errors"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/gate"
)

var _ = Describe("ParseMetric", func() {
	It("parses a metric with its selector, and returns an error for any text after it", func() {
		r, err := gate.ParseMetricSelector(" [tag=zh] route.accuracy{variant=llm, fault=none} ")
		Expect(err).NotTo(HaveOccurred())
		Expect(r).To(Equal(gate.Rule{Tag: "zh", Metric: "route.accuracy", Variant: "llm", Fault: "none"}))
		Expect(r.String()).To(Equal("[tag=zh] route.accuracy{variant=llm,fault=none}"))
		for text, at := range map[string]int{"": 0, "route": 0, "route.accuracy >= 1": 15, "route.accuracy{": 15,
			"[tag=zh]": 8} {
			_, err := gate.ParseMetricSelector(text)
			var syntax *gate.SyntaxError
			Expect(errors.As(err, &syntax)).To(BeTrue(), text)
			Expect(syntax.Offset).To(Equal(at), text)
		}
	})

	It("returns a rule whose value can be read in one condition", func() {
		r, err := gate.ParseMetricSelector("x.y")
		Expect(err).NotTo(HaveOccurred())
		s := summary(condition("s", "a", "", 1), condition("s", "b", "f", 0.5))
		at := gate.Condition{Suite: "s", Variant: "b", Fault: "f"}
		Expect(r.Selects(at)).To(BeTrue())
		e, ok := r.ForCondition(at).Estimate(s)
		Expect(ok).To(BeTrue())
		Expect(*e.Value).To(Equal(0.5))
		Expect(r.ForCondition(at).Selects(gate.Condition{Suite: "s", Variant: "a"})).To(BeFalse())
		_, ok = r.ForCondition(gate.Condition{Suite: "s", Variant: "c"}).Estimate(s)
		Expect(ok).To(BeFalse())
	})
})

func FuzzParseFigure(f *testing.F) {
	for _, seed := range []string{"route.accuracy", `[tag="]"] a.b{suite="x y",tag=z}`,
		"drop(route.accuracy{fault=none})", "new_failures", "a.b{", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := gate.ParseMetricSelector(text)
		if err != nil {
			return
		}
		again, err := gate.ParseMetricSelector(r.String())
		if err != nil || again != r {
			t.Fatalf("%q: %#v became %q, which gives %#v, %v", text, r, r.String(), again, err)
		}
		_ = gate.Check([]gate.Rule{r}, eval.Summary{}, nil)
	})
}
