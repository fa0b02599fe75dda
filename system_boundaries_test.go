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

// systemList is the only file that may list all systems.
const systemList = "eval/suite/systems.go"

// products maps names of systems that are also names of products to the file that uses the product:
// Google Scholar.
var products = map[string]string{"scholar": "agent/toolrouter/intent/search.go"}

// namesSystem returns a check that reports string literals with the name of a system outside the
// system's directories.
func namesSystem(name string, folders []string) func(source) []string {
	word := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `\b`)
	return func(s source) (wrong []string) {
		if s.isTest() || s.path == systemList || s.path == "eval/suggest/renamed.go" || s.path == products[name] ||
			inAny(s.pkg, folders) {
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

var _ = Describe("An agent system", Ordered, func() {
	var all []source
	BeforeAll(func() {
		var err error
		all, err = tree(".")
		Expect(err).NotTo(HaveOccurred())
	})

	It("is named outside its directories only in the list of systems", func() {
		var checked []string
		for _, of := range suite.Systems() {
			// Names that are also a setting, a provider or a protocol are ambiguous and not
			// checked.
			_, provider := llm.LookupProvider(of.Name)
			if !provider && !of.IsExternal() &&
				!slices.ContainsFunc(suite.Settings(), func(set suite.Setting) bool { return set.Name == of.Name }) {
				Expect(findings(all, namesSystem(of.Name, []string{"datasets/" + of.Name, homeOf(all, of.Name)}))).
					To(BeEmpty())
				checked = append(checked, of.Name)
			}
		}
		Expect(checked).To(HaveLen(len(systemsWithCases())), "all but prompt, and the target tool-calling")
	})

	It("has one directory below agent, and one for its shipped cases if there are any", func() {
		for _, of := range suite.Systems() {
			Expect(homeOf(all, of.Name)).To(HavePrefix("agent/"), of.Name)
		}
		for _, of := range systemsWithCases() {
			Expect("datasets/" + of.Name).To(BeADirectory())
		}
	})
})

// systemsWithCases returns the systems that have shipped cases.
func systemsWithCases() []system.System {
	return slices.DeleteFunc(suite.Systems(),
		func(of system.System) bool { return !slices.Contains(datasets.BuiltInNames(), of.Name) })
}

// homeOf returns the directory below agent whose code declares a system.
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

// declares reports whether a function contains a literal of type System with this Name.
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

var _ = DescribeTable("The check for the names of systems", func(file, text string, want int) {
	s, err := parse(file, []byte("package p\n\nvar x = "+text+"\n"))
	Expect(err).NotTo(HaveOccurred())
	Expect(namesSystem("compass", []string{"agent/compass"})(s)).To(HaveLen(want))
},
	Entry("reports a string that is the name", "cmd/x.go", `"compass"`, 1),
	Entry("reports a text that contains the name as a word", "eval/x.go", "`run the Compass now`", 1),
	Entry("ignores a longer word that contains the name", "eval/x.go", `"encompassing"`, 0),
	Entry("ignores the directory of the system", "agent/compass/x.go", `"compass"`, 0),
	Entry("ignores the list of systems", systemList, `"compass"`, 0),
	Entry("ignores tests", "eval/x_test.go", `"compass"`, 0),
)
