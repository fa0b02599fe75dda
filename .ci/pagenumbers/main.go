// Command pagenumbers checks that the HTML page of a run shows every number that the text reports of
// the same run show. The text reports are the first screen, and the views of faults, confidences and
// Critic loops. Percent signs and units do not count.
//
//	go run ./.ci/pagenumbers PROGRAM DIR…
package main

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	number   = regexp.MustCompile(`\d[\d.,]*\d|\d`)
	nonTexts = regexp.MustCompile(`(?s)<(style|script|svg)\b.*?</(style|script|svg)>`)
	tag      = regexp.MustCompile(`<[^>]*>`)
	commands = regexp.MustCompile(`(?m) evalctl .*$|\d+ %\s+100 %`) // also the ends of the axis of a text plot
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: pagenumbers PROGRAM DIR…")
		os.Exit(2)
	}
	isComplete := true
	for _, dir := range os.Args[2:] {
		shown, err := pageNumbers(os.Args[1], dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, flags := range []string{"", "--by fault", "--by confidence", "--by loop"} {
			out, err := exec.Command(os.Args[1], append([]string{"report", dir, "-v"},
				strings.Fields(flags)...)...).Output()
			if flags == "" { // without -v, which shows conditions with faults in full
				out, err = exec.Command(os.Args[1], "report", dir).Output()
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, dir, flags, err)
				os.Exit(1)
			}
			list := numbers(commands.ReplaceAllString(string(out), ""))
			missing := slices.DeleteFunc(slices.Clone(list), func(n string) bool { return slices.Contains(shown, n) })
			fmt.Printf("%s %s: %d numbers, not on the page: %v\n", dir, flags, len(list), missing)
			isComplete = isComplete && len(missing) == 0
		}
	}
	if !isComplete {
		os.Exit(1)
	}
}

// pageNumbers returns the distinct numbers in the texts of the page of a run.
func pageNumbers(program, dir string) ([]string, error) {
	temp, err := os.MkdirTemp("", "pagenumbers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	path := filepath.Join(temp, "page.html")
	if out, err := exec.Command(program, "report", dir, "--html", path).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", dir, err, out)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := nonTexts.ReplaceAllString(string(page), " ")
	text = strings.ReplaceAll(text, "<wbr>", "")
	return numbers(html.UnescapeString(tag.ReplaceAllString(text, " "))), nil
}

// numbers returns the distinct numbers of a text in order.
func numbers(text string) []string {
	list := number.FindAllString(text, -1)
	slices.Sort(list)
	return slices.Compact(list)
}
