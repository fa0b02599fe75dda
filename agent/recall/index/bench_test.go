package index_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"evalctl/agent/recall"
	"evalctl/agent/recall/index"
)

// characters returns the number of characters of a text, as a fast token counter.
func characters(text string) int { return utf8.RuneCountInString(text) }

// library returns documents with sections of 250 characters. Their words of two Chinese characters
// have the frequencies of a natural language.
func library(documents, sections int) (all []index.Document) {
	draw := rand.New(rand.NewPCG(1, 2))
	common := rand.NewZipf(draw, 1.1, 20, 20_000)
	word := func() string {
		of := rand.New(rand.NewPCG(3, common.Uint64()))
		return string([]rune{rune(0x4e00 + of.IntN(2500)), rune(0x4e00 + of.IntN(2500))})
	}
	for d := range documents {
		var b strings.Builder
		for s := range sections {
			fmt.Fprintf(&b, "## 第%d节\n", s)
			for range 12 {
				for range 10 {
					b.WriteString(word())
				}
				b.WriteString("。")
			}
			b.WriteString("\n\n")
		}
		all = append(all, index.Document{ID: fmt.Sprintf("d%02d", d), Text: b.String()})
	}
	return all
}

// BenchmarkEach searches five questions in each of many documents. The time should be proportional
// to the number of documents.
func BenchmarkEach(b *testing.B) {
	for _, n := range []int{100, 200, 400, 1000} {
		documents := library(n, 12)
		x := indexed(b, documents)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				for _, d := range documents {
					for i := range 5 {
						question := string([]rune(documents[i].Text)[20:45])
						if _, err := x.Search(b.Context(),
							recall.Query{Question: question, Documents: []string{d.ID}}); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		})
	}
}

func indexed(tb testing.TB, documents []index.Document) *index.Index {
	x, err := index.New(context.Background(), documents, index.Config{CountTokens: characters})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { x.Close() })
	return x
}

// BenchmarkSearch searches one question. Targets: less than 1 ms for the 600 passages of 64 papers,
// and less than 50 ms for 20,000 passages.
func BenchmarkSearch(b *testing.B) {
	for _, size := range []struct{ documents, sections int }{{64, 10}, {1000, 20}} {
		documents := library(size.documents, size.sections)
		x := indexed(b, documents)
		question := string([]rune(documents[7].Text)[20:45])
		for _, rerank := range []string{"", "local"} {
			b.Run(fmt.Sprint(size.documents*size.sections, rerank), func(b *testing.B) {
				for b.Loop() {
					if found, err := x.Search(context.Background(),
						recall.Query{Question: question, Reranker: rerank}); err != nil || len(found) == 0 {
						b.Fatal(found, err)
					}
				}
			})
		}
	}
}

func BenchmarkNew(b *testing.B) {
	documents := library(64, 10)
	for b.Loop() {
		indexed(b, documents)
	}
}

// BenchmarkLargeDocument indexes one document of 5 MB. Target: a few seconds.
func BenchmarkLargeDocument(b *testing.B) {
	documents := library(1, 6600)
	b.Log(len(documents[0].Text))
	for b.Loop() {
		indexed(b, documents)
	}
}
