package importer_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/text/encoding/simplifiedchinese"

	"evalctl/datasets/importer"
)

var any2 = importer.Options{Text: "text", Label: "label"}

func optionsOf(format string) importer.Options {
	if format == "csv" {
		return any2
	}
	return importer.Options{}
}

// importError runs an import that must fail with a one-line error that starts with the path. It
// returns the rest of the error.
func importError(format, path string) string {
	GinkgoHelper()
	out := run(format, path, optionsOf(format))
	Expect(out.err).To(HaveOccurred())
	Expect(out.err.Error()).To(HavePrefix(path + ":"))
	Expect(out.err.Error()).NotTo(ContainSubstring("\n"))
	Expect(out.cases.String()).To(BeEmpty())
	return strings.TrimSpace(strings.TrimPrefix(out.err.Error(), path+":"))
}

// fileName returns a file name with the extension that the format requires.
func fileName(format string) string {
	switch format {
	case "banking77", "hwu64", "csv":
		return "set.csv"
	case "massive", "openai-evals":
		return "set.jsonl"
	case "promptfoo":
		return "set.yaml"
	}
	return "set.json"
}

var _ = It("31.7: An importer reads a table in GBK, as Excel writes it in China", func() {
	path := filepath.Join(GinkgoT().TempDir(), "set.csv")
	raw, err := simplifiedchinese.GBK.NewEncoder().
		String("text,label\n" + strings.Repeat("帮我画一只猫，要橘色的,画图\n明天上海会下雨吗？,搜索\n", 2000))
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(path, []byte(raw), 0o600)).To(Succeed())
	out := run("csv", path, any2)
	Expect(out.err).NotTo(HaveOccurred())
	Expect(out.rejected).To(BeEmpty())
	Expect(strings.Count(out.cases.String(), "帮我画一只猫，要橘色的")).To(BeNumerically(">", 0))
	Expect(out.cases.String()).To(ContainSubstring("明天上海会下雨吗？"))
})

