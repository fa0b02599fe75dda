package evalctl_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestRepository(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "House")
}

// module is the path of this module, with a trailing slash.
var module = func() string {
	text, _ := os.ReadFile("go.mod") // go test cannot run without this file
	path, _, _ := strings.Cut(strings.TrimPrefix(string(text), "module "), "\n")
	return path + "/"
}()

// importRule states which packages a directory and its subdirectories may import. The rule with the
// longest matching folder applies to a package. Imports from its own folder are allowed.
type importRule struct {
	folder    string
	allowed   []string
	forbidden []string // has priority over allowed
}

// agents has the directories of the agent systems. Each contains a system.go.
var agents = func() (folders []string) {
	files, _ := filepath.Glob("agent/*/system.go") // the pattern is valid
	for _, f := range files {
		if folder := path.Dir(filepath.ToSlash(f)); folder != "agent/system" {
			folders = append(folders, folder)
		}
	}
	return folders
}()

// testAPI is the directory of the Go API with which users test their agents.
const testAPI = "evaltest"

// importRules returns the import rules: agent ← eval ← datasets, reports ← cmd. Systems must not
// import each other. Mocks may import only the clock and the suggestions for misspelled names.
func importRules() []importRule {
	list := []importRule{
		{folder: "agent/clock"},
		{folder: "docs"},
		{folder: "agent", allowed: []string{"agent"}, forbidden: agents},
		{folder: "mocks", allowed: []string{"agent/clock", "eval/suggest"}, forbidden: []string{"mocks/backend"}},
		{folder: "mocks/backend", allowed: []string{"agent", "eval", "mocks", "datasets"}, forbidden: agents},
		{folder: "eval", allowed: []string{"agent"}, forbidden: agents},
		{folder: "eval/suite", allowed: []string{"agent", "eval"}}, // the only package that imports the agent systems
		{folder: "datasets", allowed: []string{"agent", "eval"}, forbidden: agents},
		{folder: "reports", allowed: []string{"agent", "eval"}, forbidden: agents},
		{folder: "examples", allowed: []string{"agent", "eval", "datasets", "reports"}, forbidden: agents},
		{folder: "cmd", allowed: []string{"agent", "eval", "mocks", "datasets", "reports", "docs"}, forbidden: agents},
	}
	for _, system := range agents {
		list = append(list, importRule{folder: system, allowed: []string{"agent"}, forbidden: others(system)})
	}
	for i := range list {
		list[i].forbidden = append(slices.Clone(list[i].forbidden), testAPI)
	}
	// evaltest executes runs like the command does, in tests of users. No other package may import
	// it.
	return append(list, importRule{folder: testAPI,
		allowed: []string{"agent", "eval", "mocks", "datasets", "reports", "cmd"}, forbidden: agents})
}

func others(system string) []string {
	return slices.DeleteFunc(slices.Clone(agents), func(a string) bool { return a == system })
}

// inside reports whether a package is in a directory or its subdirectories.
func inside(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

func inAny(pkg string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return inside(pkg, f) })
}

func ruleFor(pkg string) (importRule, bool) {
	fitting := slices.DeleteFunc(importRules(), func(r importRule) bool { return !inside(pkg, r.folder) })
	if len(fitting) == 0 {
		return importRule{}, false
	}
	return slices.MaxFunc(fitting, func(a, b importRule) int { return cmp.Compare(len(a.folder), len(b.folder)) }), true
}

// source is a parsed Go file of this module.
type source struct {
	path string // relative to the root of the module, with slashes
	pkg  string // the directory in path
	set  *token.FileSet
	file *ast.File
}

func parse(name string, text []byte) (source, error) {
	return parseInto(token.NewFileSet(), name, text)
}

func parseInto(set *token.FileSet, name string, text []byte) (source, error) {
	f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	return source{path: name, pkg: path.Dir(name), set: set, file: f}, err
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) at(p token.Pos, format string, a ...any) string {
	return fmt.Sprintf("%s:%d: %s", s.path, s.set.Position(p).Line, fmt.Sprintf(format, a...))
}

// tree parses every Go file below a directory.
func tree(root string) (list []source, err error) {
	set := token.NewFileSet()
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != root &&
			(base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".")) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		s, err := parseInto(set, filepath.ToSlash(rel), text)
		list = append(list, s)
		return err
	})
	return list, err
}

// imports returns the import path for each package name in the file.
func (s source) imports() map[string]string {
	known := map[string]string{}
	for _, i := range s.file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue // cannot happen: the parser has accepted it
		}
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		known[name] = p
	}
	return known
}

