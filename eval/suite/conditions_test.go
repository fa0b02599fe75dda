package suite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// cases returns n cases that expect the label chat.
func cases(n int) iter.Seq2[eval.Case, error] {
	return func(yield func(eval.Case, error) bool) {
		for i := range n {
			id := fmt.Sprintf("c%02d", i)
			step := eval.LabeledTurn{Turn: agent.Turn{Text: "随便聊聊 " + id},
				Expected: json.RawMessage(`{"route":"chat"}`)}
			if !yield(eval.Case{ID: id, LineHash: id, Turns: []eval.LabeledTurn{step}}, nil) {
				return
			}
		}
	}
}

// settings returns the settings hash of the suite's first variant.
func settings(s suite.Suite) string {
	GinkgoHelper()
	conditions, err := conditionsOf(s, simulated(nil))
	Expect(err).NotTo(HaveOccurred())
	return conditions[0].SettingsHash
}

// run runs n cases of the suite and returns the results as sorted JSON lines.
func run(s suite.Suite, n, parallel int, faults map[string]string) (lines []string) {
	GinkgoHelper()
	conditions, err := conditionsOf(s, simulated(faults))
	Expect(err).NotTo(HaveOccurred())
	r := eval.Runner{Parallel: parallel, Timeout: time.Hour, SimulatedClock: true}
	Expect(r.Run(context.Background(), suite.Trials(conditions, cases(n), s.Epochs, 1),
		eval.SinkFunc(func(r eval.Result) error {
			b, err := json.Marshal(r)
			lines = append(lines, string(b))
			return err
		}))).To(Succeed())
	slices.Sort(lines)
	return lines
}

var _ = Describe("Conditions", func() {
	It("creates a condition for each variant and fault, with the fault-free one first", func() {
		s := parse(`name: mine
target: toolrouter
dataset: toolrouter
faults: ["chat:auth"]
variants:
  - {name: a, router: rules}
  - {name: b, router: llm, faults: ["router:timeout", "router:timeout", "image:reset"]}
  - {name: c, router: llm, faults: []}
`)
		conditions, err := conditionsOf(s, simulated(nil))
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, c := range conditions {
			Expect(c.Suite).To(Equal("mine"))
			names = append(names, c.Variant+" "+c.Fault)
		}
		Expect(names).To(Equal([]string{"a none", "a chat:auth", "b none", "b router:timeout",
			"b image:reset", "c none"}))
	})

	It("returns an error that names the variant whose prompt cannot be read", func() {
		s := parse(small + "    prompt: nowhere.md\n")
		_, err := conditionsOf(s, simulated(nil))
		Expect(err).To(MatchError(os.ErrNotExist))
		Expect(err).To(MatchError(HavePrefix("variant llm-first: prompt: ")))
	})

	Describe("has a settings hash", func() {
		same := func(change func(*suite.Suite)) bool {
			GinkgoHelper()
			s, changed := parse(small+"models: {chat: {model: a}}\n"), parse(small+"models: {chat: {model: a}}\n")
			change(&changed)
			return settings(s) == settings(changed)
		}
		DescribeTable("that changes with everything that can change an answer",
			func(change func(*suite.Suite)) { Expect(same(change)).To(BeFalse()) },
			Entry("another router", func(s *suite.Suite) { set(s, "router", "llm") }),
			Entry("another threshold", func(s *suite.Suite) { set(s, "threshold", "0.7") }),
			Entry("another real model", func(s *suite.Suite) { s.Variants[0].Model = "x" }),
			Entry("another URL of the model", func(s *suite.Suite) { s.Variants[0].BaseURL = "http://x" }),
			Entry("another model of a component", func(s *suite.Suite) { s.Models["chat"] = suite.Model{Model: "b"} }),
			Entry("another behavior of a simulated model", func(
				s *suite.Suite) {
				s.Models["router"] = suite.Model{Simulated: suite.Simulated{Accuracy: new(0.5)}}
			}),
			Entry("another timeout", func(s *suite.Suite) { s.Timeout = time.Second }),
			Entry("X7: another prompt", func(s *suite.Suite) { set(s, "prompt", write("p.md", "只回 json。")) }),
		)
		DescribeTable("that does not change with anything else",
			func(change func(*suite.Suite)) { Expect(same(change)).To(BeTrue()) },
			Entry("another name of the variant", func(s *suite.Suite) { s.Variants[0].Name = "other" }),
			Entry("a default value that is stated explicitly",
				func(s *suite.Suite) { set(s, "threshold", "0.6"); s.DecisionOnly = false }),
			Entry("another baseline variant", func(s *suite.Suite) { s.BaselineVariant = s.Variants[0].Name }),
			Entry("another name of the suite", func(s *suite.Suite) { s.Name = "other" }),
			Entry("other faults, which are a separate part of a trial's key",
				func(s *suite.Suite) { s.Faults = []string{"chat:auth"} }),
			Entry("another selection of cases",
				func(s *suite.Suite) { s.Split, s.Limit, s.Tags, s.Epochs = "dev", 3, []string{"zh"}, 2 }),
		)

		It("X7: that depends on the content of a prompt, not on its path", func() {
			with := func(text string) string {
				return settings(parse(small + "    prompt: " + write("p.md", text) + "\n"))
			}
			Expect(with("甲 json")).To(Equal(with("甲 json")))
			Expect(with("甲 json")).NotTo(Equal(with("乙 json")))
		})

		It("that depends on the content of a script, not on its path", func() {
			with := func(text string) string {
				return settings(parse(small + "models: {chat: {behavior: scripted, script: " +
					write("s.yaml", text) + "}}\n"))
			}
			Expect(with("default: {content: 甲}")).To(Equal(with("default: {content: 甲}")))
			Expect(with("default: {content: 甲}")).NotTo(Equal(with("default: {content: 乙}")))
		})
	})

	It("X8: give the same results for any number of parallel trials", func() {
		s := parse(small + "    faults: [\"router:server_error%50\"]\nepochs: 2\n")
		faults := map[string]string{"router:server_error%50": "router:server_error%50"}
		one := run(s, 10, 1, faults)
		Expect(one).To(HaveLen(40))
		Expect(run(s, 10, 8, faults)).To(Equal(one))
	})

	It("limit each trial by the timeout of the suite", func() {
		s := parse(small + "timeout: 3s\n")
		lines := run(s, 1, 1, map[string]string{eval.NoFault: "router:timeout"})
		Expect(lines).NotTo(BeEmpty())
		for _, line := range lines {
			Expect(line).To(And(ContainSubstring(`"kind":"timeout"`), ContainSubstring(`"duration_ms":3000`),
				ContainSubstring(`"correct":null`)))
		}
	})
})

