package terminal_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/terminal"
)

// printed is what comes out when pieces are printed.
func printed(secrets *secret.Set, pieces ...string) string {
	var out bytes.Buffer
	o := terminal.NewOutput(&out, secrets)
	for _, p := range pieces {
		n, err := o.Write([]byte(p))
		Expect(n, err).To(Equal(len(p)))
	}
	Expect(o.Close()).To(Succeed())
	return out.String()
}

var _ = DescribeTable("what is printed steers no terminal", func(want string, pieces ...string) {
	Expect(printed(nil, pieces...)).To(Equal(want))
},
	Entry("text stays", "a\tb\n你好 👩‍👩‍👧\n", "a\tb\n你好 👩‍👩‍👧\n"),
	Entry("a colour", "␛[31mred", "\x1b[31mred"),
	Entry("a title", "␛]0;x␇", "\x1b]0;x\a"),
	Entry("a line drawn over", "good␍evil␈␛[K", "good\revil\b\x1b[K"),
	Entry("line ends of Windows", "a\nb", "a\r\nb"),
	Entry("a C1 control", "\uFFFD31m", "\u009b31m"),
	Entry("a C1 byte", "\uFFFD31m", "\x9b31m"),
	Entry("what hides in a text", "k\uFFFDey\uFFFD\uFFFD\uFFFD", "k\u200bey\ufeff\U000e0041\u2060"),
	Entry("emoji and scripts whose joiners show", "👩\u200d🎨 ❤\ufe0f می\u200cخواهم", "👩\u200d🎨 ❤\ufe0f می\u200cخواهم"),
	Entry("text that runs backwards", "\uFFFDfdp.exe\uFFFD", "\u202efdp.exe\u2066"),
	Entry("a character in two pieces", "你好", "\xe4\xbd", "\xa0好"),
	Entry("a character without its end", "a\uFFFD", "a\xe4\xbd"),
	Entry("one that never ends", "a\uFFFDb", "a\xe4", "b"),
)

var _ = Describe("output", func() {
	It("holds no secret, however it is cut", func() {
		s := secret.NewSecrets("sk-0123456789", "")
		Expect(printed(s, "a sk-0123456789 b\n")).To(Equal("a [redacted] b\n"))
		Expect(printed(s, strings.Split("a sk-0123456789 b sk", "")...)).To(Equal("a [redacted] b sk"))
	})

	It("lets our own escapes through where they are said to be ours, but no secret", func() {
		var out bytes.Buffer
		o := terminal.NewOutput(&out, secret.NewSecrets("sk-0123456789", ""))
		_, err := terminal.StyledWriter(o).Write([]byte("\x1b[1mhead sk-0123456789\x1b[0m\r\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(out.String()).To(Equal("\x1b[1mhead [redacted]\x1b[0m\r\n"))
	})

	It("lets data through as they are where nobody looks", func() {
		var out bytes.Buffer
		_, err := terminal.RawWriter(terminal.NewOutput(&out, nil)).Write([]byte("{\"a\":\"\u202e\x1b\"}\r\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(out.String()).To(Equal("{\"a\":\"\u202e\x1b\"}\r\n"))
	})
})

func FuzzOutput(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff你", 2)
	f.Fuzz(func(t *testing.T, text string, size int) {
		var out bytes.Buffer
		o := terminal.NewOutput(&out, nil)
		for i := 0; i < len(text); {
			n := min(len(text)-i, max(1, size%16))
			_, _ = o.Write([]byte(text[i : i+n]))
			i += n
		}
		_ = o.Close()
		if !utf8.Valid(out.Bytes()) {
			t.Errorf("%q is no UTF-8, of %q", out.String(), text)
		}
		for _, r := range out.String() {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Errorf("%q steers, of %q", out.String(), text)
			}
		}
	})
}
