package compare_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/stats"
)

// source returns a run of the suite s with the conditions of the given results.
func source(name string, results ...eval.Result) compare.RunData {
	s := eval.SuiteSummary{Name: "s", Target: "t", Clock: "simulated"}
	for _, r := range results {
		if !slices.ContainsFunc(s.Conditions,
			func(c eval.ConditionSummary) bool { return c.Variant == r.Variant && c.Fault == r.Fault }) {
			s.Conditions = append(s.Conditions, eval.ConditionSummary{Variant: r.Variant, Fault: r.Fault})
		}
	}
	return compare.RunData{Name: name, Suites: []eval.SuiteSummary{s}, Results: each(results)}
}

func each(results []eval.Result) iter.Seq2[eval.Result, error] {
	return func(yield func(eval.Result, error) bool) {
		for _, r := range results {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// answers returns the results of a variant, one for each case: + correct, - wrong.
func answers(variant, signs string) (list []eval.Result) {
	for i, sign := range signs {
		got := "yes"
		if sign == '-' {
			got = "no"
		}
		list = append(list, trial(variant, eval.NoFault, fmt.Sprintf("c%02d", i), 1, got))
	}
	return list
}

// inSuite returns the results as those of another suite.
func inSuite(name string, list []eval.Result) []eval.Result {
	for i := range list {
		list[i].Suite = name
	}
	return list
}

// seventeen are the names of more variants than can be compared at once.
var seventeen = strings.Split("abcdefghijklmnopq", "")

// many returns a correct result of each variant.
func many(variants []string) (list []eval.Result) {
	for _, v := range variants {
		list = append(list, answers(v, "+")...)
	}
	return list
}

// between compares runs and fails the test if that is not possible.
func between(c compare.Selection, sources ...compare.RunData) []compare.Comparison {
	GinkgoHelper()
	list, err := compare.Runs(sources, c)
	Expect(err).NotTo(HaveOccurred())
	return list
}

// comparisonError returns the error for runs that cannot be compared.
func comparisonError(c compare.Selection, sources ...compare.RunData) string {
	GinkgoHelper()
	_, err := compare.Runs(sources, c)
	Expect(err).To(HaveOccurred())
	return err.Error()
}

var _ = Describe("comparing runs", func() {
	ids := func(list []compare.ChangedCase) (ids []string) {
		for _, f := range list {
			ids = append(ids, f.Case)
		}
		return ids
	}

	It("lists the fixed and the broken cases", func() {
		list := between(compare.Selection{}, source("old", answers("v", "++--+--")...),
			source("new", answers("v", "+-+++++")...))
		Expect(list).To(HaveLen(1))
		v := list[0].Pairs[0]
		Expect(ids(v.FixedCases)).To(Equal([]string{"c02", "c03", "c05", "c06"}))
		Expect(ids(v.BrokenCases)).To(Equal([]string{"c01"}))
		Expect(v.BrokenCases[0]).To(Equal(compare.ChangedCase{Case: "c01", Expected: eval.OneOf{"yes"},
			Reference: compare.CaseAnswers{Labels: []string{"yes"}, Correct: 1, Scored: 1},
			Candidate: compare.CaseAnswers{Labels: []string{"no"}, Scored: 1}}))
		Expect([]int64{v.Cases, v.Fixed, v.Broken}).To(Equal([]int64{7, 4, 1}))
		Expect(list[0].Candidates[0].Accuracy).To(HaveField("N", int64(7)))
		Expect(*list[0].Candidates[0].Accuracy.Value).To(Equal(3.0 / 7))
		Expect(*list[0].Candidates[1].Accuracy.Value).To(Equal(6.0 / 7))
	})

	It("lists the largest changes first if cases have several epochs", func() {
		epochs := func(id, signs string) (list []eval.Result) {
			for i, r := range answers("v", signs) {
				r.Case, r.Epoch = id, i+1
				list = append(list, r)
			}
			return list
		}
		v := between(compare.Selection{}, source("old", slices.Concat(epochs("a", "--+"), epochs("b", "---"))...),
			source("new", slices.Concat(epochs("a", "-++"), epochs("b", "+++"))...))[0].Pairs[0]
		Expect(ids(v.FixedCases)).To(Equal([]string{"b", "a"}))
		Expect(v.FixedCases[1].Reference).
			To(Equal(compare.CaseAnswers{Labels: []string{"no", "yes"}, Correct: 1, Scored: 3}))
	})

	It("reports identical decisions if a run is compared with itself", func() {
		one := source("old", answers("v", "++--+--")...)
		v := between(compare.Selection{}, one, one)[0].Pairs[0]
		Expect(v.State).To(Equal(eval.Identical))
		Expect(append(v.FixedCases, v.BrokenCases...)).To(BeEmpty())
	})

	It("reports differences by class and by tag, each with its own Holm adjustment", func() {
		labeled := func(variant string, right func(i int) bool) (list []eval.Result) {
			for i := range 40 {
				want, got := "a", "a"
				if i%2 == 1 {
					want, got = "b", "b"
				}
				if !right(i) {
					got = "c"
				}
				r := trial(variant, eval.NoFault, fmt.Sprint(i), 1, got)
				r.Scores[0] = eval.Score{Name: "route", Verdict: eval.PassIf(got == want), Actual: got,
					Expected: eval.OneOf{want}}
				r.Tags = []string{"all"}
				if i < 10 {
					r.Tags = []string{"all", "few"}
				}
				list = append(list, r)
			}
			return list
		}
		v := between(compare.Selection{}, source("old", labeled("v", func(i int) bool { return i%2 == 0 })...),
			source("new", labeled("v", func(i int) bool { return true })...))[0].Pairs[0]
		Expect(v.Classes).To(HaveLen(2))
		b, a := v.Classes[0], v.Classes[1]
		Expect([]any{a.Name, a.State, *a.Accuracy.Value, *a.F1Reference, *a.F1Candidate}).
			To(Equal([]any{"a", eval.Identical, 0.0, 1.0, 1.0}))
		Expect([]any{b.Name, b.State, *b.Reference.Value, *b.Candidate.Value, *b.F1Reference, *b.F1Candidate}).
			To(Equal([]any{"b", eval.Better, 0.0, 1.0, 0.0, 1.0}))
		Expect(*b.Accuracy.AdjustedP).To(Equal(2 * *b.Accuracy.P))
		Expect(v.Tags).To(HaveLen(2))
		Expect([]any{v.Tags[0].Name, v.Tags[0].Cases, v.Tags[1].Name, v.Tags[1].Cases}).
			To(Equal([]any{"all", int64(40), "few", int64(10)}))
		Expect(*v.MacroF1.Value).To(Equal(0.5))
	})

	It("computes the minimum detectable difference at the significance level of 5 % divided by the number of pairs",
		func() {
			var want stats.PairedAccuracy
			for i := range 12 {
				right := int64(0)
				if i < 9 {
					right = 1
				}
				want.Add(right, 1, 1, 1)
			}
			alone := between(compare.Selection{}, source("x", answers("v", "+++++++++---")...),
				source("y", answers("v", "++++++++++++")...))[0].Pairs[0]
			one, _ := want.MinDetectableDifference(0.05, 0.8)
			Expect([]any{alone.FamilySize, *alone.MinDetectableDifference}).To(Equal([]any{int64(1), one}))
			three := between(compare.Selection{}, source("x", answers("v", "+++++++++---")...),
				source("y", answers("v", "++++++++++++")...), source("z", answers("v", "++++++++++++")...))[0].Pairs[0]
			third, _ := want.MinDetectableDifference(0.05/3, 0.8)
			Expect([]any{three.FamilySize, *three.MinDetectableDifference}).To(Equal([]any{int64(3), third}))
			Expect(third).To(BeNumerically(">", one))
		})

	It("lists the classes with the most changes first, then the largest classes", func() {
		labeled := func(wrong ...string) (list []eval.Result) {
			for i, want := range []string{"a", "b", "b", "b", "c", "c", "d"} {
				got := want
				if slices.Contains(wrong, want) {
					got = "other"
				}
				r := trial("v", eval.NoFault, fmt.Sprint(i), 1, got)
				r.Scores[0] = eval.Score{Name: "route", Verdict: eval.PassIf(got == want), Actual: got,
					Expected: eval.OneOf{want}}
				list = append(list, r)
			}
			return list
		}
		var names []string
		for _, p := range between(compare.Selection{}, source("x", labeled()...),
			source("y", labeled("c", "d")...))[0].Pairs[0].Classes {
			names = append(names, fmt.Sprint(p.Name, p.HasChanged()))
		}
		Expect(names).To(Equal([]string{"ctrue", "dtrue", "bfalse", "afalse"}))
	})

	It("ranks three runs, and lists for each run the others whose accuracy does not differ significantly", func() {
		c := between(compare.Selection{}, source("x", answers("v", "----------++")...),
			source("y", answers("v", "+++++++++-++")...), source("z", answers("v", "++++++++++++")...))[0]
		Expect(c.Ranking).To(Equal([]compare.Rank{{Candidate: 2, NotSignificantlyDifferentFrom: []int{1}},
			{Candidate: 1, NotSignificantlyDifferentFrom: []int{2}}, {Candidate: 0}}))
		Expect(c.Pairs).To(HaveLen(3))
		Expect(*c.Pairs[0].Accuracy.AdjustedP).To(BeNumerically(">", *c.Pairs[0].Accuracy.P))
	})

	It("returns the same comparison for any order of the results", func() {
		a, b := answers("v", "++--+--"), answers("v", "+-+++++")
		want := between(compare.Selection{}, source("old", a...), source("new", b...))
		slices.Reverse(a)
		slices.Reverse(b)
		Expect(between(compare.Selection{}, source("old", a...), source("new", b...))).To(Equal(want))
	})

	Describe("and their variants", func() {
		both := func(name string) compare.RunData {
			return source(name, slices.Concat(answers("v", "++-"), answers("w", "+--"), answers("a=b", "---"))...)
		}
		sides := func(list []compare.Comparison) (names []string) {
			for _, c := range list {
				text := ""
				for _, s := range c.Candidates {
					text += s.Run + "/" + s.Variant + " "
				}
				names = append(names, text)
			}
			return names
		}

		It("compares variants of the same name", func() {
			Expect(sides(between(compare.Selection{}, both("x"), both("y")))).
				To(Equal([]string{"x/v y/v ", "x/w y/w ", "x/a=b y/a=b "}))
		})

		It("compares the only variant of each run, even if the names differ", func() {
			Expect(sides(between(compare.Selection{}, source("x", answers("v", "+")...),
				source("y", answers("w", "+")...)))).To(Equal([]string{"x/v y/w "}))
		})

		DescribeTable("compares the requested variants", func(asked, want string) {
			Expect(sides(between(compare.Selection{Variants: []string{asked}}, both("x"), both("y")))).
				To(Equal([]string{want}))
		},
			Entry("one name: the variant of this name in both runs", "v", "x/v y/v "),
			Entry("V=W: variant V of the first run with W of the second", "v=w", "x/v y/w "),
			Entry("a name that contains an equals sign", "a=b", "x/a=b y/a=b "),
			Entry("V=W, where W contains an equals sign", "v=a=b", "x/v y/a=b "),
			Entry("V=W, where V contains an equals sign", "a=b=w", "x/a=b y/w "),
		)

		It("notes variants that are not in all runs", func() {
			c := between(compare.Selection{}, both("x"), source("y", answers("w", "+--")...))
			Expect(sides(c)).To(Equal([]string{"x/w y/w "}))
			Expect(c[0].Notes).To(Equal(
				[]string{"Not in all runs, and so not compared: variant v of s, variant a=b of s."}))
		})

		It("30.3: pairs the agents of different targets, and the baseline models of the same name", func() {
			a := source("x", slices.Concat(answers("http", "++-"), answers("linear", "+--"))...)
			b := source("y", slices.Concat(answers("exec", "++-"), answers("linear", "+--"))...)
			c := source("z", slices.Concat(answers("zero-shot", "++-"), answers("few-shot", "+--"))...)
			for i, s := range []*compare.RunData{&a, &b, &c} {
				s.Suites[0].Target = []string{"http", "exec", "prompt"}[i]
				for j, of := range s.Suites[0].Conditions {
					s.Suites[0].Conditions[j].BaselineModel = of.Variant == "linear"
				}
			}
			Expect(sides(between(compare.Selection{}, a, b))).
				To(Equal([]string{"x/http y/exec ", "x/linear y/linear "}))
			Expect(comparisonError(compare.Selection{}, a, b, c)).To(HaveSuffix("pair them with --variant V=W=X"))
			Expect(sides(between(compare.Selection{Variants: []string{"http=exec=few-shot"}}, a, b, c))).
				To(Equal([]string{"x/http y/exec z/few-shot "}))
			Expect(comparisonError(compare.Selection{Variants: []string{"http=exec=few"}}, a, b, c)).
				To(Equal(`--variant: z: unknown variant "few" (known: zero-shot, few-shot)`))
		})

		It("30.3: compares all variants of a single run with its baseline variant", func() {
			one := both("x")
			Expect(sides(between(compare.Selection{}, one))).To(Equal([]string{"x/v x/w x/a=b "}))
			one.Suites[0].BaselineVariant = "w"
			Expect(sides(between(compare.Selection{}, one))).To(Equal([]string{"x/w x/v x/a=b "}))
			faulty := answers("v", "+--")
			for i := range faulty {
				faulty[i].Fault = "f"
			}
			more := source("x", slices.Concat(answers("v", "++-"), faulty, answers("w", "+--"))...)
			Expect(comparisonError(compare.Selection{Faults: []string{"f"}}, more)).
				To(Equal(`x: suite s, variant w: unknown fault "f" (known: none)`))
			Expect(sides(between(compare.Selection{}, more))).To(Equal([]string{"x/v x/w "}))
		})

		It("30.3: compares only the suites of a single run that have several variants", func() {
			one := both("x")
			one.Suites = append(one.Suites, eval.SuiteSummary{Name: "single", Target: "t",
				Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}}})
			list := between(compare.Selection{}, one)
			Expect(sides(list)).To(Equal([]string{"x/v x/w x/a=b "}))
			Expect(list[0].Notes).To(Equal([]string{"Not compared: suite single."}))
		})

		It("compares two variants of one run", func() {
			Expect(sides(between(compare.Selection{Variants: []string{"v", "w"}}, both("x")))).
				To(Equal([]string{"x/v x/w "}))
		})

		DescribeTable("returns an error for an invalid request",
			func(why string, c compare.Selection, sources ...compare.RunData) {
				Expect(comparisonError(c, sources...)).To(Equal(why))
			},
			Entry("a variant that neither run has", `--variant: y: unknown variant "other" (known: v, w, a=b)`,
				compare.Selection{Variants: []string{"other"}}, both("x"), both("y")),
			Entry("a variant that the second run does not have",
				`--variant: y: unknown variant "ww", did you mean "w"?`,
				compare.Selection{Variants: []string{"v=ww"}}, both("x"), both("y")),
			Entry("V=W with three runs", `--variant v=w: names 2 variants for 3 runs: write V=W=X`,
				compare.Selection{Variants: []string{"v=w"}}, both("x"), both("y"), both("z")),
			Entry("a single run without two variants",
				`x is one run: name another, or two of its variants with --variant (v)`,
				compare.Selection{}, source("x", answers("v", "++-")...)),
			Entry("30.3: a single run with too many variants",
				`17 variants are more than 16 to compare at once: choose some with --variant (`+
					strings.Join(seventeen, ", ")+`)`,
				compare.Selection{}, source("x", many(seventeen)...)),
			Entry("runs without a variant in common",
				`no variant of suite s is in all runs: x has v, w, a=b, y has u; pair them with --variant V=W`,
				compare.Selection{}, both("x"), source("y", answers("u", "+")...)),
			Entry("a fault that did not run", `x: suite s, variant v: unknown fault "f" (known: none)`,
				compare.Selection{Variants: []string{"v"}, Faults: []string{"f"}}, both("x"), both("y")),
			Entry("a suite that the runs do not have", `x: unknown suite "other" (known: s)`,
				compare.Selection{Suites: []string{"other"}}, both("x"), both("y")),
		)
	})

	Describe("with different cases, systems or settings", func() {
		old := func() compare.RunData { return source("old", answers("v", "++--+--")...) }

		It("returns an error if the runs have different cases, unless only the common cases are requested", func() {
			short := source("new", answers("v", "+++")...)
			Expect(comparisonError(compare.Selection{}, old(), short)).
				To(Equal("suite s: only 3 of 7 cases are in all of them; --common-cases compares those"))
			c := between(compare.Selection{CommonCases: true}, old(), short)[0]
			Expect(c.Cases).To(BeEquivalentTo(3))
			Expect(*c.Candidates[0].Accuracy.Value).To(Equal(2.0 / 3))
			Expect(c.Notes).To(ContainElement(ContainSubstring("3 of 7 cases")))
		})

		It("returns an error if the runs have no case in common", func() {
			other := answers("v", "+")
			other[0].Case = "other"
			Expect(comparisonError(compare.Selection{CommonCases: true}, old(), source("new", other...))).
				To(Equal("suite s: no case is in both old and new"))
		})

		DescribeTable("15.15: returns an error that names the changed part of a case",
			func(what string, change func(*eval.Result)) {
				changed := answers("v", "++--+--")
				changed[2].Text = "now"
				change(&changed[2])
				before := answers("v", "++--+--")
				before[2].Text = "now"
				Expect(comparisonError(compare.Selection{}, source("old", before...), source("new", changed...))).
					To(Equal(`suite s: 1 of 7 cases changed between the runs (` + what +
						`: 1), the first is "c02"; --common-cases leaves them out`))
				c := between(compare.Selection{CommonCases: true}, source("old", before...),
					source("new", changed...))[0]
				Expect(c.Cases).To(BeEquivalentTo(6))
				Expect(c.Notes).To(ContainElement("1 of 7 cases changed between the runs (" + what +
					": 1) and are left out."))
			},
			Entry("the text in the results", "text", func(r *eval.Result) { r.Text = "later" }),
			Entry("the label in the results", "labels",
				func(r *eval.Result) { r.Scores[0].Expected = eval.OneOf{"no"} }),
			Entry("the text, detected by the case hash", "text",
				func(r *eval.Result) { r.CaseHash = "eeeeeeee.bbbbbbbb.cccccccc" }),
			Entry("the history, detected by the case hash", "history or input",
				func(r *eval.Result) { r.CaseHash = "aaaaaaaa.eeeeeeee.cccccccc" }),
			Entry("the labels of a conversation, detected by the case hash", "labels", func(r *eval.Result) {
				r.CaseHash, r.Turns = "aaaaaaaa.bbbbbbbb.eeeeeeee", make([]eval.TurnSummary, 2)
			}),
		)

		It("15.15: notes results without a case hash, for which changes are hard to detect", func() {
			older := answers("v", "++--+--")
			older[3].CaseHash = ""
			note := ContainElement(HavePrefix("1 of 7 cases have rows of an older evalctl, without a case hash"))
			first, last := source("old", older...), old()
			first.NoManifest = true
			Expect(between(compare.Selection{}, first, last)[0].Notes).To(note)
			first.NoManifest, first.DatasetHashes, last.DatasetHashes = false,
				map[string]string{"s": "before"}, map[string]string{"s": "now"}
			Expect(between(compare.Selection{}, first, last)[0].Notes).To(note)
			first.DatasetHashes = last.DatasetHashes
			Expect(between(compare.Selection{}, first, last)[0].Notes).NotTo(note)
		})

		It("returns an error if the trials of only one run stopped after the decision", func() {
			decided := old()
			decided.Name, decided.Suites[0].DecisionOnly = "new", true
			Expect(comparisonError(compare.Selection{}, old(), decided)).
				To(HavePrefix("suite s: old ran the whole answer, new ran the decision only"))
		})

		It("returns an error if only one run is restricted to cases that failed before, even with common cases",
			func() {
				picked := source("new", answers("v", "---")...)
				picked.Suites[0].FailedInRun = "runs/old"
				for _, common := range []bool{false, true} {
					why := comparisonError(compare.Selection{CommonCases: common}, old(), picked)
					Expect(why).To(Equal("suite s: old has cases that were not selected by result, new has only those that failed in runs/old: cases that failed once failed partly by chance, and do better in any other run"))
					Expect(why).NotTo(ContainSubstring("--common-cases"))
				}
				Expect(comparisonError(compare.Selection{CommonCases: true}, picked, old())).
					To(HavePrefix("suite s: new has only those"))
			})

		It("adds a note if all runs are restricted to the cases that failed in the same run", func() {
			one, other := source("one", answers("v", "---")...), source("other", answers("v", "-++")...)
			one.Suites[0].FailedInRun, other.Suites[0].FailedInRun = "runs/old", "runs/old"
			Expect(between(compare.Selection{}, one, other)[0].Notes).
				To(ConsistOf(HavePrefix("Only cases that failed in runs/old are compared")))
		})

		It("compares only the cases that both runs scored, and notes how many are left out", func() {
			list := answers("v", "++--+--")
			for i := range 3 {
				list[i].Scores[0].Verdict, list[i].Scores[0].Actual, list[i].Cost = eval.Unscored, "", nil
			}
			c := between(compare.Selection{}, old(), source("new", list...))[0]
			Expect(c.Notes).To(Equal(
				[]string{"3 of 7 cases are left out of every figure: not all runs have a score for them."}))
			Expect(c.Cases).To(BeEquivalentTo(4))
			for _, s := range c.Candidates {
				Expect([]any{s.Accuracy.N, *s.Accuracy.Value}).To(Equal([]any{int64(4), 0.25}))
			}
			v := c.Pairs[0]
			Expect([]any{v.State, v.Cases, v.Unpaired}).To(Equal([]any{eval.Identical, int64(4), int64(3)}))
		})

		It("reports insufficient data if a run is mostly unscored; two other runs are still compared over all cases",
			func() {
				list := answers("v", "++--+--")
				for i := range 5 {
					list[i].Scores[0].Verdict = eval.Unscored
				}
				Expect(between(compare.Selection{}, old(), source("new", list...))[0].Pairs[0].State).
					To(Equal(eval.InsufficientData))
				c := between(compare.Selection{}, old(), source("new", list...),
					source("third", answers("v", "+++++++")...))[0]
				Expect([]int64{c.Cases, c.Pairs[0].Cases, c.Pairs[1].Cases}).To(Equal([]int64{7, 2, 7}))
				Expect(c.Pairs[0].State).To(Equal(eval.InsufficientData))
			})

		It("reports the models that each run used", func() {
			a, b := old(), old()
			a.Suites[0].Models = []eval.ModelInfo{{Component: "router", Kind: "simulated"},
				{Component: "chat", Kind: "real", Variants: []string{"w"}}}
			b.Suites[0].Dataset = "d.jsonl"
			c := between(compare.Selection{}, a, b)[0]
			Expect(c.Candidates[0].Models).To(Equal([]eval.ModelInfo{{Component: "router", Kind: "simulated"}}))
			Expect([]string{c.Candidates[0].Dataset, c.Candidates[1].Dataset}).To(Equal([]string{"", "d.jsonl"}))
		})

		It("counts the turns that lack a latency, and then reports no latency ratio", func() {
			first, other := old(), old()
			other.Name = "new"
			for i, s := range []*compare.RunData{&first, &other} {
				list := answers("v", "++--+--")
				for j := range list {
					list[j].Turns = []eval.TurnSummary{{Duration: eval.Millis((i + j + 1) * 1e6), Answered: true}}
				}
				if i == 1 {
					list[0].Turns[0].ErrorReply, list[0].Turns[0].ErrorReplyCause = "sorry", "timeout"
				}
				s.Results = each(slices.Concat(list, nil))
			}
			c := between(compare.Selection{}, first, other)[0]
			Expect([]int64{c.Candidates[0].P95.Missing, c.Candidates[1].P95.Missing, c.Candidates[1].P95.N}).
				To(Equal([]int64{0, 1, 6}))
			Expect(c.Pairs[0].Ratios).NotTo(HaveKey("latency.p95"))
		})

		It("30.3: compares different targets over the same cases, and never their prompts", func() {
			first, other := old(), source("new", answers("w", "+-+++++")...)
			other.Suites[0].Target, other.Suites[0].Name = "u", "s2"
			other.Results = each(inSuite("s2", answers("w", "+-+++++")))
			first.Prompts = []compare.Prompt{{Suite: "s", Variant: "v", Setting: "prompt", ID: "1", Text: "a"}}
			other.Prompts = []compare.Prompt{{Suite: "s2", Variant: "w", Setting: "prompt", ID: "2", Text: "b"}}
			c := between(compare.Selection{}, first, other)[0]
			Expect([]int64{c.Cases, c.Pairs[0].Fixed, c.Pairs[0].Broken}).To(Equal([]int64{7, 4, 1}))
			Expect(c.Prompts).To(BeEmpty())
			Expect(c.Notes).To(BeEmpty())
			other.Suites[0].DecisionOnly = true
			Expect(between(compare.Selection{}, first, other)[0].Notes).To(Equal([]string{
				"old ran the whole answer, new ran the decision only: their costs and latencies are not of the same work."}))
			other.Results = each(inSuite("s2", answers("w", "+++")))
			Expect(comparisonError(compare.Selection{}, first, other)).
				To(HaveSuffix("only 3 of 7 cases are in all of them; --common-cases compares those"))
		})

		It("30.2: names the prompts that only one side has", func() {
			prompts := func(run *compare.RunData, list ...compare.Prompt) {
				run.Prompts = []compare.Prompt{}
				for _, p := range list {
					p.Suite, p.Variant, p.ID = "s", "v", p.Setting+p.File
					run.Prompts = append(run.Prompts, p)
				}
			}
			first, other := old(), old()
			other.Name = "new"
			prompts(&first, compare.Prompt{Setting: "prompt"}, compare.Prompt{Setting: "critic-prompt"})
			prompts(&other, compare.Prompt{Setting: "prompt"}, compare.Prompt{Setting: "style-prompt", File: "p2.md"})
			Expect(between(compare.Selection{}, first, other)[0].Prompts).To(Equal([]compare.PromptChange{
				{Candidate: 1, Setting: "critic-prompt", OnlyIn: new(0)},
				{Candidate: 1, Setting: "style-prompt", To: "p2.md", OnlyIn: new(1)},
			}))
			prompts(&first)
			Expect(between(compare.Selection{}, first, other)[0].Prompts).To(Equal([]compare.PromptChange{
				{Candidate: 1, Setting: "style-prompt", To: "p2.md", OnlyIn: new(1)},
			}), "a side without prompts, such as a baseline model, lacks the built-in ones for a reason")
			first.Prompts = nil
			Expect(between(compare.Selection{}, first, other)[0].Prompts).To(BeEmpty(), "it stored none")
		})

		It("30.3: compares the labels themselves if the targets read them from different fields", func() {
			first, other := old(), old()
			other.Name, other.Suites[0].Target = "new", "u"
			first.LabelFields, other.LabelFields = map[string]string{"s": "route"}, map[string]string{"s": "label"}
			changed := func(change func(*eval.Result)) compare.RunData {
				list := answers("v", "++--+--")
				for i := range list {
					list[i].CaseHash = "aaaaaaaa.bbbbbbbb.eeeeeeee"
				}
				change(&list[3])
				other.Results = each(list)
				return other
			}
			Expect(between(compare.Selection{}, first, changed(func(*eval.Result) {}))[0].Cases).To(Equal(int64(7)))
			Expect(comparisonError(compare.Selection{}, first,
				changed(func(r *eval.Result) { r.Scores[0].Expected = eval.OneOf{"no"} }))).
				To(ContainSubstring(`1 of 7 cases changed between the runs (labels: 1), the first is "c03"`))
			Expect(comparisonError(compare.Selection{}, first,
				changed(func(r *eval.Result) { r.CaseHash = "ffffffff.bbbbbbbb.eeeeeeee" }))).
				To(ContainSubstring(`(text: 1)`))
			same := changed(func(*eval.Result) {})
			same.LabelFields = first.LabelFields
			Expect(comparisonError(compare.Selection{}, first, same)).To(ContainSubstring("7 of 7 cases changed"))
		})

		It("15.12: notes different numbers of parallel trials, because latencies depend on them", func() {
			first, other := old(), old()
			first.Parallel, other.Name, other.Parallel = "1", "new", "16"
			const note = "old ran at -j 1, new at -j 16: latencies depend on how many trials run at once."
			Expect(between(compare.Selection{}, first, other)[0].Notes).To(ContainElement(note))
			other.Parallel = "1"
			Expect(between(compare.Selection{}, first, other)[0].Notes).NotTo(ContainElement(ContainSubstring("-j")))
		})

		It("notes different seeds, different clocks and an unfinished run", func() {
			one, two := uint64(1), uint64(2)
			first, other := old(), old()
			first.Seed, other.Seed, other.Partial, other.Name = &one, &two, true, "new"
			other.Suites[0].Clock = "real"
			for i, s := range []*compare.RunData{&first, &other} {
				list := answers("v", "++--+--")
				for j := range list {
					list[j].Turns = []eval.TurnSummary{{Duration: eval.Millis((i + j + 1) * 1e6), Answered: true}}
				}
				s.Results = each(slices.Concat(list, nil))
			}
			other.Results = each(answers("v", "++--+"))
			c := between(compare.Selection{}, first, other)[0]
			Expect(c.Notes).To(Equal([]string{"5 of 7 cases are compared: those that are the same in all runs.",
				"new did not end: only the trials that it ran are compared.",
				"The runs have different seeds. Simulated models drew other random numbers in each, which adds differences.",
				"One run took simulated time, another real time: latencies are not compared."}))
			Expect(c.Pairs[0].Ratios).NotTo(Or(HaveKey("latency.p50"), HaveKey("latency.p95")))
		})
	})

	It("returns the error of results that cannot be read", func() {
		broken := errors.New("results.jsonl:2: broken")
		s := source("x", answers("v", "+")...)
		s.Results = func(yield func(eval.Result, error) bool) { yield(eval.Result{}, broken) }
		_, err := compare.Runs([]compare.RunData{s, s}, compare.Selection{})
		Expect(err).To(MatchError(broken))
	})
})
