package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// faultCases is the file of the shipped cases that have an expected outcome under a fault.
const faultCases = "../../datasets/studio/fault.jsonl"

func resultsOf(dir string) (rows []eval.Result) {
	GinkgoHelper()
	for r, err := range journal.ReadRunResults(dir) {
		Expect(err).NotTo(HaveOccurred())
		rows = append(rows, r)
	}
	return rows
}

// expecting returns the results of variant v2 under a fault that have an expected outcome.
func expecting(rows []eval.Result, fault string) (list []eval.Result) {
	for _, r := range rows {
		if r.Fault == fault && strings.HasPrefix(r.Variant, "v2") &&
			slices.ContainsFunc(r.Scores, func(s eval.Score) bool { return s.Name == "fallback" }) {
			list = append(list, r)
		}
	}
	return list
}

func callsOf(r eval.Result, node string) int64 {
	for _, n := range r.Nodes {
		if n.Node == node {
			return n.Calls
		}
	}
	return 0
}

var _ = Describe("the studio under faults", Ordered, func() {
	var dir string
	var rows []eval.Result
	of := func(fault string) []eval.Result {
		GinkgoHelper()
		list := expecting(rows, fault)
		Expect(len(list)).To(BeNumerically(">=", 5), "cases that expect something under "+fault)
		for _, r := range list {
			Expect(r.Error).To(BeNil(), r.Case)
			Expect(r.Correct).To(HaveValue(BeTrue()), "%s under %s: served %s", r.Case, fault, r.AnsweredBy)
		}
		return list
	}

	BeforeAll(func() {
		dir = newRunDir()
		sure := withFaults(withoutFaults(certainStudio("{confidence: 0.9, accuracy: 1}")), "v2", "router:timeout",
			"router:malformed_json", "router:empty_content",
			"style_library:server_error", "style_library:timeout", "image:server_error", "image:server_error@1",
			"image:timeout")
		sure = fileOf("sure.yaml",
			withFaults(sure, "v2-llm", "critic:timeout", "critic:server_error", "critic:malformed_json"))
		got := evalctl("run", sure, "--dataset", faultCases, "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		rows = resultsOf(dir)
	})

	It("S9: ends a planner that hangs, after exactly 10 s, with a failed AgentMessage", func() {
		for _, r := range of("router:timeout") {
			Expect(time.Duration(r.Duration)).To(Equal(10*time.Second), r.Case)
			Expect(r.AnsweredBy).To(Equal("failed"))
			Expect(r.Predicted).To(Equal("unknown"))
			Expect(r.Scores).To(ContainElement(And(HaveField("Name", "route"), HaveField("Verdict", eval.Unscored))),
				"nobody decided")
			Expect(r.ErrorReply).To(Equal("PLANNER_FAILED"))
			Expect(r.ErrorReplyCause).To(Equal("timeout"))
			Expect(callsOf(r, "planner")).To(BeEquivalentTo(1), "a timeout is not tried again")
			Expect(lastComponent(dir, r)).To(And(HaveKeyWithValue("widgetType", "AgentMessage"),
				HaveKeyWithValue("props", HaveKeyWithValue("state", "failed"))))
		}
	})

	It("S4: calls an executor 4 times if it always fails, and twice if it fails once", func() {
		for _, r := range of("image:server_error") {
			Expect(callsOf(r, "executor")).To(BeEquivalentTo(4), r.Case)
			Expect(r.ErrorReply).To(Equal("EXECUTOR_FAILED"))
		}
		for _, r := range of("image:server_error@1") {
			Expect(callsOf(r, "executor")).To(BeEquivalentTo(1+len(r.LoopRounds)), r.Case)
		}
	})

	It("S9: cancels an executor after 5 s if it hangs, and does not call it again", func() {
		for _, r := range of("image:timeout") {
			Expect(callsOf(r, "executor")).To(BeEquivalentTo(1), r.Case)
			i := slices.IndexFunc(r.Nodes, func(n eval.NodeVisit) bool { return n.Node == "executor" })
			Expect(time.Duration(r.Nodes[i].Duration)).To(Equal(5 * time.Second))
		}
	})

	DescribeTable("S5: accepts the image if the critic fails", func(fault string) {
		for _, r := range of(fault) {
			Expect(r.LoopRounds).To(HaveLen(1), r.Case)
			Expect(r.LoopRounds[0].Passed).To(BeTrue())
			Expect(r.LoopRounds[0].Reviewer).To(Equal("none"))
			Expect(r.Fallbacks).To(ContainElement(And(HaveField("From", "critic"), HaveField("To", "pass"))))
		}
	},
		Entry(nil, "critic:timeout"), Entry(nil, "critic:server_error"), Entry(nil, "critic:malformed_json"),
	)

	DescribeTable("S3: behaves as without the fault, except for one event, if the style library is unavailable",
		func(fault string) {
			whole := map[string]eval.Result{}
			for _, r := range rows {
				if r.Fault == eval.NoFault && r.Variant == "v2" {
					whole[r.Case] = r
				}
			}
			for _, r := range of(fault) {
				h := whole[r.Case]
				Expect(r.Predicted).To(Equal(h.Predicted), r.Case)
				Expect(r.AnsweredBy).To(Equal(h.AnsweredBy), r.Case)
				Expect(confidenceOf(r)).To(Equal(confidenceOf(h)), r.Case)
				Expect(scoresOf(r)).To(Equal(scoresOf(h)), r.Case)
				Expect(r.Fallbacks).To(HaveEach(And(HaveField("From", "rag"), HaveField("To", "original_prompt"))),
					r.Case)
				Expect(r.Fallbacks).NotTo(BeEmpty())
				Expect(h.Fallbacks).To(BeEmpty())
			}
		},
		Entry(nil, "style_library:server_error"), Entry(nil, "style_library:timeout"),
	)

	It("S2: uses the words of an unreadable plan, but not those of an empty one", func() {
		for _, r := range of("router:malformed_json") {
			Expect(r.Fallbacks).To(ContainElement(And(HaveField("From", "planner"), HaveField("To", "keywords"))),
				r.Case)
			if r.AnsweredBy == "failed" { // the fault left no readable action
				Expect(r.Predicted).To(Equal("unknown"), r.Case)
				continue
			}
			Expect(confidenceOf(r)).To(BeElementOf(0.6, 0.9), r.Case)
		}
		for _, r := range of("router:empty_content") {
			Expect(r.AnsweredBy).To(BeElementOf("failed", "inpainting"), r.Case)
		}
	})
})

// scoresOf returns the scores that the critic gave in a trial, in order.
func scoresOf(r eval.Result) (list []float64) {
	for _, l := range r.LoopRounds {
		list = append(list, l.Score)
	}
	return list
}

// lastComponent returns the last user interface component that a trial showed.
func lastComponent(dir string, r eval.Result) (component map[string]any) {
	GinkgoHelper()
	traces, err := journal.CaseTraces(dir, r.Case)
	Expect(err).NotTo(HaveOccurred())
	for _, t := range traces {
		if t.Key != r.Key {
			continue
		}
		for _, turn := range t.Outcome.Turns {
			for _, e := range turn.Events {
				if e.Kind == trace.KindGenUIComponent {
					component = nil
					Expect(json.Unmarshal(e.Data, &component)).To(Succeed())
				}
			}
		}
	}
	return component
}

// certainStudio returns the shipped suite file with a deciding model that is always correct. Its
// confidences follow the curve.
func certainStudio(curve string) string {
	GinkgoHelper()
	text := read("../../datasets/studio/suite.yaml")
	from := strings.Index(text, "    calibration:")
	to := from + strings.Index(text[from:], "    latency:")
	Expect(text).To(ContainSubstring("accuracy: 0.95"))
	return strings.Replace(text[:from]+"    calibration: ["+curve+"]\n"+text[to:], "accuracy: 0.95", "accuracy: 1", 1)
}

func withoutFaults(text string) string {
	return regexp.MustCompile(`(?m)^ {4}faults:\n(?: {6}- .*\n)+`).ReplaceAllString(text, "")
}

func withFaults(text, variant string, faults ...string) string {
	GinkgoHelper()
	head := "  - name: " + variant + "\n"
	Expect(text).To(ContainSubstring(head))
	return strings.Replace(text, head, head+"    faults: ["+strings.Join(faults, ", ")+"]\n", 1)
}
