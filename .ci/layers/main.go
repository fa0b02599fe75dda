// Command layers prints how the files of Go packages depend on each other. A file depends on another
// one if it uses a name that the other declares. Files are ordered so that most dependencies point
// down; the command counts those that point up, which exist only in cycles.
//
//	go run ./.ci/layers [-v] FOLDER…
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	verbose := flag.Bool("v", false, "print the dependencies that point up")
	flag.Parse()
	total, up := 0, 0
	for _, root := range flag.Args() {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || d.Name() == "testdata" {
				return err
			}
			uses, err := dependencies(path)
			if err != nil || len(uses) == 0 {
				return err
			}
			n, back := count(uses)
			total, up = total+n, up+len(back)
			if n > 0 {
				fmt.Printf("%-24s %3d files, %4d dependencies, %3d up\n", path, len(uses), n, len(back))
			}
			for _, b := range back {
				if *verbose {
					fmt.Printf("  %s\n", b)
				}
			}
			return nil
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, "layers:", err)
			os.Exit(1)
		}
	}
	fmt.Printf("%d dependencies, %d up (%.1f %%)\n", total, up, 100*float64(up)/float64(max(total, 1)))
}

// dependencies returns, for each file of the package in a folder, which names of which other files it
// uses.
func dependencies(folder string) (map[string]map[string][]string, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	files, declaredIn := map[string]*ast.File{}, map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		files[name] = f
		for declared := range f.Scope.Objects {
			declaredIn[declared] = name
		}
	}
	uses := map[string]map[string][]string{}
	for name, f := range files {
		uses[name] = map[string][]string{}
		for _, id := range f.Unresolved {
			if other, ok := declaredIn[id.Name]; ok && other != name {
				uses[name][other] = append(uses[name][other], id.Name)
			}
		}
	}
	return uses, nil
}

// count returns the number of dependencies, and those that point up. It starts with the order in which
// files with the fewest users come first, then moves single files as long as fewer dependencies point
// up.
func count(uses map[string]map[string][]string) (n int, up []string) {
	order := slices.Sorted(maps.Keys(uses))
	users := map[string]int{}
	for _, file := range order {
		n += len(uses[file])
		for other := range uses[file] {
			users[other]++
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return users[a] - users[b] })
	for improved := true; improved; {
		improved = false
		for _, file := range slices.Clone(order) {
			from := slices.Index(order, file)
			rest := slices.Delete(slices.Clone(order), from, from+1)
			for to := range order {
				moved := slices.Insert(slices.Clone(rest), to, file)
				if len(pointingUp(uses, moved)) < len(pointingUp(uses, order)) {
					order, improved = moved, true
				}
			}
		}
	}
	return n, pointingUp(uses, order)
}

// pointingUp lists the dependencies of files on files that come before them.
func pointingUp(uses map[string]map[string][]string, order []string) (up []string) {
	for i, file := range order {
		for _, above := range order[:i] {
			if names := uses[file][above]; len(names) > 0 {
				slices.Sort(names)
				up = append(up, fmt.Sprintf("%s uses %s: %s", filepath.Base(file), filepath.Base(above),
					strings.Join(slices.Compact(names), ", ")))
			}
		}
	}
	return up
}
