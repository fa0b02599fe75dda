package reports_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports"
)

var errFull = errors.New("no space left on device")

// brokenWriter is a writer that accepts room bytes and then fails.
type brokenWriter struct{ room int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	n := min(w.room, len(p))
	w.room -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

var _ = Describe("a report", func() {
	for _, format := range reports.Formats() {
		It(fmt.Sprintf("returns the error of the writer in the format %s", format), func() {
			Expect(reports.Write(&brokenWriter{room: 7}, format, full())).To(MatchError(errFull))
		})

		It(fmt.Sprintf("is the same whenever it is rendered in the format %s", format), func() {
			for range 20 {
				Expect(written(format, hostileReport())).To(Equal(written(format, hostileReport())))
			}
		})
	}

	It("returns the error of the writer for a timeline", func() {
		Expect(reports.TrialReport{Trial: trial()}.Write(&brokenWriter{})).To(MatchError(errFull))
	})

	It("returns an error for an unknown format", func() {
		err := reports.Write(&strings.Builder{}, "xml", full())
		Expect(err).To(MatchError(
			HavePrefix(`unknown format "xml": want one of table, markdown, json, csv, csv-wide, latex, html, comment, junit`)))
	})

	It("does not modify the summary that it renders", func() {
		r, want := hostileReport(), hostileReport()
		written(reports.Table, r)
		Expect(r).To(Equal(want))
	})

	It("states that no suite ran", func() {
		Expect(written(reports.Table, reports.Report{})).To(ContainSubstring("nothing was measured"))
	})

	It("states at the top and at the bottom that the run is partial", func() {
		for _, format := range []reports.Format{reports.Table, reports.Markdown, reports.CSV} {
			lines := strings.Split(strings.TrimSpace(written(format, hostileReport())), "\n")
			Expect(strings.Join(lines[:3], "")).To(ContainSubstring("PARTIAL"))
			Expect(strings.Join(lines[len(lines)-2:], "")).To(ContainSubstring("PARTIAL"))
		}
	})

	It("shows the share of answered trials for a suite without scored decisions", func() {
		lost := eval.ConditionSummary{Variant: "v", Fault: "none", Trials: 8,
			Metrics: map[string]eval.Estimate{"missing.rate": share(3, 8, 0)}}
		r := reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{lost}}}}}
		Expect(written(reports.Table, detailed(r))).To(MatchRegexp(`no answer \[95 %\]\nv +37\.5 % \[.*\] n=8`))
	})
})

var _ = Describe("The color of a text report", func() {
	r := full()
	r.Color = true

	It("is used if it is requested", func() {
		GinkgoT().Setenv("NO_COLOR", "")
		Expect(written(reports.Table, r)).To(ContainSubstring("\x1b[32m✓"))
		Expect(written(reports.Table, full())).NotTo(ContainSubstring("\x1b"))
		Expect(written(reports.Markdown, r)).NotTo(ContainSubstring("\x1b"))
	})

	It("is never used if NO_COLOR is set", func() {
		GinkgoT().Setenv("NO_COLOR", "1")
		Expect(written(reports.Table, r)).NotTo(ContainSubstring("\x1b"))
	})
})

var _ = Describe("The CSV and JSON formats", func() {
	It("escape formulas in CSV for spreadsheets", func() {
		text := written(reports.CSV, hostileReport())
		Expect(text).To(ContainSubstring(`,'=cmd|'/C calc'!A0,none,`))
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		Expect(err).NotTo(HaveOccurred())
		for _, row := range rows {
			Expect(row).To(HaveLen(9))
			for _, field := range row[:4] {
				Expect(field).NotTo(MatchRegexp(`^[=+@-]`))
			}
		}
	})

	It("do not change numbers, including negative ones", func() {
		c := eval.ConditionSummary{Variant: "v", Fault: "none",
			Metrics: map[string]eval.Estimate{"m": {Value: new(-0.5), Lo: new(-1e21), N: 2}}}
		r := reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{c}}}}}
		Expect(written(reports.CSV, r)).To(HaveSuffix("s,v,none,m,-0.5,-1000000000000000000000,,2,0\r\n"))
	})

	It("can be decoded to the summary that was written", func() {
		var back eval.Summary
		Expect(json.Unmarshal([]byte(written(reports.JSON, hostileReport())), &back)).To(Succeed())
		Expect(back).To(Equal(hostileReport().Summary))
	})
})

