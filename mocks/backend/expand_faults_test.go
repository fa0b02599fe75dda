package backend_test

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
	"evalctl/mocks/fault"
)

// expandedMatrix returns a shipped fault matrix with its wildcards expanded.
func expandedMatrix(name string) suite.Suite {
	GinkgoHelper()
	s, err := datasets.LoadFaultMatrix(name)
	Expect(err).NotTo(HaveOccurred())
	s, err = backend.ExpandFaults(s)
	Expect(err).NotTo(HaveOccurred())
	Expect(s.Check()).To(Succeed())
	return s
}

var _ = Describe("ExpandFaults", func() {
	It("generates all applicable kinds of faults for each component of all systems, except graders", func() {
		for _, name := range datasets.BuiltInNames() {
			s, affected := expandedMatrix(name), map[string]bool{}
			for _, v := range s.Variants {
				for _, spec := range s.VariantFaults(v) {
					affected[spec] = true
				}
			}
			parts := backend.ComponentsOf(s.System())
			for _, part := range s.ComponentNames() {
				role, _ := parts.RoleOf(part)
				for _, kind := range fault.Kinds() {
					Expect(affected[part+":"+string(kind)]).To(Equal(kind.AppliesTo(role) && role != "grader"),
						"%s: %s:%s", name, part, kind)
				}
			}
		}
	})

	It("leaves no condition of a shipped fault matrix without an expected outcome, and no expected outcome unused",
		func() {
			for _, name := range datasets.BuiltInNames() {
				s, used := expandedMatrix(name), map[string]bool{}
				for _, v := range s.Variants {
					for _, spec := range s.VariantFaults(v) {
						if spec == eval.NoFault {
							continue
						}
						o, ok := s.ExpectationFor(v, spec)
						Expect(ok).To(BeTrue(), "%s: %s under %s", name, v.Name, spec)
						used[o.SpecifiedBy+o.UnspecifiedReason] = true
					}
				}
				for _, o := range s.ExpectedOutcomes {
					if o.When == nil { // otherwise the outcome is for variants that are not in the matrix
						Expect(used[o.SpecifiedBy+o.UnspecifiedReason]).To(BeTrue(), "%s: %v %v", name,
							o.Components, o.Kinds)
					}
				}
			}
		})

	It("generates no faults for baseline models and real endpoints, and rejects a wildcard that affects no variant",
		func() {
			s, err := datasets.LoadSuite("prompt")
			Expect(err).NotTo(HaveOccurred())
			s.Variants = []suite.Variant{{Name: "linear", Model: "baseline:linear"}}
			s.Faults = []string{suite.AllFaults}
			_, err = backend.ExpandFaults(s)
			Expect(err).To(MatchError(ContainSubstring(`"all" affects no variant`)))

			s.Variants = []suite.Variant{{Name: "real", Model: "m", BaseURL: "http://127.0.0.1:1/v1"}}
			_, err = backend.ExpandFaults(s)
			Expect(err).To(MatchError(ContainSubstring(`"all" affects no variant`)))

			router, err := datasets.LoadSuite("toolrouter")
			Expect(err).NotTo(HaveOccurred())
			router.Variants = []suite.Variant{{Name: "rules", Settings: map[string]string{"router": "rules"},
				Faults: []string{"all"}}}
			router, err = backend.ExpandFaults(router)
			Expect(err).NotTo(HaveOccurred())
			Expect(slices.ContainsFunc(router.Variants[0].Faults,
				func(f string) bool { return strings.HasPrefix(f, "router:") })).To(BeFalse())
			Expect(router.Variants[0].Faults).To(ContainElement("poll:reset"))
		})
})
