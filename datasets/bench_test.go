package datasets_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"evalctl/datasets"
)

// shortCases writes a file with n cases in the short form and returns its path.
func shortCases(tb testing.TB, n int) string {
	tb.Helper()
	var b strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("画 一张 图 查 天气 现在 几点 帮 我 写 代码 weather picture today 搜索 新闻 生成 海报 猫 狗 请 吗 价格 怎么 为什么 翻译")
	labels := routerSchema(nil).Labels
	for i := range n {
		fmt.Fprintf(&b, `{"id":"case-%07d","text":"`, i)
		for range 4 + r.IntN(8) {
			b.WriteString(words[r.IntN(len(words))])
		}
		fmt.Fprintf(&b, ` %d","label":"%s"}`+"\n", r.IntN(n), labels[r.IntN(4)])
	}
	path := filepath.Join(tb.TempDir(), "short.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// BenchmarkPasses measures what a run reads: it opens a dataset and streams it once.
func BenchmarkPasses(b *testing.B) {
	const n = 200_000
	path := shortCases(b, n)
	b.ReportAllocs()
	for b.Loop() {
		d, err := datasets.Open(path, routerSchema(nil))
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range d.Stream(datasets.Filter{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkHeap measures the memory in use after Open and while streaming.
func BenchmarkHeap(b *testing.B) {
	const n = 200_000
	path := shortCases(b, n)
	for b.Loop() {
		before := heap()
		d, err := datasets.Open(path, routerSchema(nil))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(heap()-before)/1024, "KiB-after-open")
		most, seen := int64(0), 0
		for range d.Stream(datasets.Filter{}) {
			if seen++; seen%20_000 == 0 {
				most = max(most, heap()-before)
			}
		}
		b.ReportMetric(float64(most)/1024, "KiB-streaming")
	}
}

// heap returns the memory of live objects, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkNearDuplicates(b *testing.B) {
	d, err := datasets.Open(shortCases(b, 100_000), routerSchema(nil))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		pairs, err := d.NearDuplicates(datasets.NearDuplicateThreshold)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(pairs)), "pairs")
	}
}
