package suite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/suite"
)

var _ = Describe("A suite with a custom system", func() {
	of := system.System{Name: "mine", Contract: system.Contract{LabelField: "label"},
		Settings: []system.Setting{{Name: "voice", Values: []string{"calm", "loud"}, Default: "calm"}}}
	mine := func(target string) suite.Suite {
		return suite.Suite{Name: "s", Target: target, CustomSystem: &of, Dataset: "cases.jsonl",
			Variants: suite.Variants{{Name: "v"}}}
	}

	It("uses the declaration and the settings of that system", func() {
		s := mine("mine")
		Expect(s.Check()).To(Succeed())
		Expect(s.System().Name).To(Equal("mine"))
		list, err := s.CombineSettings([]suite.ComparedSetting{{Setting: "voice", Values: []string{"calm", "loud"}}})
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(2))
		s.Variants = suite.Variants{{Name: "v", Settings: map[string]string{"voice": "shrill"}}}
		Expect(s.Check()).To(MatchError(ContainSubstring(`variants[0].voice: unknown voice "shrill"`)))
	})

	It("must have the name of its system as target, and no built-in system may have this name", func() {
		Expect(mine("yours").Check()).To(MatchError(`target: "yours" differs from the name in its declaration: "mine"`))
		of.Name = "toolrouter"
		defer func() { of.Name = "mine" }()
		Expect(mine("toolrouter").Check()).To(MatchError(`target: "toolrouter" is the name of another system`))
	})
})
