package evalctl_test

import (
	"go/ast"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var (
	group    = regexp.MustCompile("^## [A-Z]: .*\\(`([a-z/]+)`(, planned)?\\)$")
	promise  = regexp.MustCompile(`^- \*\*([A-Z]\d+)\*\* \S`)
	specHead = regexp.MustCompile(`^[A-Z]\d+(, [A-Z]\d+)*:`)
	specID   = regexp.MustCompile(`[A-Z]\d+`)
)

// promised returns the IDs of the behaviors that the document lists, and for each whether its
// system is only planned. wrong lists errors of the document.
func promised(document string, list []source) (ids map[string]bool, wrong []string) {
	ids, planned := map[string]bool{}, false
	for line := range strings.Lines(document) {
		line = strings.TrimSpace(line)
		if m := group.FindStringSubmatch(line); m != nil {
			planned = m[2] != ""
			if there := slices.ContainsFunc(list,
				func(s source) bool { return inside(s.pkg, m[1]) }); there == planned {
				wrong = append(wrong, m[1]+" is either planned or in the tree")
			}
		} else if strings.HasPrefix(line, "## ") {
			wrong = append(wrong, line+": names no folder")
		}
		if m := promise.FindStringSubmatch(line); m != nil {
			if _, twice := ids[m[1]]; twice {
				wrong = append(wrong, m[1]+" is listed twice")
			}
			ids[m[1]] = planned
		}
	}
	return ids, wrong
}

// named returns the behavior IDs at the start of the description of a call such as It, Describe or
// Entry, and those in its labels.
func named(call *ast.CallExpr) (ids []string) {
	name, _ := call.Fun.(*ast.Ident)
	for i, arg := range call.Args {
		literal, ok := arg.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		text, _ := strconv.Unquote(literal.Value) // cannot fail: the parser has accepted it
		if name != nil && name.Name == "Label" {
			text += ":"
		} else if i > 0 {
			break
		}
		ids = append(ids, specID.FindAllString(specHead.FindString(text), -1)...)
	}
	return ids
}

// uncovered returns the differences between the behaviors in the document and those that specs
// name.
func uncovered(document string, list []source) []string {
	ids, wrong := promised(document, list)
	tested := map[string]bool{}
	for _, s := range list {
		for n := range ast.Preorder(s.file) {
			call, ok := n.(*ast.CallExpr)
			if !ok || !s.isTest() {
				continue
			}
			for _, id := range named(call) {
				tested[id] = true
				if _, known := ids[id]; !known {
					wrong = append(wrong, s.at(call.Pos(), "nobody knows what %s is", id))
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if !ids[id] && !tested[id] {
			wrong = append(wrong, id+" has no spec")
		}
	}
	return wrong
}

var _ = Describe("The list of behaviors in agent/BEHAVIOURS.md", func() {
	It("contains every ID that a spec names, and every ID of an existing system has a spec", func() {
		document, err := os.ReadFile("agent/BEHAVIOURS.md")
		Expect(err).NotTo(HaveOccurred())
		all, err := tree(".")
		Expect(err).NotTo(HaveOccurred())
		Expect(uncovered(string(document), all)).To(BeEmpty())
	})

	const shared, planned = "## X: shared (`agent`)\n- **X1** one\n- **X2** two\n",
		"## C: later (`agent/companion`, planned)\n- **C1** one\n"
	DescribeTable("is checked:", func(document, body string, want ...string) {
		s, err := parse("agent/x_test.go", []byte("package x\nvar _ = []any{"+body+"}\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(uncovered(document, []source{s})).To(HaveExactElements(want))
	},
		Entry("no error is reported if IDs and specs agree", shared+planned,
			`It("X1, X2: is", f), Equal("Y1"), Expect(1, "Y1: no head"), Label("figures")`),
		Entry("IDs in the text of a container, in an entry and in a label count as specs", shared,
			"Describe(`X1: a`, Entry(\"b\"), Label(\"X2\"))"),
		Entry("the ID of a planned system may have a spec", shared+planned, `It("X1, X2, C1: is")`),
		Entry("an unknown ID in a spec is reported", shared, `It("X1, Y1: is"), It("X2: is", Label("Z9"))`,
			"agent/x_test.go:2: nobody knows what Y1 is", "agent/x_test.go:2: nobody knows what Z9 is"),
		Entry("an ID without a spec is reported", shared, `It("X1: is"), It("is not X2: at its head")`,
			"X2 has no spec"),
		Entry("an ID that is listed twice is reported", shared+"- **X1** again\n", `It("X1, X2: is")`,
			"X1 is listed twice"),
		Entry("a system that is marked as planned but has a directory is reported",
			"## S: here (`agent`, planned)\n", "",
			"agent is either planned or in the tree"),
		Entry("a system without a directory that is not marked as planned is reported",
			"## S: gone (`agent/gone`)\n", "",
			"agent/gone is either planned or in the tree"),
		Entry("a group of IDs that names no directory is reported", "## S: nowhere\n", "",
			"## S: nowhere: names no folder"),
	)
})
