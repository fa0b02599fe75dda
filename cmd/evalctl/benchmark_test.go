package main

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = Describe("evalctl report on several runs", func() {
	var dirs []string
	BeforeEach(func() {
		dirs = nil
		for _, target := range []string{"toolrouter", "prompt", "companion"} {
			dir := newRunDir()
			got := evalctl("run", target, "-q", "--decision-only", "--limit", "20", "--out", dir)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			dirs = append(dirs, dir)
		}
	})
	report := func(args ...string) cliResult {
		return evalctl(append(append([]string{"report"}, dirs...), args...)...)
	}

	It("30.7: prints one LaTeX table of datasets and systems, with intervals and cited rows", func() {
		cited := fileOf("cited.yaml",
			"- {system: BERT, dataset: prompt (test), accuracy: 96.9, source: 'Larson et al. 2019'}\n"+
				"- {system: BERT, dataset: toolrouter (test), accuracy: 90, source: 'Larson et al. 2019'}\n")
		got := report("--format", "latex", "--cited", cited)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(
			ContainSubstring("\\caption{Accuracy by system and dataset. Intervals: 95 \\%. n: scored cases. Cited 1: Larson et al. 2019. "),
			ContainSubstring("system & toolrouter (test) & prompt (test) & companion (test) \\\\\n"),
			ContainSubstring("BERT (cited 1) & $90.0\\,\\%$ & $96.9\\,\\%$ & -- \\\\\n"),
			MatchRegexp(`\nlinear & \$?\d+\.\d[^&]*\[[^&]*\][^&]*n=20 & .* & `)))
	})

	It("30.7: prints one row for a cited system, with the source of each value if there are several", func() {
		cited := fileOf("cited.yaml",
			"- {system: BERT, dataset: prompt (test), accuracy: 96.9 %, source: 'Larson et al. 2019'}\n"+
				"- {system: BERT, dataset: toolrouter (test), accuracy: 0.9, source: 'Liu et al. 2019'}\n"+
				"- {system: BERT, dataset: toolrouter (test), accuracy: \"91%\", source: 'Larson et al. 2019'}\n")
		got := report("--format", "latex", "--cited", cited)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(
			ContainSubstring("\nBERT & 90.0 \\% (cited 2), 91.0 \\% (cited 1) & 96.9 \\% (cited 1) & -- \\\\\n"),
			ContainSubstring("Cited 1: Larson et al. 2019. Cited 2: Liu et al. 2019.")))
		Expect(report("--cited", fileOf("cited.yaml", "- {system: BERT, dataset: d, source: x,\n   accuracy: high}")).
			stderr).
			To(ContainSubstring(`cited.yaml:2: accuracy "high" is no percentage and no share: write 96.9, 96.9 % or 0.969`))
		Expect(report("--cited", fileOf("cited.yaml", "system: BERT\n")).stderr).
			To(MatchRegexp(`cited.yaml:1: .+ Write a list: - \{system: BERT,`))
	})

	It("30.7: refuses a cited dataset that is not a column, and flags of a single run", func() {
		cited := fileOf("cited.yaml", "- {system: BERT, dataset: clinc, accuracy: 96.9, source: x}")
		Expect(report("--cited", cited).stderr).To(ContainSubstring(
			`the cited dataset "clinc" is not a column; the columns are: toolrouter (test), prompt (test), companion (test)`))
		Expect(report("--cited", fileOf("cited.yaml", "- {system: BERT, dataset: d, accuracy: 969, source: x}")).
			stderr).
			To(ContainSubstring("cited.yaml:1: accuracy \"969\" is no percentage and no share: write 96.9, 96.9 % or 0.969"))
		Expect(report("--format", "html").stderr).To(ContainSubstring("several runs"))
		Expect(evalctl("report", dirs[0], "--cited", cited).stderr).To(ContainSubstring("applies to several runs"))
	})

	It("30.7: refuses a cited result without an accuracy, and one that is cited twice", func() {
		Expect(report("--cited", fileOf("cited.yaml", "- {system: BERT, dataset: prompt (test), source: x}")).stderr).
			To(ContainSubstring("entry 1: requires system, dataset, accuracy and source"))
		one := "- {system: BERT, dataset: prompt (test), accuracy: 90, source: x}\n"
		Expect(report("--cited", fileOf("cited.yaml", one+one)).stderr).
			To(ContainSubstring(`"BERT" of "x" is cited twice for the dataset "prompt (test)"`))
	})

	It("30.7: has a column for each dataset, also for two with the same name, and notes a part of a dataset", func() {
		agent := agentAnswering(`{"label":"refund"}`)
		run := func(cases string, args ...string) string {
			dir := newRunDir()
			file := fileOf("cases.jsonl", cases)
			got := evalctl(append([]string{"run", "--target", "http", "--url", agent, "--dataset", file, "--out", dir},
				args...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			return dir
		}
		a, b, part := run(customCases), run(jokeCases), run(customCases, "--limit", "1")
		got := evalctl("report", a, b, part, "--format", "markdown")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(MatchRegexp(`\| system \| cases.jsonl \| cases.jsonl of .+ \|`))
		Expect(got.stdout).To(MatchRegexp(`- .+, cases.jsonl: first 1 of \d+ cases\.`))
		Expect(evalctl("report", a, a).stdout).NotTo(ContainSubstring("cases.jsonl of"))
	})
})
