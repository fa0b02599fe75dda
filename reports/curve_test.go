package reports_test

import (
	"encoding/json"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/curve"
	"evalctl/reports"
)

// point returns a point of a curve with 542 cases. The accuracy is value ± half, and step is the
// change from the previous point.
func point(at, value, half, step float64, draws int) curve.Point {
	lo, hi := value-half, value+half
	p := curve.Point{X: at, Accuracy: eval.Estimate{Value: &value, Lo: &lo, Hi: &hi, N: 542}, TrainingSamples: draws}
	if draws > 1 {
		p.LowestAccuracy, p.HighestAccuracy = new(value-0.01), new(value+0.015)
	}
	if step != 0 {
		low, high := step-0.02, step+0.02
		p.VersusPrevious = &eval.Contrast{Value: &step, Lo: &low, Hi: &high, N: 542}
		p.VersusFirst = p.VersusPrevious
	}
	return p
}

// learningCurve returns a curve whose gains get smaller.
func learningCurve() reports.CurveReport {
	return reports.CurveReport{Curves: []curve.Curve{{Suite: "prompt", Name: "linear", Axis: "training texts",
		Points: []curve.Point{
			point(31, 0.11, 0.02, 0, 8), point(62, 0.20, 0.02, 0.09, 8), point(125, 0.31, 0.025, 0.11, 8),
			point(251, 0.40, 0.03, 0.09, 4), point(502, 0.45, 0.04, 0.05, 1)}}}}
}

// simulatedCurves returns two curves of a simulated model. One has an unscored point.
func simulatedCurves() reports.CurveReport {
	flat := []curve.Point{point(0, 0.88, 0.03, 0, 0), point(1, 0.88, 0.03, 0.001, 0), point(2, 0.9, 0.03, 0.02, 0),
		point(4, 0.92, 0.02, 0.02, 0), {X: 8}, point(16, 0.93, 0.02, 0.01, 0)}
	models := []eval.ModelInfo{{Component: "model", Kind: "simulated"}}
	return reports.CurveReport{Curves: []curve.Curve{{Suite: "prompt", Name: "zero-shot", Axis: "examples",
		Points: flat, Models: models},
		{Suite: "prompt", Name: "few-shot", Axis: "threshold",
			Points: []curve.Point{point(0.5, 0.9, 0.01, 0, 0), point(0.75, 0.92, 0.01, 0.015, 0)}}}}
}

func drawnCurve(format reports.Format, c reports.CurveReport, width int) string {
	GinkgoHelper()
	c.Width = width
	var out strings.Builder
	Expect(c.Write(&out, format)).To(Succeed())
	return out.String()
}

