package knowledge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"evalctl/agent/knowledge"
)

// FuzzReadStyles checks that any input yields an error with file and line, or styles that are the
// same after encoding and decoding.
func FuzzReadStyles(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("\n\r\n" + good + "x"))
	f.Add([]byte(`{"id":"a","zh":"\ud800","en":"` + "\xff" + `","prompt":"p"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		styles, err := knowledge.ReadStyles("f", bytes.NewReader(text))
		if err != nil {
			if styles != nil || !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("%q: %v, %v", text, styles, err)
			}
			return
		}
		var b bytes.Buffer
		for _, s := range styles {
			if err := json.NewEncoder(&b).Encode(s); err != nil {
				t.Fatal(err)
			}
			if s.Aliases != nil && len(s.Aliases) == 0 {
				return // an empty list is not encoded
			}
		}
		again, err := knowledge.ReadStyles("f", &b)
		if err != nil || !reflect.DeepEqual(again, styles) {
			t.Fatalf("%q: %v became %v, %v", text, styles, again, err)
		}
	})
}

// FuzzLocal checks that any text has a vector of length 1 or 0.
func FuzzLocal(f *testing.F) {
	for _, text := range []string{"赛博朋克2077那种", "Art Déco-ish 80’s", "的的的", "\xff\x00", "ﷺ①", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := local.Embed(background, []string{text})
		if err != nil {
			t.Fatal(err)
		}
		if n := math.Sqrt(dot(v[0], v[0])); n != 0 && math.Abs(n-1) > 1e-5 {
			t.Fatalf("%q has length %v", text, n)
		}
	})
}

// FuzzOpen checks that a changed library file is reported as corrupt or works as before.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "library")
	if err := knowledge.WriteLibrary(background, path, sampleStyles(),
		knowledge.HashEmbedder{Dimensions: 8}); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(0, []byte("SQLite"), len(whole))
	f.Add(100, []byte{0, 0, 0}, len(whole))
	f.Add(28, []byte{0, 0, 0, 1}, 4096)
	f.Add(4096, []byte{255, 255, 255}, len(whole))
	f.Fuzz(func(t *testing.T, at int, change []byte, length int) {
		data := bytes.Clone(whole[:max(0, min(length, len(whole)))])
		if at >= 0 && at < len(data) {
			copy(data[at:], change)
		}
		path := filepath.Join(t.TempDir(), "library")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := knowledge.Open(path)
		if err != nil {
			if !errors.Is(err, knowledge.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		defer l.Close()
		hits, err := l.Search(background, knowledge.HashEmbedder{Dimensions: 8},
			knowledge.Query{Texts: []string{"水墨"}, MinSimilarity: 1})
		if err != nil || len(hits) != 1 || hits[0].Style.Prompt != "diluted ink" {
			t.Fatal(hits, err)
		}
	})
}
