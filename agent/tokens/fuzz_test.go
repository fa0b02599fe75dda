package tokens_test

import (
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"evalctl/agent/tokens"
)

func FuzzCut(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, 7, 3)
	}
	f.Add("It's 图像, don't\r\n\r\n /x\u0301 ", 20, 300)
	f.Fuzz(func(t *testing.T, text string, most, times int) {
		text = strings.Repeat(text, min(max(times, 1), 10_000/(len(text)+1)+1))
		cut := tokens.Truncate(text, most)
		if !strings.HasPrefix(text, cut) {
			t.Fatalf("%.100q is not a beginning", cut)
		}
		n := tokens.Count(text)
		if got := tokens.Count(cut); got > max(most, 0) || n <= most && cut != text {
			t.Fatalf("%d tokens of %d, with room for %d", got, n, most)
		}
	})
}

// FuzzCount compares Count, which adds the counts of pieces, with the token count of the whole
// text.
func FuzzCount(f *testing.F) {
	enc := codec.NewO200kBase()
	for _, s := range hostile {
		f.Add(s, "b ")
	}
	f.Add("It's 图像，don't\r\n\r\n /x\u0301 ", "1\n")
	f.Fuzz(func(t *testing.T, one, other string) {
		text := strings.ToValidUTF8(strings.Repeat(one+"word word. "+other, 4000/(len(one+other)+1)), "")
		whole, err := enc.Count(text)
		if err != nil {
			t.Skip(err)
		}
		if len(one)+len(other) > 200 { // a longer text may have no position at which it can be split exactly
			t.Skip()
		}
		if got := tokens.Count(text); got != whole {
			t.Fatalf("%d tokens, in one piece %d: %.100q", got, whole, one+other)
		}
	})
}
