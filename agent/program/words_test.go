package program_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/program"
)

var _ = DescribeTable("SplitCommand splits a command into words", func(text string, want ...string) {
	Expect(program.SplitCommand(text)).To(Equal(want))
},
	Entry(nil, "python3 agent.py", "python3", "agent.py"),
	Entry(nil, "  a\t b\nc ", "a", "b", "c"),
	Entry(nil, `'my agent' "say \"hi\"" a\ b ''`, "my agent", `say "hi"`, "a b", ""),
	Entry(nil, `["my agent","a b"]`, "my agent", "a b"),
	Entry(nil, "代理 参数", "代理", "参数"),
	Entry(nil, "echo $HOME | cat", "echo", "$HOME", "|", "cat"),
)

var _ = DescribeTable("SplitCommand returns an error for an invalid command", func(text, want string) {
	_, err := program.SplitCommand(text)
	Expect(err).To(MatchError(ContainSubstring(want)))
},
	Entry(nil, "", "is empty: name a program"), Entry(nil, " ", "is empty: name a program"),
	Entry(nil, "[]", "is empty: name a program"), Entry(nil, `[""]`, "is empty: name a program"),
	Entry(nil, `a "b`, "without its end"), Entry(nil, `a \`, "without its end"),
	Entry(nil, `[1]`, "is not a list of words"), Entry(nil, "a\x00b", "NUL"),
)

// FuzzWords checks that JoinCommand and SplitCommand are inverse.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"a b", `'a b' "c\"d"`, `["x y",""]`, `a\ b`, "it's", "#a [b]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, err := program.SplitCommand(text)
		if err != nil {
			return
		}
		again, err := program.SplitCommand(program.JoinCommand(words))
		if err != nil || len(again) != len(words) {
			t.Fatalf("%q is %q, typed as %s, which is %q (%v)", text, words, program.JoinCommand(words), again, err)
		}
		for i := range words {
			if again[i] != words[i] {
				t.Fatalf("%q is typed as %s", words, program.JoinCommand(words))
			}
		}
	})
}
