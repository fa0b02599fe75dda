package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets/importer"
)

// fileNames returns the names of the files in a directory, to find leftovers.
func fileNames(dir string) (names []string) {
	GinkgoHelper()
	entries, err := os.ReadDir(dir)
	Expect(err).NotTo(HaveOccurred())
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

type onWrite func()

func (do onWrite) Write(p []byte) (int, error) {
	do()
	return len(p), nil
}

var _ = Describe("evalctl dataset import", func() {
	const table = "text,category\nthe till is stuck,till\nno coins left,coins\n,coins\n"
	var dir, source, out string
	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		source, out = fileOf("train.csv", table), filepath.Join(dir, "out.jsonl")
	})

	It("writes the cases, and prints how many rows were written and rejected", func() {
		got := evalctl("dataset", "import", "banking77", source, "-o", out)
		Expect(got).To(Equal(cliResult{
			code:   exit.Passed,
			stdout: out + ": 2 cases (train 2), 2 labels, 1 rows rejected\n",
			stderr: source + ":4: text is empty\n",
		}))
		Expect(read(out)).To(Equal(
			`{"id":"banking77-train-1","text":"the till is stuck","label":"till","split":"train","lang":"en","source":"PolyAI/banking77"}
{"id":"banking77-train-2","text":"no coins left","label":"coins","split":"train","lang":"en","source":"PolyAI/banking77"}
`))
		Expect(fileNames(dir)).To(Equal([]string{"out.jsonl"}))
	})

	It("prints how many texts occur with several labels", func() {
		source = fileOf("a.csv", "t,l,s\nhello,a,train\nhello,b,train\nhello,b,test\nbye,c,\n")
		got := evalctl("dataset", "import", "csv", source, "--text-column", "t", "--label-column", "l",
			"--split-column", "s", "-o", out)
		Expect(got.stdout).To(Equal(out + ": 4 cases (train 2, test 1, no split 1), 3 labels, 0 rows rejected; " +
			"1 texts occur earlier in their split with another label\n"))
	})

	It("30.6: imports several files at once, each with the split in its name", func() {
		more := fileOf("test.csv", "text,category\nthe till is open,till\n")
		got := evalctl("dataset", "import", "csv", source, more, "--text-column", "text", "--label-column", "category",
			"--split-name", "file", "-o", out)
		Expect(got.stdout).To(Equal(out + ": 3 cases (train 2, test 1), 2 labels, 1 rows rejected\n"))
		Expect(read(out)).To(MatchRegexp(
			`{"id":"csv-test-[0-9a-f]{12}","text":"the till is open","label":"till","split":"test"}`))
		Expect(evalctl("dataset", "check", out).code).To(Equal(exit.Passed))
	})

	It("30.6: gives all cases one split", func() {
		got := evalctl("dataset", "import", "banking77", source, "--split-name", "dev", "-o", out)
		Expect(got.stdout).To(Equal(out + ": 2 cases (dev 2), 2 labels, 1 rows rejected\n"))
		lines := fileOf("a.jsonl", `{"id":"a","text":"hi","label":"x"}`+"\n")
		got = evalctl("dataset", "import", "json", lines, "--split-name", "test", "--force", "-o", out)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(read(out)).To(Equal(`{"id":"a","text":"hi","label":"x","split":"test"}` + "\n"))
	})

	It("30.6: imports JSON whose text and label are at paths", func() {
		doc := fileOf("a.json", `{"data":[{"in":{"text":"卡丢了"},"gold":"lost"},{"in":{"text":"hi"},"gold":"other"}]}`)
		got := evalctl("dataset", "import", "json", doc, "--text-path", "in.text", "--label-path", "/gold", "-o", out)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(read(out)).To(MatchRegexp(`^{"id":"json-[0-9a-f]{12}","text":"卡丢了","label":"lost"}\n`))
	})

	It("prints only the first twenty rejected rows", func() {
		got := evalctl("dataset", "import", "banking77", fileOf("test.csv", table+strings.Repeat(",x\n", 30)),
			"-o", out)
		Expect(got.code).To(Equal(exit.Passed))
		Expect(strings.Count(got.stderr, "\n")).To(Equal(21))
		Expect(got.stderr).To(HaveSuffix("test.csv:23: text is empty\n… and 11 more\n"))
	})

	It("with --strict writes nothing if a row is rejected", func() {
		write(out, "old")
		got := evalctl("dataset", "import", "banking77", source, "--strict", "--force", "-o", out)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stdout).To(BeEmpty())
		Expect(got.stderr).To(Equal(source + ":4: text is empty\nevalctl: " + source +
			": 1 rows rejected: no file was written\n"))
		Expect(read(out)).To(Equal("old"))
		Expect(fileNames(dir)).To(Equal([]string{"out.jsonl"}))

		got = evalctl("dataset", "import", "banking77", source, "--strict", "-o", "-")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stdout).To(BeEmpty())
	})

	It("with -o - writes the cases to stdout, and the summary to stderr", func() {
		for _, strict := range []string{"--strict=false", "--strict"} {
			got := evalctl("dataset", "import", "banking77", fileOf("test.csv", "text,category\nhm,a\n"),
				strict, "-o", "-")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(Equal(
				`{"id":"banking77-test-1","text":"hm","label":"a","split":"test","lang":"en","source":"PolyAI/banking77"}` + "\n"))
			Expect(got.stderr).To(Equal("-: 1 cases (test 1), 1 labels, 0 rows rejected\n"))
		}
	})

	It("replaces an existing file only with --force, and preserves a link to it", func() {
		write(out, "old")
		got := evalctl("dataset", "import", "banking77", source, "-o", out)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal("evalctl: --out: " + out + " is there already: give another name, or --force\n"))
		link := filepath.Join(dir, "link")
		Expect(os.Symlink(out, link)).To(Succeed())
		Expect(evalctl("dataset", "import", "banking77", source, "--force", "-o", link).code).To(Equal(exit.Passed))
		Expect(read(out)).To(HavePrefix(`{"id":"banking77-train-1"`))
		Expect(fileNames(dir)).To(Equal([]string{"link", "out.jsonl"}))
		Expect(os.Readlink(link)).To(Equal(out))
	})

	It("does not replace a file that is created while the import runs", func() {
		comes := onWrite(func() { write(out, "new") }) // triggered by the rejected row
		var stdout, stderr bytes.Buffer
		args := []string{"dataset", "import", "banking77", source, "-o", out}
		Expect(run(context.Background(), args, nil, &stdout, io.MultiWriter(comes, &stderr))).
			To(Equal(exit.InvalidUsage))
		Expect(stdout.String()).To(BeEmpty())
		Expect(stderr.String()).
			To(HaveSuffix("evalctl: --out: " + out + " is there by now: give another name, or --force\n"))
		Expect(read(out)).To(Equal("new"))
		Expect(fileNames(dir)).To(Equal([]string{"out.jsonl"}))

		args = append(args, "--force")
		Expect(run(context.Background(), args, nil, &stdout, comes)).To(Equal(exit.Passed))
		Expect(read(out)).To(HavePrefix(`{"id":"banking77-train-1"`))
		Expect(fileNames(dir)).To(Equal([]string{"out.jsonl"}))
	})

	It("never replaces its source or a device", func() {
		got := evalctl("dataset", "import", "banking77", source, "--force", "-o", source)
		Expect(got.stderr).To(Equal("evalctl: --out: " + source + " is read by this command; choose another file\n"))
		Expect(read(source)).To(Equal(table))
		Expect(evalctl("dataset", "import", "banking77", source, "--force", "-o", os.DevNull).stderr).
			To(ContainSubstring("is not a regular file"))
		Expect(evalctl("dataset", "import", "banking77", source, "--force", "-o", dir).stderr).
			To(ContainSubstring("is not a regular file"))
	})

	It("leaves no files behind when it is interrupted or fails", func() {
		ctx, interrupt := context.WithCancel(context.Background())
		interrupt()
		got := runInContext(ctx, "dataset", "import", "banking77", source, "-o", out)
		Expect(got).To(Equal(cliResult{code: exit.Interrupted, stderr: "evalctl: interrupted\n"}))
		got = evalctl("dataset", "import", "banking77",
			fileOf("train.csv", "text,category\na,b\n\""+strings.Repeat("x", 2<<20)), "-o", out)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(HaveSuffix("train.csv: is longer than 1 MiB\n"))
		Expect(fileNames(dir)).To(BeEmpty())
	})

	It("exits with 3 if the disk is full", func() {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			Skip("no /dev/full here")
		}
		defer full.Close()
		for _, rows := range []int{1, 10_000} {
			for _, strict := range []string{"--strict=false", "--strict"} {
				var stderr bytes.Buffer
				source = fileOf("train.csv", "text,category\n"+strings.Repeat("some text,label\n", rows))
				Expect(run(context.Background(), []string{"dataset", "import", "banking77", source, strict, "-o", "-"},
					nil, full, &stderr)).
					To(Equal(exit.Incomplete))
				Expect(stderr.String()).To(ContainSubstring("no space left on device"))
			}
		}
	})

	DescribeTable("refuses invalid arguments in one line", func(want string, args ...string) {
		for i, a := range args {
			args[i] = strings.NewReplacer("SOURCE", source, "OUT", out).Replace(a)
		}
		got := evalctl(append([]string{"dataset", "import"}, args...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal("evalctl: " + strings.NewReplacer("SOURCE", source, "OUT", out).Replace(want) +
			"\n"))
		Expect(fileNames(dir)).To(BeEmpty())
	},
		Entry(nil, "dataset import: requires FORMAT and PATH, got 0 arguments"),
		Entry(nil, "dataset import: requires -o FILE", "csv", "a", "b"),
		Entry(nil, "dataset import: requires -o FILE", "banking77", "SOURCE"),
		Entry(nil, `unknown format "banking7", did you mean "banking77"?`, "banking7", "SOURCE", "-o", "OUT"),
		Entry(nil, "--locale: means nothing to banking77 (it is for massive)", "banking77", "SOURCE", "-o", "OUT",
			"--locale", "zh-CN"),
		Entry(nil, `--split-name: split "all" is not train, dev or test`, "banking77", "SOURCE", "-o", "OUT",
			"--split-name", "all"),
		Entry(nil, "--label-path: means nothing to banking77 (it is for json)", "banking77", "SOURCE", "-o", "OUT",
			"--label-path", "a"),
		Entry("28.5: a CSV without --label-column", "--label-column: is required by csv", "csv", "SOURCE", "-o", "OUT",
			"--text-column", "text"),
		Entry("28.5: a CSV without --text-column", "--text-column: is required by csv", "csv", "SOURCE", "-o", "OUT",
			"--label-column", "label"),
		Entry(nil, "--out: OUT/x: no such file or directory", "banking77", "SOURCE", "-o", "OUT/x"),
		Entry(nil, "SOURCE.no: no such file or directory", "banking77", "SOURCE.no", "-o", "OUT"),
		Entry(nil, "SOURCE: header: has no column \"scenario\" (it has \"text,category\")", "hwu64",
			"SOURCE", "-o", "OUT"),
	)

	It("lists the formats in its help and in shell completion", func() {
		help, words := evalctl("dataset", "import", "--help").stdout,
			evalctl("__complete", "dataset", "import", "").stdout
		for _, i := range importer.All() {
			Expect(help).To(ContainSubstring(fmt.Sprintf("  %-13s %s: %s\n", i.Name, i.Summary, i.PathHint)))
			Expect(words).To(ContainSubstring(i.Name + "\t" + i.Summary + "\n"))
		}
	})
})
