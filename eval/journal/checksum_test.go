package journal_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// newJournal starts a journal with a manifest, as a run does.
func newJournal(m journal.Manifest) (dir string, w *journal.Writer) {
	GinkgoHelper()
	dir = filepath.Join(GinkgoT().TempDir(), "run")
	m, err := m.WithHash()
	Expect(err).NotTo(HaveOccurred())
	w, err = journal.CreateRun(dir, m, func() error { return nil })
	Expect(err).NotTo(HaveOccurred())
	return dir, w
}

// checked writes a run with one trial for each key and returns its directory.
func checked(names ...string) (dir string) {
	GinkgoHelper()
	return checkedOf(journal.Manifest{}, names...)
}

func checkedOf(m journal.Manifest, names ...string) (dir string) {
	GinkgoHelper()
	dir, w := newJournal(m)
	for _, name := range names {
		Expect(w.Add(full(name))).To(Succeed())
	}
	Expect(w.Close()).To(Succeed())
	return dir
}

// withoutSums removes marks and checksums from all lines.
func withoutSums(text string) string {
	return regexp.MustCompile(`(?m),"run":"[0-9a-f]{8}","crc":"[0-9a-f]{8}"}$`).ReplaceAllString(text, "}")
}

// asOlder converts lines to the format of an older evalctl, which has checksums but no marks.
func asOlder(text string) (lines string) {
	for line := range strings.Lines(withoutSums(text)) {
		line = strings.TrimSuffix(line, "}\n")
		lines += fmt.Sprintf("%s,\"crc\":\"%08x\"}\n", line,
			crc32.Checksum([]byte(line), crc32.MakeTable(crc32.Castagnoli)))
	}
	return lines
}

// resumed resumes a journal, closes it and returns the warnings.
func resumed(dir string) (warnings []string, err error) {
	w, err := journal.Resume(dir, func(text string) { warnings = append(warnings, text) })
	if err == nil {
		err = w.Close()
	}
	return warnings, err
}

