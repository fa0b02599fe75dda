package dfa_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/dfa"
)

// exprs are expressions that cover the syntax of the standard library.
var exprs = []string{
	``, `a`, `ab|cd`, `a*b+c?`, `(?:ab){2,3}`, `^ab`, `ab$`, `^$`, `^(?:ab)*$`, `\bword\b`, `\Bx`, `x\B`, `[^a-c]x`,
	`a.c`, `(?s)a.c`, `(?m)^b$`, `(?i)straße|k`,
	`画[一两]?[张幅](?:猫|狗).*`, `^[^,]*?(?:请|帮我)+画`, `[^\x00-\x7f]x|\x{10ffff}`, `(a|ab)(c|bcd)(d*)`, `\d+(?:[日号])?的?$`,
	`(?:^|[^我])们$`, `\z`, `a{0}b`, `[[:^word:]]y`,
	`.*b.*`, `^[^c]*b.{2,}`, `^(?:a|.*b)(?:.+|c$|$)`, `.*?b.*?`, `^(?:a.*)?`, `.*b|c.*`, `(?:^|x)b.*`, `(.*)(b)(.*)`,
	`(?s).*b.*`, `(?m)^b.*$`, `^(?:^.*|b)$`, `.*b.*c.*?$`, `^.*b{2,}`,
	`a.*`, `b+.*?$`, `(?:ab|b|画)+.*`, `\Bb.{0,2}$|c.*`, `(?:\bk|(?i)ß).*`, `(?s)a\n?.*`, `(?:请|帮)(?:我|你)*(?:画|绘).{2,}`,
}

var texts = []string{
	"", "a", "b", "ab", "abab", "cd", "aabbc", "word", "a word.", "words", "x", "ax", " x", "dx", "a\nc", "a\nb\nc",
	"STRASSE", "STRAẞE", "straße", "\u212a", "画一张猫", "请帮我画", "好,请画",
	"我们", "他们", "们", "12日的", "\xff", "a\xffc", "\xffx", "\U0010ffff", "画两幅\n狗", "abcd", "aby", "é y", "y",
}

var _ = Describe("A regular expression", func() {
	It("finds the same matches as the standard library, regardless of earlier texts", func() {
		for range 2 {
			for _, expr := range exprs {
				same(GinkgoT(), expr, texts...)
			}
		}
	})

	It("is safe for concurrent use while a full table is replaced", func() {
		// A million texts need a state each: which of the last 20 letters were an a.
		expr := `a.{20}$`
		re, std := dfa.MustCompile(expr), regexp.MustCompile(expr)
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				defer GinkgoRecover()
				for i := range 100 {
					text := strings.NewReplacer("0", "a", "1", "b").Replace(strings.Repeat(bits(i*7919+n), 3))
					Expect(re.MatchString(text)).To(Equal(std.MatchString(text)), text)
				}
			})
		}
		all.Wait()
	})

	It("causes a panic if it is invalid, as in the standard library", func() {
		Expect(func() { dfa.MustCompile(`(`) }).To(Panic())
	})
})

// bits returns the lowest twenty bits of a number as digits.
func bits(n int) string {
	var b strings.Builder
	for i := range 20 {
		b.WriteByte('0' + byte(n>>i&1))
	}
	return b.String()
}

func same(t interface{ Fatalf(string, ...any) }, expr string, texts ...string) {
	re, std := dfa.MustCompile(expr), regexp.MustCompile(expr)
	for _, text := range texts {
		if got, want := re.MatchString(text), std.MatchString(text); got != want {
			t.Fatalf("%s matches %q: %v, want %v", expr, text, got, want)
		}
		if got, want := re.FindString(text), std.FindString(text); got != want {
			t.Fatalf("%s finds %q in %q, want %q", expr, got, text, want)
		}
		if got, want := re.FindStringIndex(text), std.FindStringIndex(text); len(got) != len(want) || got != nil &&
			(got[0] != want[0] || got[1] != want[1]) {
			t.Fatalf("%s is found at %v in %q, want %v", expr, got, text, want)
		}
		if got, want := re.ReplaceAllString(text, "<$0>"), std.ReplaceAllString(text, "<$0>"); got != want {
			t.Fatalf("%s makes %q of %q, want %q", expr, got, text, want)
		}
	}
}

func FuzzRegexp(f *testing.F) {
	for i, text := range texts {
		f.Add(exprs[i%len(exprs)], text)
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		if _, err := regexp.Compile(expr); err != nil || len(expr) > 100 {
			t.Skip()
		}
		same(t, expr, text)
	})
}

func BenchmarkMatch(b *testing.B) {
	re := dfa.MustCompile(`(?:请|帮我|给我)*(?:画|绘)[^,]*?(?:猫|狗|图[^书]|照片)`)
	for b.Loop() {
		re.MatchString("能不能麻烦你给我们讲一讲怎么样在家里养一只不掉毛的小动物")
	}
}