var _ = Describe("Trials", func() {
	collect := func(epochs int, c iter.Seq2[eval.Case, error]) (list []eval.Trial, err error) {
		conditions := []*eval.Condition{{Variant: "a"}, {Variant: "b"}}
		for t, e := range suite.Trials(conditions, c, epochs, 7) {
			if e != nil {
				return list, e
			}
			list = append(list, t)
		}
		return list, nil
	}

	It("returns the trials case by case, then epoch by epoch, in every condition", func() {
		list, err := collect(2, cases(2))
		Expect(err).NotTo(HaveOccurred())
		var output []string
		for _, t := range list {
			Expect(t.Seed).To(Equal(uint64(7)))
			output = append(output, fmt.Sprintf("%s %d %s", t.Case.ID, t.Epoch, t.Condition.Variant))
		}
		Expect(strings.Join(output, " ")).To(Equal("c00 1 a c00 1 b c00 2 a c00 2 b c01 1 a c01 1 b c01 2 a c01 2 b"))
	})

	It("returns one epoch by default", func() {
		list, err := collect(0, cases(3))
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(6))
	})

	It("returns trials with different keys", func() {
		list, err := collect(3, cases(20))
		Expect(err).NotTo(HaveOccurred())
		keys := map[string]bool{}
		for _, t := range list {
			keys[t.Key()] = true
		}
		Expect(keys).To(HaveLen(len(list)))
	})

	It("ends at the first invalid case", func() {
		broken := errors.New("cases.jsonl:2: broken")
		list, err := collect(1, func(yield func(eval.Case, error) bool) {
			if yield(eval.Case{ID: "c"}, nil) {
				yield(eval.Case{}, broken)
			}
		})
		Expect(err).To(MatchError(broken))
		Expect(list).To(HaveLen(2))
	})

	It("stops when the caller stops", func() {
		n := 0
		for range suite.Trials([]*eval.Condition{{}}, cases(100), 1, 0) {
			if n++; n == 3 {
				break
			}
		}
		Expect(n).To(Equal(3))
	})
})
