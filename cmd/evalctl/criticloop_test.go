package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/agent/studio"
	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval"
)

// criticCases is the file of the shipped cases in which the image of each attempt has a label.
const criticCases = "../../datasets/studio/critic.jsonl"

// knownCritic returns a suite file in which nothing is random except the noise of the critic, with
// this spread.
func knownCritic(spread float64) string {
	return fileOf("known.yaml", fmt.Sprintf(`
name: known
target: studio
dataset: studio
variants:
  - {name: v2, profile: v2, critic: vision}
  - {name: v1, profile: v1, critic: vision}
models:
  router: {behavior: labeled, accuracy: 1, slot_accuracy: 1, calibration: [{confidence: 0.9, accuracy: 1}]}
  critic: {behavior: labeled, score_noise: %v}
`, spread))
}

// labeledImages returns, for each case, the labels of the images of its attempts: quality, and
// whether it is acceptable.
func labeledImages() (cases [][]eval.ImageLabel) {
	GinkgoHelper()
	data, err := datasets.Open(criticCases, datasets.Schema{Target: "studio", Contract: studio.System().Contract})
	Expect(err).NotTo(HaveOccurred())
	for c, err := range data.Stream(datasets.Filter{}) {
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Turns).To(HaveLen(1))
		images, err := c.Turns[0].ImageLabels()
		Expect(err).NotTo(HaveOccurred())
		Expect(images).NotTo(BeEmpty())
		cases = append(cases, images)
	}
	return cases
}

// nth returns the label of the image that an attempt, counted from 1, generates. All attempts
// beyond the last label repeat it.
func nth(images []eval.ImageLabel, try int) eval.ImageLabel {
	return images[min(try, len(images))-1]
}

// passProbability returns the probability that a critic's score passes the bar. The score is the
// quality plus normal noise, rounded to three decimals. If above is true it must exceed the bar
// (v2), otherwise an equal score passes too (v1).
func passProbability(quality, spread, bar float64, above bool) float64 {
	edge := bar - 0.0005 // rounds to the bar
	if above {
		edge = bar + 0.0005
	}
	if spread == 0 {
		if quality > edge {
			return 1
		}
		return 0
	}
	return 1 - distuv.Normal{Mu: quality, Sigma: spread}.CDF(edge)
}

// loopPrediction has the expected numbers of a Critic loop over the cases.
type loopPrediction struct {
	reached, passed []float64 // expected cases that reach an attempt, and that pass it
	variance        []float64 // variance of reached
	exhausted       float64
	bad, accepted   float64 // expected attempts with bad images, and those accepted
	good, rejected  float64
}

// predict computes the expected numbers: it weights each attempt of each case by the probability
// that it happens.
func predict(cases [][]eval.ImageLabel, spread, bar float64, above bool, tries int) (p loopPrediction) {
	p.reached, p.passed, p.variance = make([]float64, tries), make([]float64, tries), make([]float64, tries)
	for _, images := range cases {
		here := 1.0
		for try := 1; try <= tries; try++ {
			image := nth(images, try)
			chance := passProbability(image.Quality, spread, bar, above)
			p.reached[try-1] += here
			p.variance[try-1] += here * (1 - here)
			p.passed[try-1] += here * chance
			if image.Acceptable {
				p.good += here
				p.rejected += here * (1 - chance)
			} else {
				p.bad += here
				p.accepted += here * chance
			}
			here *= 1 - chance
		}
		p.exhausted += here
	}
	return p
}