// forbiddenImports returns the imports of a file that the rules do not permit.
func forbiddenImports(s source) (wrong []string) {
	if s.isTest() {
		return nil
	}
	for _, i := range s.file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		of, ours := strings.CutPrefix(p, module)
		if err != nil || !ours {
			continue
		}
		r, known := ruleFor(s.pkg)
		own := inside(of, r.folder) && !inAny(of, r.forbidden)
		if !known || !own && (!inAny(of, r.allowed) || inAny(of, r.forbidden)) {
			wrong = append(wrong, s.at(i.Pos(), "%s must not import %s", s.pkg, of))
		}
	}
	return wrong
}

// banned lists, by package, the functions and types that wait or start concurrent work in a way
// that the simulated clock cannot control.
var banned = map[string][]string{
	"time": {"Sleep", "After", "NewTimer", "NewTicker", "Tick", "AfterFunc",
		"Now", "Since", "Until"},
	"context":                    {"WithTimeout", "WithDeadline", "WithTimeoutCause", "WithDeadlineCause", "AfterFunc"},
	"sync":                       {"WaitGroup", "Cond", "NewCond"},
	"golang.org/x/sync/errgroup": {"*"},
}

// waitsOutside returns the uses of banned functions and types, and the go statements, in a file.
func waitsOutside(s source) (wrong []string) {
	inScope := inAny(s.pkg, []string{"agent", "mocks", "eval"}) && !inside(s.pkg, "agent/clock")
	if s.isTest() || !inScope {
		return nil
	}
	known := s.imports()
	for name, p := range known {
		if names, ok := banned[p]; ok && (name == "." || names[0] == "*") {
			wrong = append(wrong, s.at(s.file.Package, "imports %s as %s", p, name))
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			wrong = append(wrong, s.at(n.Pos(), "go statement: use clock.Go or clock.Group"))
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && slices.Contains(banned[known[x.Name]], n.Sel.Name) {
				wrong = append(wrong, s.at(n.Pos(), "%s.%s: use agent/clock", known[x.Name], n.Sel.Name))
			}
		}
		return true
	})
	return wrong
}

var meaninglessNames = []string{"util", "utils", "common", "helper", "helpers", "types", "base", "misc", "manager"}

// emptyName returns an error text if the name of a file's package has no meaning, such as util.
func emptyName(s source) []string {
	if !slices.Contains(meaninglessNames, strings.TrimSuffix(s.file.Name.Name, "_test")) {
		return nil
	}
	return []string{s.at(s.file.Package, "package name %s has no meaning", s.file.Name.Name)}
}

func findings(list []source, check func(source) []string) (all []string) {
	for _, s := range list {
		all = append(all, check(s)...)
	}
	return all
}

var _ = Describe("The source tree of evalctl", Ordered, func() {
	var all []source
	BeforeAll(func() {
		var err error
		all, err = tree(".")
		Expect(err).NotTo(HaveOccurred())
		var paths []string
		for _, s := range all {
			paths = append(paths, s.path)
		}
		Expect(paths).To(ContainElements("agent/clock/clock.go", "mocks/server.go", "eval/eval.go", "rules_test.go"))
	})

	It("has only permitted imports", func() {
		Expect(findings(all, forbiddenImports)).To(BeEmpty())
	})

	It("X5: waits and runs goroutines only through agent/clock", func() {
		Expect(findings(all, waitsOutside)).To(BeEmpty())
	})

	It("has no package name without a meaning, such as util", func() {
		Expect(findings(all, emptyName)).To(BeEmpty())
	})
})

