package tokens_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"evalctl/agent/tokens"
)

// hostile are alphabets of texts that tokenizers split slowly, because the text is one long word or
// has no word at all.
var hostile = map[string]string{
	"letters": "etaoins", "capitals": "ETAOINS", "both": "aAbBcC", "Chinese": "图像分割的方法", "one character": "好",
	"digits": "1234567890", "dashes": "-=_*", "quotes": "a't",
	"spaces": " \t", "lines": "\n", "spaces and lines": " \n ", "marks": "\u0301\u0300",
	"control characters": "\x00\x01", "no UTF-8": "\xff\xfe\x80", "emoji": "👩‍🔬",
}

func anyOf(characters string, size int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	list := strings.Split(characters, "")
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(list[r.IntN(len(list))])
	}
	return b.String()
}

// BenchmarkCount measures Count for different texts of 5 MB.
func BenchmarkCount(b *testing.B) {
	tokens.Count("") // loads the encoding before the measurement
	for name, characters := range hostile {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(5 << 20)
			for seed := uint64(0); b.Loop(); seed++ {
				b.StopTimer()
				text := anyOf(characters, 5<<20, seed)
				b.StartTimer()
				tokens.Count(text)
			}
		})
	}
}

// BenchmarkCountAgain measures Count for a paper whose pieces are cached.
func BenchmarkCountAgain(b *testing.B) {
	prose, err := os.ReadFile("testdata/prose.txt")
	if err != nil {
		b.Fatal(err)
	}
	tokens.Count(string(prose))
	b.SetBytes(int64(len(prose)))
	for b.Loop() {
		tokens.Count(string(prose))
	}
}