var _ = Describe("The checksum of a journal line", func() {
	It("is the CRC-32C of everything before it, also if a secret was redacted in the line", func() {
		dir, w := newJournal(journal.Manifest{})
		w.Secrets = &secret.Set{}
		w.Secrets.Add("full-of-secrets")
		r := full("a")
		r.Rule = "full-of-secrets"
		Expect(w.Add(r)).To(Succeed())
		Expect(w.Close()).To(Succeed())
		for _, name := range []string{journal.ResultsFile, journal.TracesFile} {
			line := read(dir, name)
			Expect(line).NotTo(ContainSubstring("full-of-secrets"))
			at := strings.LastIndex(line, `,"crc":"`)
			sum := crc32.Checksum([]byte(line[:at]), crc32.MakeTable(crc32.Castagnoli))
			Expect(line[at:]).To(Equal(fmt.Sprintf(",\"crc\":\"%08x\"}\n", sum)))
		}
		_, err := all(journal.ReadRunResults(dir))
		Expect(err).NotTo(HaveOccurred())
	})

	It("detects the change of any byte", func() {
		dir := checked("a")
		for _, name := range []string{journal.ResultsFile, journal.TracesFile} {
			text := read(dir, name)
			for at := range len(text) - 1 {
				changed := []byte(text)
				changed[at] ^= 1
				put(dir, name, string(changed))
				_, err := all(journal.ReadRunResults(dir))
				if name == journal.TracesFile {
					_, err = all(journal.EveryTrace(dir))
				}
				Expect(err).To(MatchError(HavePrefix(filepath.Join(dir, name)+":1: ")), "byte %d", at)
			}
			put(dir, name, text)
		}
	})

	It("is required in a run with a manifest, and must be correct where it is present", func() {
		dir := checked("a", "b")
		path, text := filepath.Join(dir, journal.ResultsFile), read(dir, journal.ResultsFile)
		readers := map[string]func() error{
			"results": func() error { _, err := all(journal.ReadRunResults(dir)); return err },
			"names":   func() error { _, err := all(journal.ReadTrialNames(path)); return err },
			"a case":  func() error { _, _, err := journal.CaseTrials(dir, full("b").Case); return err },
		}
		for name, reader := range readers {
			put(dir, journal.ResultsFile, withoutSums(text))
			Expect(reader()).To(MatchError(MatchRegexp(`results\.jsonl:[12]: it has no checksum`)), name)
			put(dir, journal.ResultsFile, strings.Replace(text, `"key":"b"`, `"key":"d"`, 1))
			Expect(reader()).To(MatchError(path+":2: its checksum is wrong: the line was damaged or edited"), name)
		}
		Expect(os.Remove(filepath.Join(dir, journal.ManifestFile))).To(Succeed())
		Expect(readers["results"]()).To(MatchError(ContainSubstring("results.jsonl:2: its checksum is wrong")))
		put(dir, journal.ResultsFile, withoutSums(text))
		Expect(readers["results"]()).To(Succeed(), "results alone, which somebody picked")
	})

	It("suffices to read a run of an older evalctl, which cannot be resumed", func() {
		dir := checked("a", "b")
		path := filepath.Join(dir, journal.ResultsFile)
		marked := read(dir, journal.ResultsFile)
		put(dir, journal.ResultsFile, asOlder(marked))
		list, err := all(journal.ReadRunResults(dir))
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(2))
		refused := MatchError(path +
			":1: it was written by an older evalctl: it can be read, but not resumed or merged")
		_, err = resumed(dir)
		Expect(err).To(refused)
		Expect(journal.CheckWritable(dir)).To(refused)
		put(dir, journal.ResultsFile, strings.Replace(asOlder(marked), `"key":"b"`, `"key":"d"`, 1))
		_, err = all(journal.ReadRunResults(dir))
		Expect(err).To(MatchError(ContainSubstring(":2: its checksum is wrong")))
		put(dir, journal.ResultsFile, marked+asOlder(marked))
		_, err = all(journal.ReadRunResults(dir))
		Expect(err).To(MatchError(ContainSubstring(":3: it is of another run")))
	})

	It("is not verified if an editor rewrote the line ends; the error states this, and no line is removed", func() {
		dir := checked("a")
		text := strings.ReplaceAll(read(dir, journal.ResultsFile), "\n", "\r\n")
		put(dir, journal.ResultsFile, text)
		refused := MatchError(ContainSubstring("results.jsonl:1: it ends with CR LF"))
		_, err := all(journal.ReadRunResults(dir))
		Expect(err).To(refused)
		_, err = resumed(dir)
		Expect(err).To(refused)
		Expect(read(dir, journal.ResultsFile)).To(Equal(text))
	})

	It("is combined with a mark of the run, so that lines of another run are an error, even without a manifest",
		func() {
			dir, other := checked("a", "b"), checkedOf(journal.Manifest{Seed: 2}, "a", "c")
			path := filepath.Join(dir, journal.ResultsFile)
			put(dir, journal.ResultsFile, read(dir, journal.ResultsFile)+read(other, journal.ResultsFile))
			refused := MatchError(path + ":3: it is of another run")
			for range 2 {
				_, err := all(journal.ReadRunResults(dir))
				Expect(err).To(refused)
				_, err = all(journal.ReadTrialNames(path))
				Expect(err).To(refused)
				Expect(os.RemoveAll(filepath.Join(dir, journal.ManifestFile))).To(Succeed())
			}
			put(dir, journal.ResultsFile, read(other, journal.ResultsFile))
			_, err := all(journal.ReadRunResults(dir))
			Expect(err).NotTo(HaveOccurred(), "all of one run")
		})
})

