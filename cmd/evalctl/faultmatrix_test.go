package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/journal"
)

var _ = Describe("a run with --fault all", func() {
	It("runs every fault of one component, has metrics that match its results, and can be gated", func() {
		dir := newRunDir()
		got := evalctl("run", "faults", "--fault", "model:all", "--out", dir, "--gate",
			"fault.correct{fault=model:timeout} >= 0.95", "--gate", "fault.affected{fault=model:reset} >= 1")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(MatchRegexp(`All 18 conditions end as expected`))

		var sum eval.Summary
		Expect(json.Unmarshal([]byte(read(dir, journal.SummaryFile)), &sum)).To(Succeed())
		rows, wrongAt := resultsOf(dir), 0
		for _, c := range sum.Suites[0].Conditions {
			var trials, affected, correct, answered float64
			for _, r := range rows {
				if r.Fault != c.Fault || c.Fault == eval.NoFault {
					continue
				}
				trials++
				if slices.Contains(r.TriggeredFaults, r.Fault) {
					affected++
					if r.Error == nil && !getsErrorReply(r) {
						answered++
					}
				}
				if slices.ContainsFunc(r.Scores,
					func(s eval.Score) bool { return s.Name == eval.FaultCorrectScore && s.Verdict == eval.Pass }) {
					correct++
				}
			}
			if c.Fault == eval.NoFault {
				Expect(c.Metrics).NotTo(HaveKey("fault.affected"))
				continue
			}
			wrongAt++
			Expect(*c.Metrics["fault.affected"].Value).To(Equal(affected/trials), c.Fault)
			Expect(*c.Metrics["fault.correct"].Value).To(Equal(correct/affected), c.Fault)
			Expect(*c.Metrics["fault.recovered"].Value).To(Equal(answered/affected), c.Fault)
		}
		Expect(wrongAt).To(Equal(18))
	})

	It("fails a gate if the outcome of a triggered fault is unexpected, and ignores faults that were not triggered",
		func() {
			const gated = `{"id":"own-1","input":{"text":"画一只猫"},"expect":{"route":"image_gen","under_fault":{"image:server_error":"%s"}}}`
			play := func(demanded string, more ...string) cliResult {
				own := write(filepath.Join(GinkgoT().TempDir(), "own.jsonl"), fmt.Sprintf(gated, demanded))
				return evalctl(append([]string{"run", "faults", "--dataset", own, "--fault", "image:server_error",
					"--fault", "search:timeout", "--out", newRunDir()}, more...)...)
			}
			right, wrong := play("chat"), play("web_search")
			Expect(right.code).To(Equal(exit.Passed), right.stderr+right.stdout)
			Expect(right.stdout).To(ContainSubstring("Left out: not triggered in 1 condition"))
			Expect(wrong.code).To(Equal(exit.GateFailed), wrong.stderr+wrong.stdout)
			strict := play("chat", "--gate", "fault.correct >= 100%")
			Expect(strict.code).To(Equal(exit.GateFailed))
			Expect(strict.stdout).To(ContainSubstring("not triggered in 1 condition: search:timeout"))

			got := evalctl("run", "faults", "--fault", "search:timeout", "--router", "llm-first",
				"--sample", "1", "--tags",
				"zh", "--out", newRunDir())
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(ContainSubstring("1 not triggered"))
		})

	It("works for any suite or target, with the faults that apply to each variant", func() {
		dir := newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "rules", "--sample", "2", "--fault",
			"all", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("not triggered"), "two cases reach few parts")
		Expect(got.stdout).NotTo(ContainSubstring(" 0 not triggered"))
	})

	It("appears in the help and in shell completion", func() {
		Expect(evalctl("run", "--help").stdout).To(ContainSubstring("faults"))
		Expect(evalctl("__complete", "run", "f").stdout).To(ContainSubstring("faults"))
		Expect(datasets.CollectionNames()).To(ContainElement("faults"))
	})
})
