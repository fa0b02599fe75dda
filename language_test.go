package evalctl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// retiredWords matches words that comments and identifiers must not contain. docs/glossary.md has
// the terms that replace them.
var retiredWords = regexp.MustCompile(`(?i)\b(told|tells|struck|stands|wants|beside|held against|alike|whoever|` +
	`of which|lent|purse|volley|the house|gone on)\b`)

// allowedWords lists the exceptions: files, with texts in them, that may contain a retired word.
var allowedWords = []struct{ file, text, because string }{
	{"language_test.go", "", "names the words"},
}

// words separates the words of an identifier by spaces: rateLimited becomes "rate Limited".
func words(identifier string) string {
	var b strings.Builder
	for i, r := range identifier {
		if i > 0 && (unicode.IsUpper(r) || r == '_') {
			b.WriteByte(' ')
		}
		if r != '_' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// retired returns the positions of retired words in the comments and identifiers of a file.
func retired(name string, text []byte) (found []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	report := func(pos token.Pos, text string) {
		word := retiredWords.FindString(text)
		if word == "" {
			return
		}
		for _, a := range allowedWords {
			if a.file == name && strings.Contains(text, a.text) {
				return
			}
		}
		found = append(found, set.Position(pos).String()+": "+word)
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			report(comment.Pos(), comment.Text)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			report(id.Pos(), words(id.Name))
		}
		return true
	})
	return found, nil
}

var _ = Describe("Comments and identifiers of the source code", func() {
	It("29.6: do not use retired words", func() {
		files, err := tree(".")
		Expect(err).NotTo(HaveOccurred())
		var all []string
		for _, f := range files {
			text, err := os.ReadFile(f.path)
			Expect(err).NotTo(HaveOccurred())
			found, err := retired(f.path, text)
			Expect(err).NotTo(HaveOccurred())
			all = append(all, found...)
		}
		Expect(all).To(BeEmpty())
	})

	DescribeTable("29.6: are checked for retired words", func(code string, found int) {
		Expect(retired("x.go", []byte("package p\n"+code))).To(HaveLen(found))
	},
		Entry("in a doc comment", "// f tells why.\nfunc f() {}", 1),
		Entry("in a comment with a retired phrase of two words", "// held against the baseline\nvar x int", 1),
		Entry("in the name of a function", "func wasTold() {}", 1),
		Entry("in a local variable", "func f() { lent := 1; _ = lent }", 2),
		Entry("in a name with underscores", "func Test_whoever() {}", 1),
		Entry("but not for parts of longer words", "// an understanding of talent\nfunc standstill() {}", 0),
		Entry("but not in strings", "var text = \"told\"", 0),
	)
})