var _ = Describe("the report of a curve", func() {
	It("states that a baseline model was evaluated without the rules and settings of the system", func() {
		const text = "The baseline model alone, without the rules and settings of studio"
		c := learningCurve()
		Expect(drawnCurve(reports.Table, c, 100)).NotTo(ContainSubstring("alone"))
		c.Curves[0].SkippedSystem = "studio"
		for _, format := range []reports.Format{reports.Table, reports.Markdown} {
			Expect(drawnCurve(format, c, 100)).To(ContainSubstring(text))
		}
	})

	It("can be decoded from JSON", func() {
		var read reports.CurveReport
		Expect(json.Unmarshal([]byte(drawnCurve(reports.JSON, simulatedCurves(), 0)), &read)).To(Succeed())
		Expect(read).To(Equal(simulatedCurves()))
	})

	It("draws the accuracy of each point with its interval, and keeps the plot on a terminal with 80 columns", func() {
		for _, width := range []int{80, 100, 0} {
			text := drawnCurve(reports.Table, learningCurve(), width)
			at := 0
			for _, accuracy := range []string{"11.0 % [", "20.0 % [", "31.0 % [", "40.0 % [", "45.0 % ["} {
				line := regexp.MustCompile(`.*` + regexp.QuoteMeta(accuracy) + `.*`).FindString(text)
				before, _, isDrawn := strings.Cut(line, "●")
				Expect(isDrawn).To(BeTrue(), line)
				Expect(len([]rune(before))).To(BeNumerically(">", at), "a higher accuracy is further to the right")
				at = len([]rune(before))
			}
		}
		Expect(drawnCurve(reports.Table, learningCurve(), 80)).NotTo(ContainSubstring("8: 19.0–21.5"))
		Expect(drawnCurve(reports.Table, learningCurve(), 100)).To(ContainSubstring("8: 19.0–21.5"))
	})

	DescribeTable("states the gain of the last doubling, and compares it with the previous one only if they differ significantly",
		func(before, last float64, want string) {
			c := learningCurve()
			c.Curves[0].Points[3], c.Curves[0].Points[4] = point(251, 0.40, 0.03, before, 4),
				point(502, 0.45, 0.04, last, 1)
			text := strings.Join(strings.Fields(drawnCurve(reports.Table, c, 100)), " ")
			Expect(text).To(ContainSubstring(want))
		},
		Entry(nil, 0.10, 0.05, "adds +5.0 [+3.0, +7.0] points. 4 draws of 251: 39.0 to 41.5 %. The doubling before added +10.0 [+8.0, +12.0]: gains shrink."),
		Entry(nil, 0.05, 0.10, "The doubling before added +5.0 [+3.0, +7.0]: gains do not shrink yet."),
		Entry(nil, 0.04, 0.05, "The doubling before added +4.0 [+2.0, +6.0]: no significant difference between the two."),
		Entry(nil, 0.06, 0.05, "The doubling before added +6.0 [+4.0, +8.0]: no significant difference between the two."),
		Entry(nil, 0.04, -0.05, "The doubling before added +4.0 [+2.0, +6.0]."),
	)

	It("states that a simulated model does not read the prompt if all decisions are identical", func() {
		const message = "The model is simulated and does not read the prompt"
		c := simulatedCurves()
		Expect(drawnCurve(reports.Table, c, 100)).NotTo(ContainSubstring(message), "accuracy rises")
		c.Curves[0].Identical = true
		Expect(drawnCurve(reports.Table, c, 100)).To(ContainSubstring(message))
		c.Curves[0].Models[0].Kind = "real"
		Expect(drawnCurve(reports.Table, c, 100)).NotTo(ContainSubstring(message))
	})

	It("shows one number instead of a range if all draws have the same value", func() {
		c := learningCurve()
		c.Curves[0].Points[3].LowestAccuracy, c.Curves[0].Points[3].HighestAccuracy = new(0.39996), new(0.40004)
		text := drawnCurve(reports.Table, c, 200)
		Expect(text).To(And(ContainSubstring("4 draws of 251: 40.0 %."), ContainSubstring("  4: 40.0\n")))
	})

	It("marks a gain as not significant if its interval contains 0", func() {
		text := strings.Join(strings.Fields(drawnCurve(reports.Table, simulatedCurves(), 100)), " ")
		Expect(text).To(ContainSubstring(
			"threshold 0.75 instead of 0.5 adds +1.5 [−0.5, +3.5] points (not significant)."))
	})

	It("is no wider than the requested width, and escapes control characters in names and values", func() {
		c := simulatedCurves()
		bad := "\x1b[31m名\n|=1+1" + strings.Repeat("长", 60)
		c.Curves[0].Suite, c.Curves[0].Name, c.Curves[0].Axis, c.Curves[0].Points[2].Variant = bad, bad, bad, "=cmd"
		for _, at := range []float64{-1e300, 1e300, 1e15, -5} {
			c.Curves[1].Points[1].X = at
			for width := 40; width <= 140; width += 10 {
				text := drawnCurve(reports.Table, c, width)
				expectWithin(width, text)
				Expect(text).NotTo(ContainSubstring("\x1b"))
			}
		}
		Expect(drawnCurve(reports.CSV, c, 0)).To(ContainSubstring(",'=cmd,"))
		c.Curves[0].Points = c.Curves[0].Points[:1]
		Expect(drawnCurve(reports.Table, c, 60)).NotTo(BeEmpty())
	})
})
