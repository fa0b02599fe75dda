package suite_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// scorerTypes returns the names of the scorer types in package scorer.
func scorerTypes() (names []string) {
	GinkgoHelper()
	paths, err := filepath.Glob("../scorer/*.go")
	Expect(err).NotTo(HaveOccurred())
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		Expect(err).NotTo(HaveOccurred())
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Score" && f.Recv != nil {
				names = append(names, fmt.Sprint(f.Recv.List[0].Type))
			}
		}
	}
	return names
}

var _ = Describe("The scorers that suites use", func() {
	It("include, over all systems, every scorer of package scorer", func() {
		used := map[string]bool{}
		for _, of := range slices.DeleteFunc(suite.Systems(), system.System.IsExternal) {
			s := parse("name: mine\ntarget: " + of.Name +
				"\ndataset: d.jsonl\nfault_matrix: true\nvariants:\n  - {name: a, faults: [nobody:x]}\n")
			conditions, err := s.Conditions(simulated(nil),
				suite.DatasetInfo{Labels: []system.Label{{Name: "chat"}, {Name: "other"}}})
			Expect(err).NotTo(HaveOccurred(), of.Name)
			for _, one := range conditions[1].Scorers {
				used[strings.TrimPrefix(fmt.Sprintf("%T", one), "scorer.")] = true
			}
		}
		there := scorerTypes()
		Expect(len(there)).To(BeNumerically(">", 8))
		for _, name := range there {
			Expect(used).To(HaveKey(name), "no system's cases are judged by scorer.%s", name)
		}
	})

	DescribeTable("score only the first turn of a decision-only trial if later turns depend on the decision",
		func(target string, turns int) {
			s := parse("name: mine\ntarget: " + target +
				"\ndataset: d.jsonl\ndecision_only: true\nvariants:\n  - name: a\n")
			conditions, err := conditionsOf(s, simulated(nil))
			Expect(err).NotTo(HaveOccurred())
			talk := func(yield func(eval.Case, error) bool) {
				yield(eval.Case{ID: "c", Turns: make([]eval.LabeledTurn, 3)}, nil)
			}
			for t := range suite.Trials(conditions, talk, 1, 1) {
				Expect(t.Case.Turns).To(HaveLen(turns))
			}
		}, Entry(nil, "newsroom", 1), Entry(nil, "companion", 3))

	It("N2 N4: include those for several decisions per turn, because a built-in system decides several times", func() {
		Expect(suite.Systems()).
			To(ContainElement(HaveField("Contract",
				And(HaveField("DecisionPathField", Not(BeEmpty())), HaveField("ExtraLabelFields", Not(BeEmpty()))))))
	})
})
