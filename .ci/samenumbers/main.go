// Command samenumbers renders runs with two evalctl programs in every text format. It prints how many
// numbers the first program shows, and those that the second one does not show. JSON and CSV must be
// equal byte by byte.
//
//	go run ./.ci/samenumbers OLD NEW DIR…
package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

var number = regexp.MustCompile(`\d[\d.,]*\d|\d`)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: samenumbers OLD NEW DIR…")
		os.Exit(2)
	}
	differ := false
	for _, dir := range os.Args[3:] {
		for _, flags := range []string{"", "-v", "--format markdown", "--format latex", "--format comment",
			"--by class", "--by tag", "--by node", "--by fault", "--by loop", "--by case", "--by confidence"} {
			before, after := numbers(report(os.Args[1], dir, flags)), numbers(report(os.Args[2], dir, flags))
			missing := slices.DeleteFunc(slices.Clone(before),
				func(n string) bool { return slices.Contains(after, n) })
			fmt.Printf("%s %s: %d numbers, missing: %v\n", dir, flags, len(before), missing)
			differ = differ || len(missing) > 0
		}
		for _, flags := range []string{"--format json", "--format csv", "--format csv-wide", "--by class --format csv",
			"--by class --format json", "--by confidence --format csv", "--by confidence --format json"} {
			same := report(os.Args[1], dir, flags) == report(os.Args[2], dir, flags)
			fmt.Printf("%s %s: equal: %t\n", dir, flags, same)
			differ = differ || !same
		}
	}
	if differ {
		os.Exit(1)
	}
}

func report(program, dir, flags string) string {
	out, err := exec.Command(program, append([]string{"report", dir}, strings.Fields(flags)...)...).Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, program, dir, flags, err)
	}
	return string(out)
}

// numbers returns the distinct numbers of a text, without LaTeX comments.
func numbers(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "%") {
			list = append(list, number.FindAllString(line, -1)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
