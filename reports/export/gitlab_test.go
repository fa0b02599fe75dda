package export_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/export"
)

// openMetric parses a line of OpenMetrics text: name{label="value",…} number. wrong describes what
// is invalid.
func openMetric(line string) (sample string, wrong string) {
	name, rest, ok := strings.Cut(line, "{")
	if !ok {
		name, rest, _ = strings.Cut(line, " ")
		rest = "} " + rest
	}
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || name == "" {
		return "", "no name of a metric: " + name
	}
	for rest[0] != '}' {
		label, value, found := strings.Cut(strings.TrimPrefix(rest, ","), `="`)
		if !found || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz") != "" {
			return "", "no label: " + rest
		}
		end := 0
		for end < len(value) && value[end] != '"' {
			if value[end] == '\\' {
				end++
				if end == len(value) || !strings.ContainsRune(`\"n`, rune(value[end])) {
					return "", "no escape: " + value
				}
			}
			end++
		}
		if end >= len(value)-1 {
			return "", "a value without an end: " + value
		}
		rest = value[end+1:]
	}
	var v float64
	if _, err := fmt.Sscanf(rest, "} %g", &v); err != nil || strings.Count(rest, " ") != 1 {
		return "", "no number: " + rest
	}
	return strings.TrimSuffix(line, rest[1:]), ""
}

// invalidMetrics describes why GitLab cannot read a text as OpenMetrics; "" if it can.
func invalidMetrics(text string) string {
	body, eof := strings.CutSuffix(text, "# EOF\n")
	if !eof || strings.Contains(body, "# EOF") {
		return "no # EOF at the end"
	}
	seen, family, families := map[string]bool{}, "", map[string]bool{}
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if of, is := strings.CutPrefix(line, "# TYPE "); is {
			family = strings.TrimSuffix(of, " gauge")
			if families[family] {
				return family + " is there twice"
			}
			families[family] = true
			continue
		}
		if strings.HasPrefix(line, "# HELP "+family+" ") {
			continue
		}
		sample, wrong := openMetric(line)
		switch {
		case wrong != "":
			return wrong
		case strings.Contains(line, "#"):
			return "a comment for GitLab: " + line
		case seen[sample]:
			return "twice: " + sample
		case strings.FieldsFunc(line, func(r rune) bool { return r == '{' || r == ' ' })[0] != family:
			return "of another family than " + family + ": " + line
		}
		seen[sample] = true
	}
	return ""
}

var _ = Describe("The metrics for GitLab", func() {
	It("include every metric by suite, variant and fault, the gates by verdict, and whether the run is partial",
		func() {
			r := over(trial("a", "llm", eval.NoFault, 1, "yes"), trial("b", "llm", eval.NoFault, 1, "no"),
				trial("a", "rules", eval.NoFault, 1, ""))
			r.Summary.Gates = gates()
			text := written(export.WriteGitLab, r)
			Expect(invalidMetrics(text)).To(BeEmpty())
			Expect(text).To(And(
				ContainSubstring("# TYPE evalctl_route_accuracy gauge\n# HELP evalctl_route_accuracy The metric route.accuracy.\n"+
					// a metric without a value has no line
					`evalctl_route_accuracy{suite="mine",variant="llm",fault="none"} 0.5`+"\n# TYPE "),
				ContainSubstring("\nevalctl_gates{verdict=\"failed\"} 1\n"), ContainSubstring("\nevalctl_partial 0\n")))
			r.Summary.Partial = true
			Expect(written(export.WriteGitLab, r)).To(ContainSubstring("\nevalctl_partial 1\n"))
		})

	It("use a label for a metric name that OpenMetrics does not permit or that conflicts with another one", func() {
		of := func(v float64) eval.Estimate { return eval.Estimate{Value: &v} }
		text := written(export.WriteGitLab,
			export.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
				Conditions: []eval.ConditionSummary{
					{Variant: "v", Metrics: map[string]eval.Estimate{"route.f1.图片": of(0.5), "a.b_c": of(1),
						"a_b.c": of(2)}},
					{Variant: "w", Metrics: map[string]eval.Estimate{"a_b.c": of(3)}},
				}}}}})
		Expect(invalidMetrics(text)).To(BeEmpty())
		Expect(text).To(And(ContainSubstring(
			`evalctl_metric{suite="s",variant="v",fault="none",metric="route.f1.图片"} 0.5`),
			ContainSubstring(`evalctl_a_b_c{suite="s",variant="v",fault="none"} 1`+"\n#"),
			ContainSubstring(`evalctl_metric{suite="s",variant="w",fault="none",metric="a_b.c"} 3`)))
	})
})