var _ = Describe("The checks of the source tree", func() {
	look := func(name, text string, check func(source) []string) []string {
		GinkgoHelper()
		s, err := parse(name, []byte(text))
		Expect(err).NotTo(HaveOccurred())
		return check(s)
	}

	DescribeTable("report imports that the rules do not permit", func(file, imported string, wrong bool) {
		found := look(file, "package p\nimport _ \""+module+imported+"\"\n", forbiddenImports)
		if !wrong {
			Expect(found).To(BeEmpty())
			return
		}
		Expect(found).To(ConsistOf(fmt.Sprintf("%s:2: %s must not import %s", file, path.Dir(file), imported)))
	},
		Entry(nil, "agent/llm/x.go", "agent/clock", false),
		Entry(nil, "agent/llm/x.go", "eval", true),
		Entry(nil, "agent/llm/x.go", "mocks", true),
		Entry(nil, "agent/llm/x.go", "agent/studio", true),
		Entry(nil, "agent/clock/x.go", "agent/trace", true),
		Entry(nil, "agent/studio/x.go", "agent/llm", false),
		Entry(nil, "agent/studio/x.go", "agent/studio/sub", false),
		Entry(nil, "agent/studio/x.go", "agent/classifier", true),
		Entry(nil, "agent/studio/sub/x.go", "agent/toolrouter/intent", true),
		Entry(nil, "agent/studio/x.go", "eval", true),
		Entry(nil, "eval/x.go", "agent", false),
		Entry(nil, "eval/x.go", "agent/clock", false),
		Entry(nil, "eval/gate/x.go", "eval/stats", false),
		Entry(nil, "eval/gate/x.go", "mocks", true),
		Entry(nil, "eval/gate/x.go", "datasets", true),
		Entry(nil, "eval/gate/x.go", "reports", true),
		Entry(nil, "eval/gate/x.go", "cmd/evalctl", true),
		Entry(nil, "eval/target/x.go", "agent/toolrouter", true),
		Entry(nil, "eval/suite/x.go", "agent/toolrouter", false),
		Entry(nil, "eval/suite/x.go", "mocks", true),
		Entry(nil, "mocks/x.go", "agent/clock", false),
		Entry(nil, "mocks/x.go", "agent/trace", true),
		Entry(nil, "mocks/x.go", "agent/clockwork", true),
		Entry(nil, "datasets/x.go", "eval", false),
		Entry(nil, "datasets/x.go", "reports", true),
		Entry(nil, "reports/x.go", "eval/stats", false),
		Entry(nil, "reports/x.go", "datasets", true),
		Entry(nil, "reports/x.go", "cmd/evalctl", true),
		Entry(nil, "cmd/evalctl/x.go", "mocks", false),
		Entry(nil, "evaltest/x.go", "cmd/evalctl/play", false),
		Entry(nil, "evaltest/x.go", "eval/suite", false),
		Entry(nil, "evaltest/x.go", "agent/studio", true),
		Entry(nil, "eval/gate/x.go", "evaltest", true),
		Entry(nil, "cmd/evalctl/x.go", "evaltest", true),
		Entry(nil, "somewhere/x.go", "eval", true),
		Entry(nil, "eval/gate/x_test.go", "mocks", false),
	)

	DescribeTable("report code that waits without the simulated clock:", func(imports, body string, want int) {
		text := "package p\n" + imports + "\nfunc f() {\n" + body + "\n}\n"
		Expect(look("eval/x.go", text, waitsOutside)).To(HaveLen(want))
		Expect(look("agent/clock/x.go", text, waitsOutside)).To(BeEmpty())
		Expect(look("eval/x_test.go", text, waitsOutside)).To(BeEmpty())
		Expect(look("cmd/evalctl/x.go", text, waitsOutside)).To(BeEmpty())
	},
		Entry("time.Sleep", `import "time"`, `time.Sleep(1)`, 1),
		Entry("functions of time under another package name", `import t "time"`,
			`t.Sleep(1); <-t.After(1); for range t.Tick(1) {}`, 3),
		Entry("time.Sleep with a dot import", `import . "time"`, `Sleep(1)`, 1),
		Entry("timers and tickers", `import "time"`, `time.NewTimer(1); time.NewTicker(1); time.AfterFunc(1, nil)`, 3),
		Entry("time.Sleep as a value", `import "time"`, `g := time.Sleep; g(1)`, 1),
		Entry("contexts with a timeout", `import "context"`,
			`context.WithTimeout(nil, 1); context.WithDeadline(nil, x); context.AfterFunc(nil, nil)`, 3),
		Entry("a go statement in a closure", ``, `func() { go f() }()`, 1),
		Entry("wait groups and conditions", `import "sync"`,
			`var w sync.WaitGroup; var c sync.Cond; sync.NewCond(nil); _, _ = w, c`,
			3),
		Entry("an errgroup", `import "golang.org/x/sync/errgroup"`, `var g errgroup.Group`, 1),
		Entry("the system time", `import "time"`, `time.Since(time.Now())`, 2),
		Entry("nothing for code that does not wait", `import ("time"; "sync"; "context")`,
			`time.Unix(0, 0); var m sync.Mutex; context.WithCancel(nil); x.Sleep()`, 0),
	)

	It("report a package name without meaning", func() {
		Expect(look("eval/util/x.go", "package util\n", emptyName)).
			To(ConsistOf("eval/util/x.go:1: package name util has no meaning"))
		Expect(look("eval/p/x.go", "package p\n", emptyName)).To(BeEmpty())
	})
})
