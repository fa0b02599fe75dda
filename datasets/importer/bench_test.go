package importer_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"evalctl/datasets/importer"
)

// rows is the number of rows of the file that the benchmarks import.
const rows = 200_000

func BenchmarkCSV(b *testing.B) {
	benchmark(b, "csv", "set.csv", importer.Options{Text: "text", Label: "label", ID: "id"}, "id,text,label\n",
		func(w io.Writer, i int) error {
			_, err := fmt.Fprintf(w, "c%d,\"the tap in room %d drips, and has for a week\",repair_%d\n", i, i, i%77)
			return err
		})
}

func BenchmarkJSONLines(b *testing.B) {
	benchmark(b, "massive", "de-DE.jsonl", importer.Options{}, "", func(w io.Writer, i int) error {
		_, err := fmt.Fprintf(w,
			`{"id":"%d","locale":"de-DE","partition":"train","scenario":"iot","intent":"iot_%d","utt":"der hahn in zimmer %d tropft","annot_utt":"der hahn in [place : zimmer %d] tropft","worker_id":"1"}`+"\n",
			i, i%60, i, i)
		return err
	})
}

func BenchmarkYAML(b *testing.B) {
	benchmark(b, "promptfoo", "set.yaml", importer.Options{}, "", func(w io.Writer, i int) error {
		if i >= rows/10 {
			return nil
		}
		_, err := fmt.Fprintf(w,
			"- vars:\n    text: the tap in room %d drips\n  assert:\n    - type: equals\n      value: repair_%d\n",
			i, i%77)
		return err
	})
}

func benchmark(b *testing.B, format, name string, o importer.Options, head string, row func(w io.Writer, i int) error) {
	path := filepath.Join(b.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	_, err = w.WriteString(head)
	for i := range rows {
		err = errors.Join(err, row(w, i))
	}
	if err := errors.Join(err, w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	i, _ := importer.Find(format)
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		sum, err := i.Import(context.Background(), importer.Config{Path: path, Options: o, Out: io.Discard})
		if err != nil || sum.Rejected > 0 {
			b.Fatal(sum, err)
		}
	}
}
