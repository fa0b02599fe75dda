package datasets_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

var _ = Describe("Open", func() {
	It("counts cases by label, language, split and tag", func() {
		d := open(write(
			`{"id":"a","text":"x","label":["chat","web_search"],"split":"dev","lang":"fr"}`, "\n",
			`{"id":"b","input":{"text":"x"},"expect":{"route":"chat"},"tags":["zh","typo"]}`, "\n",
			`{"id":"c","turns":[{"input":{"text":"x"},"expect":{"route":"chat"}},{"input":{"text":"x"},"expect":{"route":"image_gen"}},{"input":{"text":"x"}}],"tags":["typo"]}`, "\n"))
		Expect(d.Cases).To(Equal(int64(3)))
		Expect(d.LabelCounts).To(Equal(map[string]int64{"chat": 2, "image_gen": 1}))
		Expect(d.Languages).To(Equal(map[string]int64{"fr": 1, "zh": 1, "": 1}))
		Expect(d.Splits).To(Equal(map[string]int64{"dev": 1, "": 2}))
		Expect(d.Tags).To(Equal(map[string]int64{"lang:fr": 1, "zh": 1, "typo": 2}))
	})

	It("returns a hash of the file's bytes", func() {
		one, same, other := write(short("a", "x")), write(short("a", "x")), write(short("a", "y"))
		Expect(open(one).Hash).To(HaveLen(16))
		Expect(open(one).Hash).To(Equal(open(same).Hash))
		Expect(open(one).Hash).NotTo(Equal(open(other).Hash))
	})

	It("accepts a byte order mark, CRLF, blank lines and a missing newline at the end", func() {
		d := open(write("\ufeff", "\r\n", strings.TrimSpace(short("a", "x")), "\r\n \t\r\n\n",
			strings.TrimSpace(short("b", "y"))))
		cases := all(d, datasets.Filter{})
		Expect(ids(cases)).To(Equal([]string{"a", "b"}))
		Expect(cases[1].Pos).To(HaveSuffix("cases.jsonl:5"))
	})

	It("reports the first invalid line and the number of further ones", func() {
		path := write("{\n", short("a", "x"), "[]\n", "[]\n")
		_, err := datasets.Open(path, schema())
		Expect(err).To(MatchError(path +
			":1: is not valid JSON: the line ends too early (and 2 more: evalctl dataset check)"))
	})

	It("stops after a hundred invalid lines", func() {
		path := write(strings.Repeat("[]\n", 500))
		d, problems, err := datasets.Check(path, schema())
		Expect(err).NotTo(HaveOccurred())
		Expect(problems).To(HaveLen(100))
		Expect(d.Hash).To(BeEmpty())
		_, err = datasets.Open(path, schema())
		Expect(err).To(MatchError(path + ":1: is not a JSON object (and at least 99 more: evalctl dataset check)"))
	})

	DescribeTable("returns an error for a file without a case",
		func(content string) {
			path := write(content)
			_, err := datasets.Open(path, schema())
			Expect(err).To(MatchError(path + ": contains no case"))
		},
		Entry("an empty file", ""),
		Entry("a file of blank lines", "\n \t\r\n\n"),
		Entry("a file with only a byte order mark", "\ufeff"),
	)

	It("returns a one-line error for an unreadable file", func() {
		dir, file := GinkgoT().TempDir(), write(short("a", "x"))
		for path, want := range map[string]string{
			dir:                                "is a directory, not a file",
			filepath.Join(dir, "gone\n.jsonl"): "file does not exist, and there is no shipped dataset of this name (shipped: " + strings.Join(datasets.BuiltInNames(), ", ") + ")",
			filepath.Join(file, "below.jsonl"): "not a directory",
			filepath.Join(dir, "\x00"):         "invalid argument",
			os.DevNull:                         "is a pipe or a device, and a set is read twice: save it to a file",
			filepath.Join(dir, "ro.jsonl"):     "permission denied",
			"/proc/self/mem":                   "input/output error",
		} {
			if strings.HasSuffix(path, "ro.jsonl") {
				Expect(os.WriteFile(path, nil, 0)).To(Succeed())
			}
			if isUntestable(path) {
				continue
			}
			_, err := datasets.Open(path, schema())
			Expect(err).To(MatchError(fmt.Sprintf("dataset %s: %s",
				strings.NewReplacer("\n", "?", "\x00", "?").Replace(path), want)))
		}
		_, err := datasets.Open(filepath.Join(dir, "gone"), schema())
		Expect(err).To(MatchError(fs.ErrNotExist))
	})

	It("rejects a line of 100 MB without storing it, and reads the following lines", func() {
		path := write("")
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(f.Truncate(100 << 20)).To(Succeed())
		_, err = f.WriteAt([]byte("\n"+short("a", "x")), 100<<20)
		Expect(err).NotTo(HaveOccurred())
		Expect(f.Close()).To(Succeed())

		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, problems, err := datasets.Check(path, schema())
		runtime.ReadMemStats(&after)
		Expect(err).NotTo(HaveOccurred())
		Expect(problems).To(ConsistOf(MatchError(path + ":1: line is longer than 16 MiB")))
		Expect(d.Cases).To(Equal(int64(1)))
		Expect(after.TotalAlloc - before.TotalAlloc).To(BeNumerically("<", 100<<20))
	})

	It("accepts a line of up to 16 MiB", func() {
		long := short("a", strings.Repeat("x", 16<<20-len(short("a", ""))))
		Expect(open(write(long)).Cases).To(Equal(int64(1)))
		path := write(strings.Replace(long, "x", "xx", 1))
		_, err := datasets.Open(path, schema())
		Expect(err).To(MatchError(path + ":1: line is longer than 16 MiB"))
	})
})

// isUntestable reports whether the error of a path cannot be tested on this machine: root can read
// all files, and only Linux has /proc.
func isUntestable(path string) bool {
	return strings.HasSuffix(path, "ro.jsonl") && os.Geteuid() == 0 ||
		strings.HasPrefix(path, "/proc") && runtime.GOOS != "linux"
}