var _ = Describe("the table of Critic loops in a report, with a critic of known noise", func() {
	suites := map[float64]string{} // suite files by the spread of their critic's noise
	run := func(spread float64, epochs int) map[string]eval.ConditionSummary {
		GinkgoHelper()
		if suites[spread] == "" {
			suites[spread] = write(filepath.Join(home, fmt.Sprintf("critic%v.yaml", spread)), read(knownCritic(spread)))
		}
		dir := sharedRunOf("run", suites[spread], "--dataset", criticCases, "--epochs", fmt.Sprint(epochs)).dir
		conditions := map[string]eval.ConditionSummary{}
		for _, c := range summaryOf(dir).Suites[0].Conditions {
			conditions[c.Variant] = c
		}
		return conditions
	}
	value := func(e eval.Estimate) float64 {
		GinkgoHelper()
		Expect(e.Value).NotTo(BeNil())
		return *e.Value
	}

	DescribeTable("S5: has exactly the numbers that follow from the labels if the critic has no noise",
		func(profile string, bar float64, above bool, tries int) {
			c := run(0, 1)[profile]
			p := predict(labeledImages(), 0, bar, above, tries)
			Expect(p.exhausted).To(BeNumerically(">", 0))
			Expect(p.reached[tries-1]).To(BeNumerically(">", 0))
			cases := p.reached[0]
			Expect(c.LoopRounds).To(HaveLen(tries))
			loops := 0.0
			for i, l := range c.LoopRounds {
				Expect(float64(l.ReachedTurns)).To(Equal(p.reached[i]), "loop %d", i+1)
				Expect(value(l.Passed)).To(BeNumerically("~", p.passed[i]/p.reached[i], 1e-12))
				loops += p.reached[i]
			}
			Expect(value(c.Metrics["critic.loops_mean"])).To(BeNumerically("~", loops/cases, 1e-9))
			Expect(value(c.Metrics["critic.pass_rate"])).To(BeNumerically("~", 1-p.exhausted/cases, 1e-12))
			Expect(value(c.Metrics["critic.exhausted_rate"])).To(BeNumerically("~", p.exhausted/cases, 1e-12))
			Expect(value(c.Metrics["critic.false_accept"])).To(BeNumerically("~", p.accepted/p.bad, 1e-12))
			Expect(value(c.Metrics["critic.false_reject"])).To(BeNumerically("~", p.rejected/p.good, 1e-12))
			Expect(float64(c.LoopRounds[tries-1].Exhausted)).To(Equal(p.exhausted))
		},
		Entry("v2: an image passes above 0.7, at most 4 images", "v2", 0.7, true, 4),
		Entry("v1: an image passes at 0.6 or more, at most 3 images", "v1", 0.6, false, 3),
	)

	DescribeTable("S5: has the numbers that the normal distribution predicts if the critic has normal noise",
		func(profile string, bar float64, above bool, tries int) {
			const spread, epochs = 0.1, 8
			c := run(spread, epochs)[profile]
			p := predict(labeledImages(), spread, bar, above, tries)
			for i, l := range c.LoopRounds {
				Expect(float64(l.ReachedTurns)).
					To(BeNumerically("~", epochs*p.reached[i], 4*math.Sqrt(epochs*p.variance[i])+1e-9), "loop %d", i+1)
				n := float64(l.ReachedTurns)
				rate := p.passed[i] / p.reached[i]
				Expect(value(l.Passed)).To(BeNumerically("~", rate, 4*math.Sqrt(rate*(1-rate)/n)+0.01), "loop %d", i+1)
			}
			n := epochs * p.reached[0]
			lost := p.exhausted / p.reached[0]
			Expect(value(c.Metrics["critic.exhausted_rate"])).To(BeNumerically("~", lost, 4*math.Sqrt(lost*(1-lost)/n)))
			wrong := p.accepted / p.bad
			Expect(value(c.Metrics["critic.false_accept"])).
				To(BeNumerically("~", wrong, 4*math.Sqrt(wrong*(1-wrong)/(epochs*p.bad))+0.01))
		},
		Entry("v2: an image passes above 0.7, at most 4 images", "v2", 0.7, true, 4),
		Entry("v1: an image passes at 0.6 or more, at most 3 images", "v1", 0.6, false, 3),
	)

	It("S5: has no score for a critic that does not receive the images, and does not show their labels",
		func() {
			dir := newRunDir()
			suite := fileOf("blind.yaml", strings.Replace(read(knownCritic(0)), "critic: vision", "critic: llm", 1))
			Expect(evalctl("run", suite, "--dataset", criticCases, "--second-judgment", "--out", dir).code).
				To(Equal(exit.Passed))
			blind, seeing := summaryOf(dir).Suites[0].Conditions[0], summaryOf(dir).Suites[0].Conditions[1]
			tries := int64(0)
			for _, l := range blind.LoopRounds {
				tries += l.ReachedTurns
			}
			accepted, rejected := blind.Metrics["critic.false_accept"], blind.Metrics["critic.false_reject"]
			Expect(accepted.N + rejected.N).To(BeZero())
			Expect(accepted.Missing + rejected.Missing).To(Equal(tries))
			Expect(value(blind.Metrics["critic.gain_per_loop"])).
				To(BeZero(), "the same words are as good each time, without noise")
			Expect(seeing.Metrics["critic.false_accept"].N).To(BeNumerically(">", 0))
			Expect(value(seeing.Metrics["critic.gain_per_loop"])).To(BeNumerically(">", 0.1))
			Expect(seeing.Metrics["critic.second.calls"].N).To(Equal(seeing.LoopRounds[1].ReachedTurns))
		})

	It("S5: includes second judgments if the suite or the flag requests them, but with a real model only if the flag does",
		func() {
			for _, c := range []struct {
				suite, flag string
				want        bool
			}{{"second_judgment: true", "", true}, {"", "", false}, {"", "--second-judgment", true},
				{"second_judgment: true", "--second-judgment=false", false}} {
				dir := newRunDir()
				args := []string{"run", fileOf("some.yaml", read(knownCritic(0))+c.suite+"\n"),
					"--dataset", criticCases,
					"--limit", "12", "--out", dir, "-q"}
				if c.flag != "" {
					args = append(args, c.flag)
				}
				Expect(evalctl(args...).code).To(Equal(exit.Passed))
				condition := summaryOf(dir).Suites[0].Conditions[0]
				Expect(condition.Metrics["critic.gain_per_loop"].Value != nil).To(Equal(c.want), c.suite+" "+c.flag)
				Expect(condition.Metrics["critic.raw_gain_per_loop"].Value).NotTo(BeNil())
			}
			var unsaid optionalBool
			Expect(unsaid.valueFor(true, true)).To(BeFalse(), "a real model's judgements cost as much again")
			Expect((&optionalBool{given: true, on: true}).valueFor(false, true)).To(BeTrue())
			got := evalctl("run", "toolrouter", "--second-judgment")
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(ContainSubstring("second_judgment: toolrouter has no critic"))
		})

	It("15.20: agrees with an independent script that reads only the results", func() {
		script, err := filepath.Abs("testdata/recount_critic.py")
		Expect(err).NotTo(HaveOccurred())
		dir := newRunDir()
		got := evalctl("run", "studio", "--profile", "v1,v2", "--critic", "vision,llm", "--tags", "generate",
			"--sample", "60", "--epochs", "2",
			"--fault", "critic:timeout%40", "--fault", "image:server_error%30", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(evalctl("report", dir, "--by", "loop").stdout).
			To(And(MatchRegexp(`First attempt good \S+ %, delivered good \S+ %: \S+ points`),
				ContainSubstring("regression to the mean")))
		out, err := exec.Command(interpreter("python3"), script, dir).Output()
		Expect(err).NotTo(HaveOccurred())
		var recounted map[string]map[string][5]*float64 // value, n, missing, lo, hi
		Expect(json.Unmarshal(out, &recounted)).To(Succeed())
		seen, missing := 0, int64(0)
		same := func(got, want *float64, what string) {
			GinkgoHelper()
			Expect(got == nil).To(Equal(want == nil), what)
			if want != nil {
				Expect(*got).To(BeNumerically("~", *want, 1e-9), what)
			}
		}
		for _, c := range summaryOf(dir).Suites[0].Conditions {
			for name, e := range c.Metrics {
				short, ok := strings.CutPrefix(name, "critic.")
				if !ok || strings.HasPrefix(short, "second.") {
					continue
				}
				what := fmt.Sprint(c.Variant, "/", c.Fault, " ", name)
				want := recounted["studio/"+c.Variant+"/"+c.Fault][short]
				Expect(want[1]).NotTo(BeNil(), what)
				same(e.Value, want[0], what)
				Expect([]float64{float64(e.N), float64(e.Missing)}).To(Equal([]float64{*want[1], *want[2]}), what)
				if short == "good_gain" {
					same(e.Lo, want[3], what)
					same(e.Hi, want[4], what)
					missing += e.Missing
				}
				seen++
			}
		}
		Expect(seen).To(BeNumerically(">", 100))
		Expect(missing).To(BeNumerically(">", 0), "some turns were cut off")
	})

	It("S5: has the numbers that uniform noise predicts for the heuristic critic of v2", func() {
		dir := newRunDir()
		var unmasked []string // cases without a mask, which would make the plan certain
		for line := range strings.Lines(read(criticCases)) {
			if !strings.Contains(line, `"mask":`) {
				unmasked = append(unmasked, line)
			}
		}
		Expect(len(unmasked)).To(BeNumerically(">", 50))
		cases, plays := fileOf("unmasked.jsonl", strings.Join(unmasked, "")), float64(20*len(unmasked))
		suite := fileOf("heuristic.yaml", `
name: heuristic
target: studio
dataset: studio
variants: [{name: v2, profile: v2, critic: heuristic}]
models:
  router: {behavior: labeled, accuracy: 1, slot_accuracy: 1, calibration: [{confidence: 0.6, accuracy: 1}]}
`)
		Expect(evalctl("run", suite, "--dataset", cases, "--epochs", "20", "--out", dir, "-q").code).
			To(Equal(exit.Passed))
		// A confidence of 0.6 plus noise from 0 to 0.2 passes 0.7 half of the time.
		c := summaryOf(dir).Suites[0].Conditions[0]
		n := value(c.Metrics["critic.loops_mean"])
		Expect(n).To(BeNumerically("~", 1+0.5+0.25+0.125, 4*math.Sqrt(1.11/plays)))
		Expect(value(c.Metrics["critic.exhausted_rate"])).
			To(BeNumerically("~", 1.0/16, 4*math.Sqrt(1.0/16*15/16/plays)))
		for i, l := range c.LoopRounds {
			Expect(value(l.Passed)).To(BeNumerically("~", 0.5, 4*math.Sqrt(0.25/float64(l.ReachedTurns))),
				"loop %d", i+1)
		}
	})
})
