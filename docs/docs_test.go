package docs_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/docs"
)

func TestDocs(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Docs")
}

// prose is a flag that makes TestProse print the word counts of the README and all pages.
var prose = flag.Bool("prose", false, "print number of sentences, median words and maximum words of README and pages")

// Limits of the README and the pages.
const (
	mostMedian = 16
	mostWords  = 25
	mostLines  = 200 // lines of the README
)

// oldWords matches words that texts for users must not contain. docs/glossary.md has the terms that
// replace them.
const oldWords = `(?i)\b(told|tells|struck|stands|wants|beside|held against|told apart|alike|whoever|of which|lent|purse|volley|the house|gone on)\b`

// screenSources are the directories whose string literals users read in help, screens, reports and
// messages.
var screenSources = []string{"../cmd", "../reports", "../eval", "../datasets", "../mocks", "../agent"}

// languageRules matches files that may contain old words in string literals, because these are
// patterns for user texts, old names or file names.
var languageRules = regexp.MustCompile(
	`^\.\./(agent/companion/(stopwords|fast_path|keywords|diary/keywords)|agent/scholar/simulated_recap|agent/dates/|agent/toolrouter/intent/|eval/journal/older|eval/metric/catalogue|eval/fleet/streams|cmd/evalctl/testdata/)`)

// document is a text to check: the README or a page of the documentation.
type document struct{ name, text string }

func documents() []document {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		panic(err) // tests run in their package directory
	}
	list := []document{{"README.md", string(text)}}
	for _, page := range docs.Pages() {
		list = append(list, document{"docs/" + page.Name + ".md", page.Text})
	}
	return list
}

// TestProse prints the number of sentences and the words per sentence of each document, for make
// prose.
func TestProse(t *testing.T) {
	if !*prose {
		t.Skip("without -prose")
	}
	t.Logf("%-28s %9s %6s %5s", "", "sentences", "median", "most")
	for _, d := range documents() {
		counts := wordCounts(sentences(d.text))
		t.Logf("%-28s %9d %6.1f %5d", d.name, len(counts), median(counts), counts[len(counts)-1])
		if median(counts) > mostMedian || counts[len(counts)-1] > mostWords {
			t.Errorf("%s: the median must be at most %d words, a sentence at most %d", d.name, mostMedian, mostWords)
		}
	}
}

var _ = Describe("README and documentation pages", func() {
	It("28.1: have sentences of at most 25 words, with a median of at most 16", func() {
		for _, d := range documents() {
			list := sentences(d.text)
			Expect(median(wordCounts(list))).To(BeNumerically("<=", mostMedian), d.name)
			for _, s := range list {
				Expect(len(words(s))).To(BeNumerically("<=", mostWords), "%s: %s", d.name, s)
			}
		}
	})

	It("28.1: have READMEs of at most 200 lines, whose images exist and take at most 300 kB", func() {
		bytes := int64(0)
		for _, name := range []string{"../README.md", "../README.zh-CN.md"} {
			text, err := os.ReadFile(name)
			Expect(err).NotTo(HaveOccurred())
			Expect(strings.Count(string(text), "\n")).To(BeNumerically("<=", mostLines), name)
		}
		for _, m := range image.FindAllStringSubmatch(documents()[0].text, -1) {
			info, err := os.Stat(filepath.Join("..", m[0]))
			Expect(err).NotTo(HaveOccurred())
			bytes += info.Size()
		}
		Expect(bytes).To(And(BeNumerically(">", 0), BeNumerically("<=", 300_000)))
	})

	It("28.2: link only to files and pages that exist", func() {
		for _, d := range documents() {
			for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(d.text, ""), -1) {
				if strings.Contains(m[2], "://") {
					continue
				}
				target, _, _ := strings.Cut(m[2], "#")
				Expect(filepath.Join("..", filepath.Dir(d.name), target)).To(BeAnExistingFile(), d.name)
			}
		}
	})

	It("28.2: are all returned by package docs, with a title, and can be found by name", func() {
		found, err := filepath.Glob("*.md")
		Expect(err).NotTo(HaveOccurred())
		for i, name := range found {
			found[i] = strings.TrimSuffix(name, ".md")
		}
		Expect(docs.Names()).To(ConsistOf(found))
		for _, page := range docs.Pages() {
			Expect(page.Text).To(HavePrefix("# "), page.Name)
			Expect(page.Title).NotTo(BeEmpty(), page.Name)
			again, ok := docs.Find(page.Name)
			Expect(ok).To(BeTrue())
			Expect(again).To(Equal(page))
		}
		_, ok := docs.Find("no-such-page")
		Expect(ok).To(BeFalse())
	})

	It("28.2: do not use retired words", func() {
		for _, d := range documents() {
			if d.name == "docs/renamed.md" { // this page lists old names
				continue
			}
			for i, line := range strings.Split(userTexts.ReplaceAllStringFunc(d.text, lineEndsOnly), "\n") {
				Expect(line).NotTo(MatchRegexp(oldWords), "%s:%d", d.name, i+1)
			}
		}
	})
})

