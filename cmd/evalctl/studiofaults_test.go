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

// faultCases are the shipped cases with an expected outcome under a fault.
const faultCases = "../../datasets/studio/fault.jsonl"

// resultsOf reads a run's rows with their events.
func resultsOf(dir string) (rows []eval.Result) {
	GinkgoHelper()
	for r, err := range journal.ReadRunResults(dir) {
		Expect(err).NotTo(HaveOccurred())
		rows = append(rows, r)
	}
	return rows
}

// expecting returns v2's rows for a fault with an expected outcome.
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

var _ = Describe("the labeled faults of the studio", Ordered, func() {
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

	It("S9: a planner that hangs takes exactly 10 s and ends in a failed AgentMessage", func() {
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

	It("S4: an executor that always fails is called 4 times, one that fails once is called twice", func() {
		for _, r := range of("image:server_error") {
			Expect(callsOf(r, "executor")).To(BeEquivalentTo(4), r.Case)
			Expect(r.ErrorReply).To(Equal("EXECUTOR_FAILED"))
		}
		for _, r := range of("image:server_error@1") {
			Expect(callsOf(r, "executor")).To(BeEquivalentTo(1+len(r.Loops)), r.Case)
		}
	})

	It("S9: an executor that hangs is canceled after 5 s and not called again", func() {
		for _, r := range of("image:timeout") {
			Expect(callsOf(r, "executor")).To(BeEquivalentTo(1), r.Case)
			i := slices.IndexFunc(r.Nodes, func(n eval.NodeVisit) bool { return n.Node == "executor" })
			Expect(time.Duration(r.Nodes[i].Duration)).To(Equal(5 * time.Second))
		}
	})

	DescribeTable("S5: a critic that fails accepts the image", func(fault string) {
		for _, r := range of(fault) {
			Expect(r.Loops).To(HaveLen(1), r.Case)
			Expect(r.Loops[0].Passed).To(BeTrue())
			Expect(r.Loops[0].Reviewer).To(Equal("none"))
			Expect(r.Fallbacks).To(ContainElement(And(HaveField("From", "critic"), HaveField("To", "pass"))))
		}
	},
		Entry(nil, "critic:timeout"), Entry(nil, "critic:server_error"), Entry(nil, "critic:malformed_json"),
	)

	DescribeTable("S3: an unavailable style library changes only an event", func(fault string) {
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
			Expect(r.Fallbacks).To(HaveEach(And(HaveField("From", "rag"), HaveField("To", "original_prompt"))), r.Case)
			Expect(r.Fallbacks).NotTo(BeEmpty())
			Expect(h.Fallbacks).To(BeEmpty())
		}
	},
		Entry(nil, "style_library:server_error"), Entry(nil, "style_library:timeout"),
	)

	It("S2: an unreadable plan is read by its words, an empty one is not", func() {
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

// scoresOf returns the critic's scores of a trial.
func scoresOf(r eval.Result) (list []float64) {
	for _, l := range r.Loops {
		list = append(list, l.Score)
	}
	return list
}

// lastComponent returns the last user interface component of a trial.
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

// certainStudio returns the shipped suite with a deciding model that is always correct and has
// confidences from a curve.
func certainStudio(curve string) string {
	GinkgoHelper()
	text := read("../../datasets/studio/suite.yaml")
	from := strings.Index(text, "    calibration:")
	to := from + strings.Index(text[from:], "    latency:")
	Expect(text).To(ContainSubstring("accuracy: 0.95"))
	return strings.Replace(text[:from]+"    calibration: ["+curve+"]\n"+text[to:], "accuracy: 0.95", "accuracy: 1", 1)
}

// withoutFaults removes the faults from a suite.
func withoutFaults(text string) string {
	return regexp.MustCompile(`(?m)^ {4}faults:\n(?: {6}- .*\n)+`).ReplaceAllString(text, "")
}

// withFaults adds faults to a variant of a suite without faults.
func withFaults(text, variant string, faults ...string) string {
	GinkgoHelper()
	head := "  - name: " + variant + "\n"
	Expect(text).To(ContainSubstring(head))
	return strings.Replace(text, head, head+"    faults: ["+strings.Join(faults, ", ")+"]\n", 1)
}
