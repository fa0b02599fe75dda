package evalctl_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/datasets"
	"evalctl/eval/suite"
)

// theList is the one file that knows which systems there are.
const theList = "eval/suite/systems.go"

// products are systems' names that are also something else, with the file that speaks of
// it: Google Scholar.
var products = map[string]string{"scholar": "agent/toolrouter/intent/search.go"}

// naming finds the places outside a system's own folders that name it.
func naming(name string, folders []string) func(source) []string {
	word := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `\b`)
	return func(s source) (wrong []string) {
		if s.isTest() || s.path == theList || s.path == "eval/suggest/renamed.go" || s.path == products[name] || inAny(s.pkg, folders) {
			return nil
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err == nil && word.MatchString(text) {
				wrong = append(wrong, s.at(lit.Pos(), "names the system %s", name))
			}
			return true
		})
		return wrong
	}
}

var _ = Describe("a system", Ordered, func() {
	var all []source
	BeforeAll(func() {
		var err error
		all, err = tree(".")
		Expect(err).NotTo(HaveOccurred())
	})

	It("is named by no file outside its folders but by the list of systems", func() {
		var checked []string
		for _, of := range suite.Systems() {
			// A name that is also a setting's or a provider's says nothing of the system, nor does one of a protocol.
			_, provider := llm.Lookup(of.Name)
			if !provider && !of.IsExternal() && !slices.ContainsFunc(suite.Settings(), func(set suite.Setting) bool { return set.Name == of.Name }) {
				Expect(findings(all, naming(of.Name, []string{"datasets/" + of.Name, homeOf(all, of.Name)}))).To(BeEmpty())
				checked = append(checked, of.Name)
			}
		}
		Expect(checked).To(HaveLen(len(ours())), "all but prompt, and the target tool-calling")
	})

	It("has one folder for its agent and, where cases of its own are shipped, one for these", func() {
		for _, of := range suite.Systems() {
			Expect(homeOf(all, of.Name)).To(HavePrefix("agent/"), of.Name)
		}
		for _, of := range ours() {
			Expect("datasets/" + of.Name).To(BeADirectory())
		}
	})
})

// ours are the systems that have cases of their own.
func ours() []system.System {
	return slices.DeleteFunc(suite.Systems(), func(of system.System) bool { return !slices.Contains(datasets.Shipped(), of.Name) })
}

// homeOf is the folder under agent that declares a system.
func homeOf(list []source, name string) (folder string) {
	for _, s := range list {
		if s.isTest() || !inside(s.pkg, "agent") {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && f.Name.Name == "System" && declares(f, name) {
				folder = s.pkg
			}
		}
	}
	return folder
}

// declares tells whether a function has a System literal of that Name.
func declares(f *ast.FuncDecl, name string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if of, ok := lit.Type.(*ast.SelectorExpr); !ok || of.Sel.Name != "System" {
			return true
		}
		for _, field := range lit.Elts {
			kv, ok := field.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			key, isName := kv.Key.(*ast.Ident)
			value, isText := kv.Value.(*ast.BasicLit)
			found = found || isName && isText && key.Name == "Name" && value.Value == strconv.Quote(name)
		}
		return true
	})
	return found
}

var _ = DescribeTable("the inspector sees a system's name", func(file, text string, want int) {
	s, err := parse(file, []byte("package p\n\nvar x = "+text+"\n"))
	Expect(err).NotTo(HaveOccurred())
	Expect(naming("compass", []string{"agent/compass"})(s)).To(HaveLen(want))
},
	Entry("alone", "cmd/x.go", `"compass"`, 1),
	Entry("within a text", "eval/x.go", "`run the Compass now`", 1),
	Entry("not within a word", "eval/x.go", `"encompassing"`, 0),
	Entry("not at home", "agent/compass/x.go", `"compass"`, 0),
	Entry("not in the list", theList, `"compass"`, 0),
	Entry("not in specs", "eval/x_test.go", `"compass"`, 0),
)
