package evalctl_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// maxCircle is how many files of a package may refer to each other in a circle.
const maxCircle = 5

// largerCircles are packages in which a circle may be larger.
var largerCircles = map[string]int{
	"agent/clock": 7, // one mechanism: simulation, tasks, timers and sources hand the baton to each other
}

// circles finds the files of each package that refer to each other in a circle
// which is too large.
func circles(list []source) (wrong []string) {
	packages := map[string][]source{}
	for _, s := range list {
		if !s.isTest() {
			packages[s.pkg] = append(packages[s.pkg], s)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		for _, c := range components(references(packages[pkg])) {
			if len(c) > max(maxCircle, largerCircles[pkg]) {
				slices.Sort(c)
				wrong = append(wrong, fmt.Sprintf("%s: %d files refer to each other in a circle: %s", pkg, len(c), strings.Join(c, ", ")))
			}
		}
	}
	return wrong
}

// unread stands in the place of imported packages, which are not looked into.
type unread struct{}

func (unread) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

// references maps each file of a package to those whose functions, methods,
// types, constants and variables it uses.
func references(list []source) map[string]map[string]bool {
	set, files := list[0].set, make([]*ast.File, len(list))
	for i, s := range list {
		files[i] = s.file
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	cfg := types.Config{Importer: unread{}, Error: func(error) {}} // what is imported is unknown
	pkg, _ := cfg.Check(list[0].pkg, set, files, info)             // as good as it gets
	fileOf := func(p token.Pos) string { return path.Base(set.Position(p).Filename) }
	edges := map[string]map[string]bool{}
	for _, s := range list {
		edges[path.Base(s.path)] = map[string]bool{}
	}
	for id, o := range info.Uses {
		field, isVar := o.(*types.Var)
		local := o.Parent() != nil && o.Parent() != pkg.Scope()
		if o.Pkg() != pkg || local || isVar && field.IsField() || fileOf(id.Pos()) == fileOf(o.Pos()) {
			continue
		}
		edges[fileOf(id.Pos())][fileOf(o.Pos())] = true
	}
	return edges
}

// components are the strongly connected ones (Tarjan, Depth-First Search and
// Linear Graph Algorithms, 1972).
func components(edges map[string]map[string]bool) (found [][]string) {
	index, low, onStack := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	var visit func(v string)
	visit = func(v string) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, onStack[v] = append(stack, v), true
		for w := range edges[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		at := slices.Index(stack, v)
		for _, w := range stack[at:] {
			onStack[w] = false
		}
		found = append(found, slices.Clone(stack[at:]))
		stack = stack[:at]
	}
	for _, v := range slices.Sorted(maps.Keys(edges)) {
		if index[v] == 0 {
			visit(v)
		}
	}
	return found
}

var _ = Describe("the files of a package", func() {
	It("refer to each other in no large circle", func() {
		all, err := tree(".")
		Expect(err).NotTo(HaveOccurred())
		Expect(circles(all)).To(BeEmpty())
	})

	It("are seen to refer to each other, by functions, types and methods", func() {
		set := token.NewFileSet()
		var list []source
		for i := range 6 { // each file calls a method of the next one's type
			next := (i + 1) % 6
			s, err := parseInto(set, fmt.Sprintf("p/f%d.go", i), fmt.Appendf(nil, "package p\ntype t%d struct{}\nfunc (t t%d) m%d() { var x t%d; x.m%d() }\n", i, i, i, next, next))
			Expect(err).NotTo(HaveOccurred())
			list = append(list, s)
		}
		Expect(circles(list)).To(ConsistOf("p: 6 files refer to each other in a circle: f0.go, f1.go, f2.go, f3.go, f4.go, f5.go"))
		Expect(circles(list[:5])).To(BeEmpty())
	})
})
