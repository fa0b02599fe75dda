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

// printed returns what a SafeWriter prints if text is written in pieces.
func printed(secrets *secret.Set, pieces ...string) string {
	var out bytes.Buffer
	o := terminal.NewSafeWriter(&out, secrets)
	for _, p := range pieces {
		n, err := o.Write([]byte(p))
		Expect(n, err).To(Equal(len(p)))
	}
	Expect(o.Close()).To(Succeed())
	return out.String()
}

var _ = DescribeTable("SafeWriter replaces control characters by visible symbols", func(want string, pieces ...string) {
	Expect(printed(nil, pieces...)).To(Equal(want))
},
	Entry("plain text is unchanged", "a\tb\n你好 👩‍👩‍👧\n", "a\tb\n你好 👩‍👩‍👧\n"),
	Entry("an escape sequence for a color", "␛[31mred", "\x1b[31mred"),
	Entry("an escape sequence for the window title", "␛]0;x␇", "\x1b]0;x\a"),
	Entry("characters that overwrite a line", "good␍evil␈␛[K", "good\revil\b\x1b[K"),
	Entry("Windows line ends", "a\nb", "a\r\nb"),
	Entry("a C1 control character", "\uFFFD31m", "\u009b31m"),
	Entry("an invalid byte that some terminals read as a C1 control character", "\uFFFD31m", "\x9b31m"),
	Entry("invisible characters", "k\uFFFDey\uFFFD\uFFFD\uFFFD", "k\u200bey\ufeff\U000e0041\u2060"),
	Entry("emoji and scripts that need joiners: unchanged", "👩\u200d🎨 ❤\ufe0f می\u200cخواهم",
		"👩\u200d🎨 ❤\ufe0f می\u200cخواهم"),
	Entry("bidirectional overrides", "\uFFFDfdp.exe\uFFFD", "\u202efdp.exe\u2066"),
	Entry("a character that is written in two pieces: unchanged", "你好", "\xe4\xbd", "\xa0好"),
	Entry("an incomplete character at the end of the output", "a\uFFFD", "a\xe4\xbd"),
	Entry("an incomplete character in the middle of the output", "a\uFFFDb", "a\xe4", "b"),
)

var _ = Describe("SafeWriter", func() {
	It("removes a secret, even if it is written in pieces", func() {
		s := secret.NewSet("sk-0123456789", "")
		Expect(printed(s, "a sk-0123456789 b\n")).To(Equal("a [redacted] b\n"))
		Expect(printed(s, strings.Split("a sk-0123456789 b sk", "")...)).To(Equal("a [redacted] b sk"))
	})

	It("passes evalctl's own escape sequences through StyledWriter, but no secret", func() {
		var out bytes.Buffer
		o := terminal.NewSafeWriter(&out, secret.NewSet("sk-0123456789", ""))
		_, err := terminal.StyledWriter(o).Write([]byte("\x1b[1mhead sk-0123456789\x1b[0m\r\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(out.String()).To(Equal("\x1b[1mhead [redacted]\x1b[0m\r\n"))
	})

	It("passes data unchanged through RawWriter if the output is not a terminal", func() {
		var out bytes.Buffer
		_, err := terminal.RawWriter(terminal.NewSafeWriter(&out, nil)).Write([]byte("{\"a\":\"\u202e\x1b\"}\r\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(out.String()).To(Equal("{\"a\":\"\u202e\x1b\"}\r\n"))
	})
})

func FuzzOutput(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff你", 2)
	f.Fuzz(func(t *testing.T, text string, size int) {
		var out bytes.Buffer
		o := terminal.NewSafeWriter(&out, nil)
		for i := 0; i < len(text); {
			n := min(len(text)-i, max(1, size%16))
			_, _ = o.Write([]byte(text[i : i+n]))
			i += n
		}
		_ = o.Close()
		if !utf8.Valid(out.Bytes()) {
			t.Errorf("%q is not UTF-8, of %q", out.String(), text)
		}
		for _, r := range out.String() {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Errorf("%q steers, of %q", out.String(), text)
			}
		}
	})
}
