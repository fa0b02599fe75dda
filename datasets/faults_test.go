package datasets_test

import (
	"fmt"
	"maps"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/datasets"
	"evalctl/eval/suite"
)

var _ = Describe("The collection of fault matrices (faults.yaml)", func() {
	It("contains every built-in system with its fault matrix", func() {
		Expect(datasets.CollectionNames()).To(Equal([]string{"faults"}))
		list, err := datasets.LoadCollection("faults")
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, s := range list {
			names = append(names, s.Target)
			Expect(s.FaultMatrix).To(BeTrue())
			Expect(s.Gates).To(Equal([]string{"fault.correct >= 100% triggered"}))
		}
		Expect(names).To(Equal(datasets.BuiltInNames()))
	})

	It("has, for each component of each system, a variant that uses the component", func() {
		for _, name := range datasets.BuiltInNames() {
			s, err := datasets.LoadFaultMatrix(name)
			Expect(err).NotTo(HaveOccurred())
			for _, part := range s.ComponentNames() {
				if p, _ := s.System().Component(part); p.Role == system.RoleGrader {
					continue
				}
				Expect(slices.ContainsFunc(s.Variants, func(v suite.Variant) bool {
					asked := slices.Contains(v.Faults, suite.AllFaults) ||
						slices.Contains(v.Faults, part+":"+suite.AllFaults)
					return asked && s.UsesComponent(v, part)
				})).To(BeTrue(), "%s: %s", name, part)
			}
		}
	})

	It("runs only cases that exist in the datasets", func() {
		for _, name := range datasets.BuiltInNames() {
			s, err := datasets.LoadFaultMatrix(name)
			Expect(err).NotTo(HaveOccurred())
			data, _, err := datasets.OpenForSuite(s, 1, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(data.SelectedCases).To(BeEquivalentTo(len(s.Cases)), name)
		}
	})

	It("lists every turn that is run in each table of expected labels", func() {
		for _, name := range datasets.BuiltInNames() {
			s, err := datasets.LoadFaultMatrix(name)
			Expect(err).NotTo(HaveOccurred())
			data, _, err := datasets.OpenForSuite(s, 1, nil)
			Expect(err).NotTo(HaveOccurred())
			for c, err := range data.Stream(datasets.FilterForSuite(s, 1)) {
				Expect(err).NotTo(HaveOccurred())
				for title, table := range s.LabelTables {
					entries := slices.Concat(slices.Collect(maps.Values(table))...)
					for turn := range c.Turns {
						Expect(entries).To(Or(ContainElement(c.ID), ContainElement(fmt.Sprintf("%s#%d", c.ID, turn+1))),
							"%s: %s", name, title)
					}
				}
			}
		}
	})

	It("attributes expected outcomes to our decision for a system without a specification", func() {
		s, err := datasets.LoadFaultMatrix("prompt")
		Expect(err).NotTo(HaveOccurred())
		for _, o := range s.ExpectedOutcomes {
			Expect(o.OurDecisionReason).NotTo(BeEmpty(), "%v %v", o.Components, o.Kinds)
		}
	})
})
