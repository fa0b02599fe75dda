package finding_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// placeholders returns the names of the placeholders in a template, sorted.
func placeholders(template string) []string {
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`\{(\w+)(:[^}]*)?\}`).FindAllStringSubmatch(template, -1) {
		names[m[1]] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// literal returns the value of an expression of string literals. It ignores other operands of +.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		Expect(err).NotTo(HaveOccurred())
		return text
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	}
	return ""
}

// valueSet is a map of values in the source and the templates that it fills.
type valueSet struct {
	keys      map[string]bool
	templates []string
	isRow     bool // the values belong to a template in the table of rules
}

// valueSets finds all maps of values in a function.
func valueSets(f *ast.FuncDecl) map[any]*valueSet {
	sets := map[any]*valueSet{} // by literal or variable
	variables := map[string]*valueSet{}
	get := func(e ast.Expr) *valueSet {
		switch e := e.(type) {
		case *ast.Ident:
			return variables[e.Name]
		case *ast.CompositeLit:
			if name, ok := e.Type.(*ast.Ident); !ok || name.Name != "values" {
				return nil
			}
			if sets[e] == nil {
				sets[e] = &valueSet{keys: map[string]bool{}}
				for _, element := range e.Elts {
					sets[e].keys[literal(element.(*ast.KeyValueExpr).Key)] = true
				}
			}
			return sets[e]
		}
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && get(n.Rhs[i]) != nil {
					variables[name.Name] = get(n.Rhs[i])
				}
				if at, ok := left.(*ast.IndexExpr); ok && get(at.X) != nil {
					get(at.X).keys[literal(at.Index)] = true
				}
			}
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				if v := get(e); v != nil {
					v.isRow = true
				}
			}
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "fill" {
				v := get(n.Args[1])
				Expect(v).NotTo(BeNil(), "%s: values of a template are in another function", f.Name.Name)
				template := literal(n.Args[0])
				v.templates, v.isRow = append(v.templates, template), v.isRow || template == ""
			}
		}
		return true
	})
	return sets
}

var _ = Describe("The templates of sentences", func() {
	It("contain a placeholder for each value, and a value for each placeholder", func() {
		sources, err := filepath.Glob("*.go")
		Expect(err).NotTo(HaveOccurred())
		rows, filled := map[string]string{}, map[string]bool{} // by placeholders
		var functions []*ast.FuncDecl
		for _, path := range sources {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			Expect(err).NotTo(HaveOccurred())
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if !slices.Contains([]string{"Findings", "fill", "fillAll"}, n.Name.Name) && n.Body != nil {
						functions = append(functions, n)
					}
				case *ast.ValueSpec:
					if n.Names[0].Name != "rules" {
						break
					}
					for _, row := range n.Values[0].(*ast.CompositeLit).Elts {
						for _, e := range row.(*ast.CompositeLit).Elts {
							if text := literal(e); text != "" {
								rows[fmt.Sprint(placeholders(text))] = text
							}
						}
					}
				}
				return true
			})
		}
		Expect(len(rows)).To(BeNumerically(">", 20))
		for _, f := range functions {
			for _, v := range valueSets(f) {
				names := slices.Sorted(maps.Keys(v.keys))
				if v.isRow {
					Expect(rows).To(HaveKey(fmt.Sprint(names)), "no row has the values of %s", f.Name.Name)
					filled[fmt.Sprint(names)] = true
				} else {
					Expect(placeholders(strings.Join(v.templates, ""))).To(Equal(names), "in %s", f.Name.Name)
				}
			}
		}
		for names, text := range rows {
			Expect(filled).To(HaveKey(names), "no function returns the values of %q", text)
		}
	})
})
