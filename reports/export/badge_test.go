package export_test

import (
	"encoding/xml"
	"math"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/export"
)

func badged(s eval.Summary) string {
	GinkgoHelper()
	text := written(export.WriteBadge, export.Report{Summary: s})
	var image struct {
		XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
		Role    string   `xml:"role,attr"`
		Label   string   `xml:"aria-label,attr"`
		Title   string   `xml:"title"`
		Texts   []string `xml:"g>text"`
	}
	Expect(xml.Unmarshal([]byte(text), &image)).To(Succeed())
	Expect(image.Role).To(Equal("img"))
	Expect(image.Label).To(Equal(image.Title))
	Expect(strings.Join(image.Texts, ": ")).To(Equal(image.Title))
	Expect(strings.Count(text, "http")).To(Equal(1), "nothing is loaded")
	return image.Title + " " + text[strings.LastIndex(text[:strings.Index(text, "<g ")], "#"):][:7]
}

var _ = DescribeTable("A badge shows, in words and by its color,",
	func(s eval.Summary, want string) { Expect(badged(s)).To(Equal(want)) },
	Entry("that all gates passed", eval.Summary{Suites: []eval.SuiteSummary{{Name: "mine"}}, Gates: gates()[:1]},
		"mine: 1 of 1 gate passed #1a7f37"),
	Entry("that one gate is undecided", eval.Summary{Gates: gates()[:2]},
		"evalctl: 1 of 2 gates passed, 1 undecided #9a6700"),
	Entry("that one gate failed", eval.Summary{Gates: gates()},
		"evalctl: 1 of 3 gates passed, 1 failed, 1 undecided #cf222e"),
	Entry("how many gates failed or are undecided if there are many",
		eval.Summary{Gates: slices.Concat(slices.Repeat(gates()[1:2], 1000), slices.Repeat(gates()[2:], 1000))},
		"evalctl: 0 of 2,000 gates passed, 1,000 failed, 1,000 undecided #cf222e"),
	Entry("that the run was interrupted", eval.Summary{Partial: true, Gates: gates()[:1]},
		"evalctl: did not end #cf222e"),
	Entry("that no suite ran", eval.Summary{}, "evalctl: nothing ran #cf222e"),
	Entry("that no decision was scored", eval.Summary{Suites: []eval.SuiteSummary{{Name: "<a>"}}},
		"<a>: no accuracy #57606a"),
	Entry("the accuracy of the best variant", eval.Summary{Suites: []eval.SuiteSummary{
		{Name: "mine", Conditions: []eval.ConditionSummary{accurate("v", 0.9), accurate("w", 0.955)}}}},
		"mine: 95.5 % of 827 cases, w #0969da"),
	Entry("the number of cases, not of trials, if there are several epochs", eval.Summary{Suites: []eval.SuiteSummary{
		{Name: "mine", Conditions: []eval.ConditionSummary{repeated(accurate("w", 0.955), 276)}}}},
		"mine: 95.5 % of 276 cases, w #0969da"),
	Entry("only the number of suites if there are several suites", eval.Summary{Suites: []eval.SuiteSummary{
		{Name: "mine", Conditions: []eval.ConditionSummary{accurate("v", 0.9)}}, {Name: "other"}}},
		"evalctl: 2 suites #57606a"),
)

func accurate(name string, v float64) eval.ConditionSummary {
	return eval.ConditionSummary{Variant: name,
		Metrics: map[string]eval.Estimate{"route.accuracy": {Value: &v, N: 827}}}
}

func repeated(c eval.ConditionSummary, cases int64) eval.ConditionSummary {
	e := c.Metrics["route.accuracy"]
	e.Cases = cases
	c.Metrics["route.accuracy"] = e
	return c
}

var _ = It("every background color of a badge has a contrast of at least 4.5 to its white text", func() {
	for _, color := range export.Colors() {
		rgb, err := strconv.ParseUint(color[1:], 16, 32)
		Expect(err).NotTo(HaveOccurred())
		light := 0.0
		for i, weight := range []float64{0.0722, 0.7152, 0.2126} { // relative luminance of WCAG 2.1
			v := float64(rgb>>(8*i)&0xff) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			light += weight * v
		}
		Expect(1.05/(light+0.05)).To(BeNumerically(">=", 4.5), color)
	}
})
