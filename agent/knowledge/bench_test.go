package knowledge_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"

	"evalctl/agent/knowledge"
)

// asked is a typical query with a style, a subject and a whole message.
var asked = knowledge.Query{
	Texts: []string{"赛博朋克风格", "雨夜里的小猫", "请帮我画一张赛博朋克风格的雨夜小猫，背景要有霓虹灯"}, Limit: 3, MinSimilarity: 0.6,
}

func shippedStyles(b *testing.B) []knowledge.Style {
	b.Helper()
	styles, err := knowledge.ShippedStyles()
	if err != nil {
		b.Fatal(err)
	}
	return styles
}

// BenchmarkSearch measures a query of three texts in the shipped library.
func BenchmarkSearch(b *testing.B) {
	l, err := knowledge.New(background, shippedStyles(b), local)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	var bounds atomic.Int64
	once := func() {
		anew := asked // so that the result is not cached
		anew.MinSimilarity += float64(bounds.Add(1)) * 1e-12
		if hits, err := l.Search(background, local, anew); err != nil || len(hits) == 0 {
			b.Error(hits, err)
		}
	}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			once()
		}
	})
	b.Run("side by side", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				once()
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "searches/s")
	})
}

// BenchmarkLoop measures a scan of the same vectors in plain Go, for comparison with
// BenchmarkSearch.
func BenchmarkLoop(b *testing.B) {
	var names []string
	for _, s := range shippedStyles(b) {
		names = append(append(names, s.ZH, s.EN), s.Aliases...)
	}
	library, err := local.Embed(background, names)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(names)), "names")
	for b.Loop() {
		texts, err := local.Embed(background, asked.Texts)
		if err != nil {
			b.Fatal(err)
		}
		found := 0
		for _, v := range library {
			for _, t := range texts {
				if product(v, t) >= float32(asked.MinSimilarity) {
					found++
				}
			}
		}
		if found == 0 {
			b.Fatal("nothing found")
		}
	}
}

func product(a, b []float32) (sum float32) {
	b = b[:len(a)]
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// BenchmarkLocal measures embedding the three texts of the query.
func BenchmarkLocal(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := local.Embed(background, asked.Texts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen measures opening a file of the shipped library.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "library")
	if err := knowledge.WriteLibrary(background, path, shippedStyles(b), local); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l, err := knowledge.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