var _ = Describe("Resuming a damaged journal", func() {
	lines := func(dir string) []string { return strings.SplitAfter(read(dir, journal.ResultsFile), "\n") }

	DescribeTable("cuts off everything after the last valid line, and warns",
		func(damage func(l []string) string, output string) {
			dir := checked("a", "b", "c")
			l := lines(dir)
			traces := strings.SplitAfter(read(dir, journal.TracesFile), "\n")
			put(dir, journal.ResultsFile, damage(l))
			texts, err := resumed(dir)
			Expect(err).NotTo(HaveOccurred())
			Expect(read(dir, journal.ResultsFile)).To(Equal(l[0] + l[1]))
			Expect(read(dir, journal.TracesFile)).To(Equal(traces[0]+traces[1]), "a trace goes with its result")
			Expect(texts).To(Equal([]string{filepath.Join(dir, journal.ResultsFile) +
				fmt.Sprintf(output, len(damage(l))-len(l[0]+l[1]))}))
		},
		Entry("a last line without its end", func(l []string) string { return l[0] + l[1] + l[2][:20] },
			": %d bytes of a last line that was torn are cut off"),
		Entry("zero bytes at the end, as after a power failure",
			func(l []string) string { return l[0] + l[1] + strings.Repeat("\x00", 9000) },
			": %d bytes of a last line that was torn are cut off"),
		Entry("a last line that contains zero bytes",
			func(l []string) string { return l[0] + l[1] + l[2][:20] + strings.Repeat("\x00", len(l[2])-21) + "\n" },
			":3: it contains zero bytes: the line was damaged: %d bytes of a damaged end are cut off"),
		Entry("several lines with zero bytes, and one without its end",
			func(l []string) string { return l[0] + l[1] + "\x00\n{\x00\n\x00}\n{" },
			":3: it contains zero bytes: the line was damaged: %d bytes of a damaged end are cut off"),
		Entry("a last line with a wrong checksum",
			func(l []string) string { return l[0] + l[1] + strings.Replace(l[2], `"c"`, `"d"`, 1) },
			":3: its checksum is wrong: the line was damaged or edited: %d bytes of a damaged end are cut off"),
	)

	DescribeTable("returns an error and changes nothing if more than the end is damaged",
		func(damage func(l []string) string, problem string) {
			dir := checked("a", "b", "c")
			text := damage(lines(dir))
			put(dir, journal.ResultsFile, text)
			_, err := resumed(dir)
			path := filepath.Join(dir, journal.ResultsFile)
			Expect(err).To(MatchError(path + problem + "; to continue, delete the line (sed -i 2d " + path +
				"): a trial without a result runs again"))
			Expect(read(dir, journal.ResultsFile)).To(Equal(text))
		},
		Entry("a wrong checksum in the middle",
			func(l []string) string { return l[0] + strings.Replace(l[1], `"b"`, `"d"`, 1) + l[2] },
			":2: its checksum is wrong: the line was damaged or edited"),
		Entry("zero bytes in the middle", func(l []string) string { return l[0] + "\x00\n" + l[2] },
			":2: it contains zero bytes: the line was damaged"),
		Entry("two invalid lines that no power failure explains",
			func(l []string) string { return l[0] + "{}\n{}\n" },
			":2: it has no checksum: the line was damaged or edited"),
	)

	It("returns an error if the last line belongs to another run, because that result may have cost money", func() {
		dir, other := checked("a", "b"), checkedOf(journal.Manifest{Seed: 2}, "c")
		text := read(dir, journal.ResultsFile) + read(other, journal.ResultsFile)
		put(dir, journal.ResultsFile, text)
		_, err := resumed(dir)
		Expect(err).To(MatchError(HavePrefix(filepath.Join(dir, journal.ResultsFile) + ":3: it is of another run")))
		Expect(read(dir, journal.ResultsFile)).To(Equal(text))
	})

	It("removes temporary files that remain from writing the manifest or the summary", func() {
		dir := checked("a")
		put(dir, journal.SummaryFile+".123.tmp", "{")
		put(dir, journal.ManifestFile+".123.tmp", "{")
		put(dir, "notes.tmp", "mine")
		_, err := resumed(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.ReadDir(dir)).To(HaveLen(4))
		Expect(read(dir, "notes.tmp")).To(Equal("mine"))
	})
})