var _ = Describe("help texts, screens and messages", func() {
	for _, folder := range screenSources {
		It("28.4: do not use retired words in "+folder, func() {
			Expect(filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
					languageRules.MatchString(filepath.ToSlash(path)) {
					return err
				}
				set := token.NewFileSet()
				file, err := parser.ParseFile(set, path, nil, 0)
				if err != nil {
					return err
				}
				ast.Inspect(file, func(n ast.Node) bool {
					if _, isImport := n.(*ast.ImportSpec); isImport {
						return false
					}
					if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						Expect(lit.Value).NotTo(MatchRegexp(oldWords), "%s", set.Position(lit.Pos()))
					}
					return true
				})
				return nil
			})).To(Succeed())
		})
	}
})

var (
	image     = regexp.MustCompile(`docs/images/[\w.-]+`)
	link      = regexp.MustCompile(`\[([^\]]*)\]\(([^)\s]+)\)`)
	fence     = regexp.MustCompile("(?ms)^```.*?^```$")
	userTexts = regexp.MustCompile("(?ms)^```(json|jsonl|csv|md)\\b.*?^```$")
	comment   = regexp.MustCompile(`(?s)<!--.*?-->`)
	item      = regexp.MustCompile(`^(- |\d+\. )`)
	code      = regexp.MustCompile("`[^`]+`")
	images    = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	end       = regexp.MustCompile(`[.!?]["')]?\s+`)
	letter    = regexp.MustCompile(`[\pL\pN]`)
)

// lineEndsOnly replaces a text by its line ends, so that line numbers in errors stay correct.
func lineEndsOnly(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }

// sentences returns the sentences of a Markdown text: those of paragraphs and list items, without
// tables, code and headings.
func sentences(text string) (list []string) {
	text = comment.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
	var open []string
	flush := func() {
		paragraph := images.ReplaceAllString(strings.Join(open, " "), "")
		paragraph = code.ReplaceAllString(link.ReplaceAllString(paragraph, "$1"), "CODE")
		at := 0
		for _, m := range end.FindAllStringIndex(paragraph, -1) {
			list = append(list, paragraph[at:m[1]])
			at = m[1]
		}
		list = append(list, paragraph[at:])
		open = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], "#|<") {
			flush()
			continue
		}
		if item.MatchString(line) {
			flush()
			line = item.ReplaceAllString(line, "")
		}
		open = append(open, line)
	}
	flush()
	return slices.DeleteFunc(list, func(s string) bool { return len(words(s)) == 0 })
}

// words returns the words of a sentence. Inline code counts as one word.
func words(sentence string) []string {
	return slices.DeleteFunc(strings.Fields(sentence), func(w string) bool { return !letter.MatchString(w) })
}

// wordCounts returns the number of words of each sentence, in ascending order.
func wordCounts(list []string) []int {
	counts := make([]int, len(list))
	for i, s := range list {
		counts[i] = len(words(s))
	}
	slices.Sort(counts)
	return counts
}

// median returns the median of sorted numbers.
func median(sorted []int) float64 {
	n := len(sorted)
	return float64(sorted[(n-1)/2]+sorted[n/2]) / 2
}

var _ = DescribeTable("28.1: sentences of a Markdown text", func(text string, want ...string) {
	Expect(sentences(text)).To(Equal(want))
},
	Entry("end at a full stop and at the end of their paragraph", "One two. Three\nfour\n\nFive\n", "One two. ",
		"Three four", "Five"),
	Entry("include the sentences of list items", "- one\n- two,\n  three. Four\n", "one", "two, three. ", "Four"),
	Entry("do not include headings, tables or code", "# One\n| two |\n```sh\nthree\n```\nfour `five six`\n",
		"four CODE"),
	Entry("contain the text of links without the address", "see [the page](page.md) now\n", "see the page now"))