var _ = Describe("An importer with invalid input", func() {
	It("returns an error for a path that cannot be read", func() {
		for _, i := range importer.All() {
			By(i.Name)
			dir := GinkgoT().TempDir()
			pipe := filepath.Join(dir, fileName(i.Name))
			Expect(exec.Command("mkfifo", pipe).Run()).To(Succeed())
			Expect(importError(i.Name, pipe)).To(Equal("is a pipe or a device, not a file"))
			if i.Name != "promptfoo" { // promptfoo checks the file extension first
				Expect(importError(i.Name, os.DevNull)).To(Equal("is a pipe or a device, not a file"))
			}
			Expect(importError(i.Name, filepath.Join(dir, "no"+fileName(i.Name)))).To(ContainSubstring("no such file"))
			Expect(importError(i.Name, GinkgoT().TempDir())).NotTo(BeEmpty())
		}
	})

	It("returns an error for an empty file and for a file of another format", func() {
		for _, i := range importer.All() {
			By(i.Name)
			for _, text := range []string{"", "\n", "\ufeff", "\xff\xfea\x00", "\x00\x00\x00\x00", "\xc3\x28\n",
				"GIF89a;;", `{"a":1}`, "[1,2", "a,b\n1,2\n"} {
				Expect(importError(i.Name, source(fileName(i.Name), text))).NotTo(BeEmpty())
			}
		}
	})

	It("returns an error for a file that already contains evalctl cases, whatever format is imported", func() {
		path := filepath.Join(GinkgoT().TempDir(), "train.jsonl")
		Expect(os.WriteFile(path, []byte(`{"id":"a","text":"where is my card","label":"card"}`+"\n"), 0o600)).
			To(Succeed())
		for _, i := range importer.All() {
			options := importer.Options{}
			if i.Name == "csv" {
				options = importer.Options{Text: "text", Label: "label"}
			}
			_, err := i.Import(context.Background(), importer.Config{Path: path, Options: options, Out: io.Discard})
			Expect(err).To(MatchError(path+
				": is JSON Lines with text and label and needs no import: evalctl run --dataset FILE"), i.Name)
		}
	})

	It("prints a file name with control characters on one line", func() {
		path := source("a\nb.csv", "")
		out := run("csv", path, any2)
		Expect(out.err).To(MatchError(HaveSuffix("a?b.csv: is empty")))
	})

	DescribeTable("returns an error for values that are nested too deeply", func(format, name, text, want string) {
		out := run(format, source(name, text), importer.Options{})
		Expect(out.err).To(HaveOccurred())
		Expect(out.err.Error() + strings.Join(out.rejected, "\n")).To(ContainSubstring(want))
	},
		Entry("lists in a clinc150 file", "clinc150", "a.json", `{"train":`+strings.Repeat("[", 200_000),
			"exceeded max depth"),
		Entry("lists in a JSON line", "massive", "a.jsonl", `{"utt":`+strings.Repeat("[", 200_000),
			"exceeded max depth"),
		Entry("brackets in YAML", "promptfoo", "a.yaml", "- vars: "+strings.Repeat("[", 200_000),
			"nested more than 100 deep"),
		Entry("dashes in YAML", "promptfoo", "a.yaml", strings.Repeat("- ", 200_000), "nested more than 100 deep"),
		Entry("keys in YAML", "promptfoo", "a.yaml", "- "+strings.Repeat("? ", 200_000),
			"nested more than 100 deep"),
	)

	DescribeTable("uses little memory for a field that has no end", func(format, name, head, want string) {
		path := source(name, head)
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		Expect(err).NotTo(HaveOccurred())
		_, err = io.CopyN(f, endlessReader{}, 64<<20)
		Expect(errors.Join(err, f.Close())).To(Succeed())

		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out := run(format, path, optionsOf(format))
		runtime.ReadMemStats(&after)
		Expect(out.err).To(HaveOccurred())
		Expect(out.err.Error() + strings.Join(out.rejected, "\n")).To(ContainSubstring(want))
		Expect(after.TotalAlloc - before.TotalAlloc).To(BeNumerically("<", 16<<20))
	},
		Entry(nil, "clinc150", "a.json", `{"train":[["x`, "longer than 1 MiB"),
		Entry(nil, "snips", "a.json", `{"X":[{"data":[{"text":"`, "longer than 1 MiB"),
		Entry(nil, "banking77", "a.csv", "text,category\na,\"b", "longer than 1 MiB"),
		Entry(nil, "csv", "a.csv", "text,label\n\"a", "longer than 1 MiB"),
		Entry(nil, "csv", "a.csv", "text,", "longer than 1 MiB"),
		Entry(nil, "massive", "a.jsonl", `{"utt":"`, "longer than 1 MiB"),
		Entry(nil, "openai-evals", "a.jsonl", `{"input":"`, "longer than 1 MiB"),
		Entry(nil, "bfcl", "a.json", `{"id":"`, "longer than 1 MiB"),
		Entry(nil, "promptfoo", "a.yaml", "- vars: {text: ", "longer than 1 MiB"),
		Entry(nil, "promptfoo", "a.json", `[{"vars":{"text":"`, "longer than 1 MiB"),
	)

	It("rejects a line that is too long and imports the following ones", func() {
		long := `{"input":"` + strings.Repeat("x", 2<<20) + `","ideal":"a"}` + "\n"
		out := run("openai-evals", source("a.jsonl", long+`{"input":"hi","ideal":"b"}`), importer.Options{})
		Expect(out.err).NotTo(HaveOccurred())
		Expect(out.rejected).To(ConsistOf(HaveSuffix("a.jsonl:1: is longer than 1 MiB")))
		Expect(out.sum.Cases).To(BeEquivalentTo(1))
	})

	DescribeTable("rejects a row with an invalid text or label", func(line, want string) {
		out := run("csv", source("a.csv", "text,label\n"+line+"\nfine,a\n"), any2)
		Expect(out.err).NotTo(HaveOccurred())
		Expect(out.rejected).To(ConsistOf(HaveSuffix("a.csv:2: " + want)))
		Expect(out.load().Cases).To(BeEquivalentTo(1))
	},
		Entry("a text with a NUL", "a\x00b,c", "text holds a NUL"),
		Entry("a text in Latin-1", "caf\xe9,c", "text is not valid UTF-8"),
		Entry("a label in Latin-1", "a,caf\xe9", `label "caf\xe9" is not valid UTF-8`),
		Entry("a label that contains a tab", "a,b\tc", `label "b\tc" holds a character that cannot be printed`),
		Entry("a blank label", "a,  ", "label is empty"),
		Entry("a label that starts with a space", "a, team", `label " team" begins or ends with a space`),
		Entry("a text of white space", "\u3000,c", "text is empty"),
		Entry("a quote that is not closed on its line", "\"a\"b,c",
			"has a quoted field that does not end, or more behind its end"),
	)

	It("stops when its context is canceled", func() {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		for _, i := range importer.All() {
			path, ok := map[string]string{"clinc150": "clinc150/data_full.json", "hwu64": "hwu64/annotated.csv",
				"promptfoo": "promptfoo/tests.yaml", "openai-evals": "openai-evals/samples.jsonl",
				"csv": "csv/tickets.csv"}[i.Name]
			if !ok {
				path = i.Name
			}
			c := importer.Config{Path: filepath.Join("testdata", filepath.FromSlash(path)), Out: io.Discard}
			if i.Name == "csv" {
				c.Options = tickets
			}
			_, err := i.Import(ctx, c)
			Expect(err).To(MatchError(context.Canceled), i.Name)
		}
	})

	It("returns a write error", func() {
		i, _ := importer.Find("banking77")
		_, err := i.Import(context.Background(), importer.Config{Path: "testdata/banking77", Out: fullWriter{}})
		Expect(err).To(MatchError(syscall.ENOSPC))
	})

	DescribeTable("returns an error for an option that is unsupported, missing or invalid",
		func(format string, o importer.Options, want string) {
			out := run(format, "testdata/banking77", o)
			Expect(out.err).To(MatchError(want))
			var option *importer.OptionError
			Expect(errors.As(out.err, &option)).To(BeTrue())
		},
		Entry(nil, "banking77", importer.Options{Locale: "x"},
			"locale: means nothing to banking77 (it is for massive)"),
		Entry(nil, "clinc150", importer.Options{Text: "x"},
			"text: means nothing to clinc150 (it is for promptfoo, csv)"),
		Entry(nil, "csv", importer.Options{Text: "x"}, "label: is required by csv"),
		Entry(nil, "csv", importer.Options{Text: "x", Label: "y", Delimiter: ";;"},
			`delimiter: ";;" is not one character`),
		Entry(nil, "csv", importer.Options{Text: "x", Label: "y", Delimiter: `"`},
			`delimiter: "\"" cannot stand between fields`),
	)

	It("lists the columns of the file if a required one is missing", func() {
		out := run("csv", source("a.csv", "Text,label\na,b\n"), any2)
		Expect(out.err).To(MatchError(HaveSuffix(`a.csv: header: has no column "text" (it has "Text", "label")`)))
	})

	It("accepts a tab as the delimiter of a CSV", func() {
		out := run("csv", source("a.tsv", "text\tlabel\na, b\tc\n"),
			importer.Options{Text: "text", Label: "label", Delimiter: `\t`})
		Expect(withoutIDs(out)).To(Equal(`{"id":"ID","text":"a, b","label":"c"}` + "\n"))
	})
})

// endlessReader returns the same letter forever.
type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// fullWriter is a writer on which every write fails.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