var _ = Describe("A Markdown report", func() {

	It("has the gates first, then the findings of all suites, then the folded sections", func() {
		r := full()
		second := r.Summary.Suites[0]
		second.Name = "second"
		r.Summary.Suites = append(r.Summary.Suites, second)
		text := written(reports.Markdown, r)
		at := func(part string) int { return strings.Index(text, part) }
		Expect([]int{at("## Gates"), at("## toolrouter"), at("## second"), at("All tables of toolrouter"),
			at("All tables of second")}).To(And(
			HaveEach(BeNumerically(">", 0)), WithTransform(slices.IsSorted[[]int], BeTrue())))
	})

	It("escapes texts that look like markup", func() {
		r := hostileReport()
		r.Notes = []string{"1. <b>|*x*_`#$\\", "- dash"}
		Expect(written(reports.Markdown, r)).To(And(
			ContainSubstring("- 1\\. &lt;b&gt;\\|\\*x\\*\\_\\`\\#\\$\\\\\n"), ContainSubstring("- \\- dash\n")))
	})
})

var _ = DescribeTable("ParseFormat parses a format argument",
	func(text string, format reports.Format, path, problem string) {
		f, p, err := reports.ParseFormat(text)
		if problem != "" {
			Expect(err).To(MatchError(ContainSubstring(problem)))
			return
		}
		Expect(err).NotTo(HaveOccurred())
		Expect(f).To(Equal(format))
		Expect(p).To(Equal(path))
	},
	Entry("with only a format", "table", reports.Table, "", ""),
	Entry("with a format and a path", "markdown=out/report.md", reports.Markdown, "out/report.md", ""),
	Entry("with a path that contains =", "csv=a=b", reports.CSV, "a=b", ""),
	Entry("with no path after the =, which is an error", "json=", reports.JSON, "", "no path"),
	Entry("with an unknown format, which is an error", "xml=x", reports.JSON, "", "table, markdown, json, csv"),
	Entry("with an empty text, which is an error", "", reports.JSON, "", "unknown format"),
	Entry("with the format of a CI service", "junit=gates.xml", reports.JUnit, "gates.xml", ""),
)

var _ = DescribeTable("a report can be rendered in the format of a CI service",
	func(format reports.Format, begins string) {
		Expect(written(format, full())).To(HavePrefix(begins))
	},
	Entry(nil, reports.JUnit, `<?xml version="1.0" encoding="UTF-8"?>`),
	Entry(nil, reports.GitHub, "::error title=Gate failed::"),
	Entry(nil, reports.GitLab, "# TYPE evalctl_"), Entry(nil, reports.Badge, "<svg "),
)

var _ = It("a format that shows only a run is rejected for views and for other reports, with the formats that exist", func() {
	r := reportOn(trialResult("a", "c1", 1, "x", "x"))
	others := []interface {
		Write(w io.Writer, format reports.Format) error
	}{reports.ComparisonReport{}, reports.CurveReport{}, reports.PowerReport{}, reports.TuningReport{},
		reports.RunListReport{}, reports.TrendReport{}, reports.CaseHistoryReport{}, reports.BenchmarkTable{}}
	for _, format := range reports.Formats() {
		if slices.Contains(reports.TableFormats(), format) {
			continue
		}
		for _, r.View = range reports.Views() {
			Expect(reports.Write(io.Discard, format, r)).To(MatchError(HavePrefix(
				"format " + string(format) + " shows no single view: want one of table, markdown, json, csv, latex")))
		}
		for _, other := range others {
			Expect(other.Write(io.Discard, format)).
				To(MatchError(MatchRegexp("^format " + string(format) + " shows no .*: want one of table, ")))
		}
	}
	for _, other := range others {
		Expect(other.Write(io.Discard, reports.Markdown)).To(Succeed())
		Expect(other.Write(io.Discard, "xml")).To(MatchError(ContainSubstring(`unknown format "xml"`)))
	}
})

var _ = It("a timeline can be rendered if its trace has impossible times", func() {
	t := eval.Result{Outcome: eval.Outcome{Turns: []eval.TurnResult{{Duration: -1, Events: []trace.Event{
		{Offset: -5, Kind: "new_kind"}, {Offset: 1 << 62, Kind: trace.KindSpan},
		span("n", trace.Span{Start: 9, Duration: -3}),
	}}}}}
	Expect(renderText(t, 60)).To(ContainSubstring("new kind"))
})
