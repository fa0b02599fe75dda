package tokens_test

import (
	"os"
	"strings"
	"testing"

	"evalctl/agent/tokens"
)

// hostile are beginnings of texts that are one word, or none, to the encoding's pattern.
var hostile = map[string]string{
	"letters": "a", "capitals": "A", "both": "aA", "Chinese": "图像分割的方法", "one character": "好", "digits": "1", "dashes": "-", "quotes": "a'",
	"spaces": " ", "lines": "\n", "spaces and lines": " \n ", "marks": "\u0301", "control characters": "\x00", "no UTF-8": "\xff", "emoji": "👩‍🔬",
}

func BenchmarkCount(b *testing.B) {
	texts := map[string]string{}
	for name, begin := range hostile {
		texts[name] = strings.Repeat(begin, 5<<20/len(begin))
	}
	prose, err := os.ReadFile("testdata/prose.txt")
	if err != nil {
		b.Fatal(err)
	}
	texts["prose"] = strings.Repeat(string(prose), 5<<20/len(prose))
	tokens.Count("") // is not the first
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tokens.Count(text)
			}
		})
	}
}