var _ = Describe("The traces of a run", func() {
	right := func(key string) eval.Result { return eval.Result{Key: key, Case: key, Correct: new(true)} }
	kept := func(keep journal.TraceMode, results ...eval.Result) (dir string, keys []string) {
		GinkgoHelper()
		dir, w := newJournal(journal.Manifest{Traces: keep})
		for _, r := range results {
			Expect(w.Add(r)).To(Succeed())
		}
		Expect(w.Close()).To(Succeed())
		if keep == journal.NoTraces {
			return dir, nil
		}
		for t, err := range journal.EveryTrace(dir) {
			Expect(err).NotTo(HaveOccurred())
			keys = append(keys, t.Key)
		}
		return dir, keys
	}

	It("are stored for trials that are wrong, unscored, or have an error or a fallback, if the setting is \"failing\"",
		func() {
			wrong, failed, unscored, fell, errorReply, aspect := right("wrong"), right("error"), right("unjudged"),
				right("fell"), right("apology"), right("aspect")
			wrong.Correct, unscored.Correct = new(false), nil
			failed.Error = &eval.Error{Kind: eval.TimeoutError}
			fell.Fallbacks = []eval.Fallback{{From: "a", To: "b"}}
			errorReply.ErrorReply = "BUSY"
			aspect.Scores = []eval.Score{{Name: "tool.accuracy", Verdict: eval.Fail}}
			dir, keys := kept(journal.FailingTraces, right("a"), wrong, failed, right("b"), unscored,
				fell, errorReply, aspect)
			Expect(keys).To(Equal([]string{"wrong", "error", "unjudged", "fell", "apology", "aspect"}))
			output, err := resumed(dir)
			Expect(err).NotTo(HaveOccurred())
			Expect(output).To(BeEmpty(), "no trace was lost")
		})

	It("are not stored, also after a resume, if the setting is \"none\"", func() {
		dir, _ := kept(journal.NoTraces, right("a"))
		w, err := resume(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Add(right("b"))).To(Succeed())
		Expect(w.Sync()).To(Succeed())
		Expect(w.Close()).To(Succeed())
		Expect(filepath.Join(dir, journal.TracesFile)).NotTo(BeAnExistingFile())
		Expect(keysOf(dir)).To(HaveLen(2))
		traced, untraced, err := journal.CaseTrials(dir, "b")
		Expect(err).NotTo(HaveOccurred())
		Expect(traced).To(BeEmpty())
		Expect(untraced).To(HaveLen(1))
		Expect(journal.NoTraceReason(dir)).To(Equal("the run keeps no traces (--traces none)"))
	})

	It("are selected by one of three names", func() {
		for name, want := range map[string]journal.TraceMode{"all": journal.AllTraces, "failing": journal.FailingTraces,
			"none": journal.NoTraces} {
			got, err := journal.ParseTraceMode(name)
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(Equal(want))
		}
		_, err := journal.ParseTraceMode("")
		Expect(err).To(HaveOccurred())
	})
})

func BenchmarkSum(b *testing.B) {
	line := append([]byte(`{"text":"`+strings.Repeat("a", 700)+`"}`), '\n')
	line = append(make([]byte, 0, 1000), line...)
	b.ReportAllocs()
	for b.Loop() {
		journal.WithSum(line, "01234567")
	}
}

// FuzzSum checks that a line with a checksum can be read back, and that any other line is an error.
func FuzzSum(f *testing.F) {
	f.Add([]byte(`{"key":"a"}`+"\n"), 3, byte(1))
	f.Add([]byte(`,"crc":"00000000"}`), 0, byte(0))
	f.Fuzz(func(t *testing.T, line []byte, at int, with byte) {
		_, _, _ = journal.WithoutSum(append([]byte{}, line...))
		object := append(append([]byte(`{"key":"`), []byte(fmt.Sprintf("%x", line))...), "\"}\n"...)
		summed := journal.WithSum(append([]byte{}, object...), "01234567")
		got, of, err := journal.WithoutSum(append([]byte{}, summed...))
		if err != nil || of != "01234567" || string(got)+"\n" != string(object) {
			t.Fatalf("%q comes back as %q: %v", object, got, err)
		}
		if at < 0 || at >= len(summed)-1 || with == 0 {
			return
		}
		summed[at] ^= with
		if got, of, err := journal.WithoutSum(summed); err == nil && of != "" {
			t.Fatalf("byte %d changed, and %q is read", at, got)
		}
	})
}
