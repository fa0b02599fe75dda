package journal_test

import (
	"os"
	"path/filepath"
	"testing"

	"evalctl/eval/journal"
)

func BenchmarkAdd(b *testing.B) {
	w, err := journal.Create(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	r := full("a")
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Add(r); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkResults(b *testing.B) {
	dir := b.TempDir()
	w, err := journal.Create(dir)
	if err != nil {
		b.Fatal(err)
	}
	for range 1000 {
		if err := w.Add(full("a")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range journal.ReadRunResults(dir) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// FuzzResults checks that any input can be read without a panic, and that every result has a key.
func FuzzResults(f *testing.F) {
	f.Add([]byte("{\"key\":\"a\",\"took_ms\":1.5}\n"))
	f.Add([]byte("{\"key\":\"a\"}\n{\"ke"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		fill(t, dir, text)
		for r, err := range journal.ReadRunResults(dir) {
			if err == nil && r.Key == "" {
				t.Fatal("a result without a key")
			}
		}
		w, err := resume(dir)
		if err != nil { // damage before the end
			return
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func fill(t *testing.T, dir string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, journal.ResultsFile), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkNames(b *testing.B) {
	dir := b.TempDir()
	w, err := journal.Create(dir)
	if err != nil {
		b.Fatal(err)
	}
	for range 1000 {
		if err := w.Add(full("a")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range journal.ReadTrialNames(filepath.Join(dir, journal.ResultsFile)) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
