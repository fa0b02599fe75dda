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

// dependencies returns, for each file of the package in a folder, the files whose names it uses.
func dependencies(folder string) (map[string]map[string]bool, error) {
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
	uses := map[string]map[string]bool{}
	for name, f := range files {
		uses[name] = map[string]bool{}
		for _, id := range f.Unresolved {
			if other, ok := declaredIn[id.Name]; ok && other != name {
				uses[name][other] = true
			}
		}
	}
	return uses, nil
}

// count returns the number of dependencies, and those that point up in an order that removes from
// the top, again and again, the file with the most uses of others and the fewest users.
func count(uses map[string]map[string]bool) (n int, up []string) {
	left := slices.Sorted(maps.Keys(uses))
	var order []string
	for len(left) > 0 {
		best, score := 0, -1<<30
		for i, file := range left {
			users, used := 0, 0
			for _, other := range left {
				if uses[other][file] {
					users++
				}
				if uses[file][other] {
					used++
				}
			}
			if s := used - users*len(uses); s > score {
				best, score = i, s
			}
		}
		order = append(order, left[best])
		left = slices.Delete(left, best, best+1)
	}
	for i, file := range order {
		n += len(uses[file])
		for _, above := range order[:i] {
			if uses[file][above] {
				up = append(up, filepath.Base(file)+" uses "+filepath.Base(above))
			}
		}
	}
	return n, up
}
