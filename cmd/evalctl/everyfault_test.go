package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
)

// applicableFaults returns all faults of the components that a system uses with its default
// settings.
func applicableFaults(target string) (specs []string) {
	GinkgoHelper()
	of, ok := suite.FindSystem(target)
	Expect(ok).To(BeTrue())
	for _, part := range of.Components {
		// faults do not apply to the grader, which only measures
		if !part.IsUsed(of.WithDefaults(nil)) || part.Role == system.RoleGrader {
			continue
		}
		for _, kind := range fault.Kinds() {
			spec := part.Name + ":" + string(kind)
			if _, err := backend.ParseFaults(spec, of); err == nil && kind.AppliesTo(component.Role(part.Role)) {
				specs = append(specs, spec)
			}
		}
	}
	return specs
}

// eventsOf returns the events of a trial as text, without the fault events, to compare trials.
func eventsOf(outcome eval.Outcome) string {
	GinkgoHelper()
	var all [][]trace.Event
	for _, turn := range outcome.Turns {
		all = append(all, slices.DeleteFunc(slices.Clone(turn.Events),
			func(e trace.Event) bool { return e.Kind == trace.KindFault }))
	}
	b, err := json.Marshal(all)
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

// runUnderFaults runs cases of a system under all faults, with a deciding model that is always
// correct. In fired it records which faults changed the events of any case. All expected outcomes
// must be met; it returns their number.
func runUnderFaults(specs []string, target, cases string, fired map[string]bool) (judged int) {
	GinkgoHelper()
	dir := newRunDir()
	certain := fileOf("certain.yaml",
		"name: certain\ntarget: "+target+"\ndataset: "+target+"\nvariants:\n  - name: usual\n"+cases+"\n")
	got := evalctl("run", certain, "--fault", strings.Join(specs, ","), "--out", dir, "-q", "--max-missing", "100%",
		"--circuit-breaker", "0")
	Expect(got.code).To(Equal(exit.Passed), got.stderr)
	rows, known := resultsOf(dir), map[string]bool{}
	for _, r := range rows {
		if known[r.Case] {
			continue
		}
		known[r.Case] = true
		traces, err := journal.CaseTraces(dir, r.Case)
		Expect(err).NotTo(HaveOccurred())
		whole := eventsOf(traces[slices.IndexFunc(traces,
			func(t journal.Trace) bool { return t.Fault == eval.NoFault })].Outcome)
		for _, t := range traces {
			fired[t.Fault] = fired[t.Fault] || eventsOf(t.Outcome) != whole
		}
	}
	for _, r := range rows {
		if r.Error != nil {
			Expect(r.Error.Kind).To(BeElementOf(eval.ProviderError, eval.TimeoutError), "%s under %s: %s", r.Case,
				r.Fault, r.Error.Message)
		}
		for _, s := range r.Scores {
			if s.Name == eval.FallbackScore && r.Fault != eval.NoFault {
				judged++
				Expect(s.Verdict).To(Equal(eval.Pass), "%s under %s: served %q, wants %v", r.Case, r.Fault,
					s.Actual, s.Expected)
			}
		}
	}
	return judged
}

// window returns the settings for the size of the scholar's context window, which determines its
// strategies.
func window(context, answer int) string {
	return fmt.Sprintf("    max-context-tokens: %d\n    system-tokens: 100\n    reserved-answer-tokens: %d\n",
		context, answer)
}

// The cases are selected so that they reach every component.
var _ = DescribeTable("every fault of a system changes at least one trial, and every expected outcome occurs",
	Label("long"),
	func(target string, selections ...string) {
		specs, fired, judged := applicableFaults(target), map[string]bool{}, 0
		Expect(len(specs)).To(BeNumerically(">", 30))
		for _, cases := range selections {
			judged += runUnderFaults(specs, target, cases, fired)
		}
		Expect(judged).To(BeNumerically(">", 0))
		Expect(slices.DeleteFunc(specs, func(spec string) bool { return fired[spec] })).To(BeEmpty(), "strike nothing")
	},
	Entry("C3, C6, C8: for the companion", "companion", "tags: [fault]\nsample: 16",
		"tags: [needs-summary]\nsample: 4"),
	Entry("N1, N4, N6: for the newsroom", "newsroom", "cases: [nr-0039, nr-0042]"),
	Entry("L2, L5, L9: for the scholar", "scholar",
		window(3000, 300)+"cases: [sch-en-135, sch-en-375, sch-zh-149]", window(700, 200)+"cases: [sch-en-196]"),
)
