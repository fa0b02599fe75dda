package journal_test

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
)

func write(dir string, open func(string) (*journal.Writer, error), results ...eval.Result) {
	GinkgoHelper()
	w, err := open(dir)
	Expect(err).NotTo(HaveOccurred())
	for _, r := range results {
		Expect(w.Add(r)).To(Succeed())
	}
	Expect(w.Close()).To(Succeed())
}

func all[T any](seq iter.Seq2[T, error]) (list []T, err error) {
	for v, err := range seq {
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

func read(dir, name string) string {
	GinkgoHelper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

func put(dir, name, text string) (path string) {
	GinkgoHelper()
	path = filepath.Join(dir, name)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// resume resumes a journal and ignores its warnings.
func resume(dir string) (*journal.Writer, error) { return journal.Resume(dir, func(string) {}) }

var _ = Describe("A journal", func() {
	var dir string
	BeforeEach(func() { dir = GinkgoT().TempDir() })

	It("returns the results and traces that were added, in order", func() {
		want := []eval.Result{full("a"), {Key: "b"}, full("c")}
		write(dir, journal.Create, want...)
		got, err := all(journal.ReadRunResults(dir))
		Expect(err).NotTo(HaveOccurred())
		traces, err := all(journal.EveryTrace(dir))
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(HaveLen(3))
		for i := range want {
			Expect(traces[i].Outcome).To(Equal(want[i].Outcome))
			Expect(traces[i].Key).To(Equal(want[i].Key))
			Expect(traces[i].Error).To(Equal(want[i].Error))
			want[i].Outcome = eval.Outcome{} // only the trace contains the outcome
			Expect(got[i]).To(Equal(want[i]))
		}
		Expect(keysOf(dir)).To(And(HaveLen(3), HaveKey("a"), HaveKey("b"), HaveKey("c")))
	})

	It("can be read without reading all its results", func() {
		write(dir, journal.Create, full("a"), full("b"))
		for r := range journal.ReadRunResults(dir) {
			Expect(r.Key).To(Equal("a"))
			break
		}
	})

	It("cannot be created in a directory that already contains a journal", func() {
		write(dir, journal.Create, full("a"))
		before := read(dir, journal.ResultsFile)
		_, err := journal.Create(dir)
		Expect(err).To(MatchError(And(ContainSubstring(dir+" already holds a run"), ContainSubstring("--resume"))))
		Expect(read(dir, journal.ResultsFile)).To(Equal(before))
	})

	DescribeTable("cannot be created if one of its files exists, and then changes nothing",
		func(name string) {
			put(dir, name, "somebody's")
			_, err := journal.Create(dir)
			Expect(err).To(MatchError(ContainSubstring("already holds a run")))
			Expect(read(dir, name)).To(Equal("somebody's"))
			Expect(os.ReadDir(dir)).To(HaveLen(1))
		},
		Entry("an existing results file", journal.ResultsFile), Entry("an existing traces file", journal.TracesFile),
		Entry("an existing manifest", journal.ManifestFile), Entry("an existing summary", journal.SummaryFile),
	)

	It("can be created if a killed process left only an empty results file", func() {
		put(dir, journal.ResultsFile, "")
		write(dir, journal.Create, full("a"))
	})

	DescribeTable("cannot be created or resumed if a file is not a regular file", func(place func(path string) error) {
		for _, name := range []string{journal.ResultsFile, journal.TracesFile} {
			dir := GinkgoT().TempDir()
			Expect(place(filepath.Join(dir, name))).To(Succeed())
			_, err := resume(dir)
			Expect(err).To(MatchError(ContainSubstring(name + ": is not a regular file")))
			_, err = journal.Create(dir)
			Expect(err).To(HaveOccurred())
		}
	},
		Entry("a link to another file",
			func(path string) error { return os.Symlink(put(GinkgoT().TempDir(), "theirs", ""), path) }),
		Entry("a link to a missing file", func(path string) error { return os.Symlink(path+".nowhere", path) }),
		Entry("a named pipe", func(path string) error { return exec.Command("mkfifo", path).Run() }),
	)

	It("warns about incomplete last lines and lost traces when it is resumed after a crash", func() {
		write(dir, journal.Create, full("a"), full("b"))
		traces := read(dir, journal.TracesFile)
		put(dir, journal.TracesFile, traces[:len(traces)-1])
		put(dir, journal.ResultsFile, read(dir, journal.ResultsFile)+"{")
		var output []string
		w, err := journal.Resume(dir, func(text string) { output = append(output, text) })
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Close()).To(Succeed())
		Expect(output).To(Equal([]string{
			filepath.Join(dir, journal.ResultsFile) + ": 1 bytes of a last line that was torn are cut off",
			filepath.Join(dir, journal.TracesFile) + fmt.Sprintf(": %d bytes of a last line that was torn are cut off",
				len(traces)/2-1),
			filepath.Join(dir, journal.TracesFile) + ": lacks the traces of at least 1 of 2 results",
		}))
	})

	It("requires that its directory exists", func() {
		missing := filepath.Join(dir, "missing")
		for _, open := range []func(string) (*journal.Writer, error){journal.Create, resume} {
			_, err := open(missing)
			Expect(err).To(MatchError(fs.ErrNotExist))
			Expect(err).To(MatchError(ContainSubstring(missing)))
		}
		_, err := keysOf(missing)
		Expect(err).To(MatchError(fs.ErrNotExist))
		_, err = all(journal.ReadRunResults(missing))
		Expect(err).To(MatchError(fs.ErrNotExist))
	})

	It("can be resumed without a lost result after kill -9 at any byte", func() {
		// a kill leaves the first bytes, in the order in which Add writes them
		first, second := full("a"), full("b")
		write(dir, journal.Create, first, second)
		type piece struct{ file, text string }
		var pieces []piece
		var ends []int // position of the end of each line, over all bytes
		traces := strings.SplitAfter(read(dir, journal.TracesFile), "\n")
		for i, line := range strings.SplitAfter(read(dir, journal.ResultsFile), "\n") {
			pieces = append(pieces, piece{journal.TracesFile, traces[i]}, piece{journal.ResultsFile, line})
		}
		for at, p := 0, 0; p < len(pieces); p++ {
			at += len(pieces[p].text)
			ends = append(ends, at)
		}
		wantResults, wantTraces := read(dir, journal.ResultsFile), read(dir, journal.TracesFile)

		for n := range len(wantResults) + len(wantTraces) + 1 {
			atEnd := slices.ContainsFunc(ends, func(end int) bool { return end-12 <= n && n <= end+2 })
			if n%7 != 0 && !atEnd { // all bytes within a line are equivalent
				continue
			}
			killed := map[string]string{}
			left, whole := n, 0
			for _, p := range pieces {
				cut := min(left, len(p.text))
				killed[p.file] += p.text[:cut]
				left -= cut
				if p.file == journal.ResultsFile && cut == len(p.text) && cut > 0 {
					whole++
				}
			}
			for name, text := range killed {
				put(dir, name, text)
			}
			before, err := keysOf(dir) // a reader may open the file before it is resumed
			Expect(err).NotTo(HaveOccurred())
			w, err := resume(dir)
			Expect(err).NotTo(HaveOccurred())
			keys, err := keysOf(dir)
			Expect(err).NotTo(HaveOccurred())
			Expect(keys).To(Equal(before))
			Expect(keys).To(HaveLen(whole), "killed after %d bytes", n)
			for _, r := range []eval.Result{first, second} {
				if _, ok := keys[r.Key]; !ok {
					Expect(w.Add(r)).To(Succeed())
				}
			}
			Expect(w.Close()).To(Succeed())
			Expect(read(dir, journal.ResultsFile)).To(Equal(wantResults), "killed after %d bytes", n)
			last := map[string]journal.Trace{}
			for t, err := range journal.EveryTrace(dir) {
				Expect(err).NotTo(HaveOccurred())
				last[t.Key] = t
			}
			Expect(last).To(HaveLen(2))
			Expect(last["b"].Outcome).To(Equal(second.Outcome))
		}
	})

	It("loses only an incomplete last line, even a very long one or the only one", func() {
		write(dir, journal.Create, full("a"))
		whole := read(dir, journal.ResultsFile)
		for _, keep := range []string{whole, ""} {
			put(dir, journal.ResultsFile, keep+strings.Repeat("x", 200<<10))
			write(dir, resume)
			Expect(read(dir, journal.ResultsFile)).To(Equal(keep))
		}
	})

	DescribeTable("returns an error with file and line for an invalid result", func(line, says string) {
		write(dir, journal.Create, full("a"))
		good := read(dir, journal.ResultsFile)
		put(dir, journal.ResultsFile, good+line+"\n"+good)
		path := filepath.Join(dir, journal.ResultsFile)
		got, err := all(journal.ReadRunResults(dir))
		Expect(err).To(MatchError(And(HavePrefix(path+":2: "), ContainSubstring(says))))
		Expect(got).To(HaveLen(1))
	},
		Entry("invalid JSON", `{"key":"x",garbage`, "invalid character"),
		Entry("an empty line", ``, "the line is blank"),
		Entry("a line of white space", " \t\r", "the line is blank"),
		Entry("negative tokens", `{"key":"x","tokens":{"in":-1000000000000000,"out":0}}`,
			"tokens.in is -1e+15, which is invalid: expected 0 to 1e+15"),
		Entry("more tokens than any trial uses", `{"key":"x","tokens":{"in":0,"out":1000000000000001}}`,
			"tokens.out is"),
		Entry("negative tokens of a Critic loop round", `{"key":"x","loops":[{"tokens":{"in":0,"out":-1}}]}`,
			"loops.tokens.out is -1"),
		Entry("a duplicate turn in a score",
			`{"key":"x","scores":[{"name":"route","verdict":"pass","value":1,"turns":[{"turn":1,"expected":"a","verdict":"pass"},{"turn":1,"expected":"a","verdict":"pass"}]}]}`,
			`scores.turns has turn 1 after turn 1, expecting ["a"], which is invalid`),
		Entry("a scored turn without a label",
			`{"key":"x","scores":[{"name":"route","value":0,"turns":[{"turn":1,"expected":"a"},{"turn":2,"expected":null}]}]}`, `scores.turns has turn 2 after turn 1, expecting []`),
		Entry("a conversation score with only one turn",
			`{"key":"x","scores":[{"name":"route","verdict":"pass","value":1,"turns":[{"turn":1,"expected":"a","verdict":"pass"}]}]}`, `which contradicts its 1 turns`),
		Entry("an unknown verdict of a turn",
			`{"key":"x","scores":[{"name":"route","value":0,"turns":[{"turn":1,"expected":"a","verdict":"maybe"},{"turn":2,"expected":"a"}]}]}`, `which contradicts its 2 turns`),
		Entry("a correct conversation with a wrong turn",
			`{"key":"x","scores":[{"name":"route","verdict":"pass","value":1,"turns":[{"turn":1,"expected":"a","verdict":"fail"},{"turn":2,"expected":"a","verdict":"pass"}]}]}`,
			`scores.verdict is "pass", which contradicts its 2 turns`),
		Entry("an invalid confidence of the deciding model",
			`{"key":"x","turns":[{"model_decision":{"label":"a","confidence":1.5}}]}`,
			"turns.model_decision.confidence is 1.5, which is invalid: expected 0 to 1"),
		Entry("a critic's score outside 0..1", `{"key":"x","loops":[{"score":1e300}]}`,
			"loops.score is 1e+300, which is invalid: expected 0 to 1"),
		Entry("a negative score in a second judgment", `{"key":"x","loops":[{"second_judgment":{"score":-0.1}}]}`,
			"loops.score is -0.1"),
		Entry("a negative number of calls of a second judgment",
			`{"key":"x","loops":[{"second_judgment":{"calls":-1}}]}`,
			"loops.second_judgment.calls is -1"),
		Entry("a negative duration", `{"key":"x","duration_ms":-5}`, "duration_ms is -5"),
		Entry("a negative duration of a turn", `{"key":"x","turns":[{"duration_ms":-1}]}`, "turns.duration_ms is -1"),
		Entry("a negative duration of a call", `{"key":"x","nodes":[{"call_durations_ms":[5,-2]}]}`,
			"nodes.call_durations_ms is -2"),
		Entry("a negative time to first token", `{"key":"x","ttft_ms":-0.5}`, "ttft_ms is -0.5"),
		Entry("a negative duration of a node", `{"key":"x","nodes":[{"node":"n","duration_ms":-1}]}`,
			"nodes.duration_ms is -1"),
		Entry("a negative number of calls", `{"key":"x","calls":-1}`, "calls is -1"),
		Entry("a negative cost", `{"key":"x","cost":-0.01}`, "cost is -0.01"),
		Entry("a cost higher than that of any trial", `{"key":"x","cost":1e10}`,
			"cost is 1e+10, which is invalid: expected 0 to 100000"),
		Entry("a cost of fact grading that is too high", `{"key":"x","grading":{"turns":1,"cost":1e10}}`,
			"grading.cost is 1e+10"),
		Entry("negative cache hits", `{"key":"x","cache":{"hits":-1,"misses":0}}`,
			"cache.hits is -1, which is invalid: expected 0 to 1e+12"),
		Entry("an impossible number of concurrent calls", `{"key":"x","peak_calls":2000000000000}`,
			"peak_calls is 2e+12"),
		Entry("a negative length of a session history",
			`{"key":"x","compressions":[{"turn":1,"tokens_before":-5,"tokens_after":1}]}`,
			"compressions.tokens_before is -5"),
		Entry("facts of a turn that does not exist",
			`{"key":"x","turns":[{}],"scores":[{"name":"facts.coverage","facts":[{"turn":2,"facts":[true]}]}]}`,
			"scores.facts has turn 2 after turn 0 of 1"),
		Entry("a turn with facts that is listed twice",
			`{"key":"x","turns":[{}],"scores":[{"name":"facts.coverage","facts":[{"turn":1,"facts":[true]},{"turn":1,"facts":[true]}]}]}`, "scores.facts has turn 1 after turn 1 of 1"),
		Entry("a cost of a Critic loop round that is too high", `{"key":"x","loops":[{"cost":1e10}]}`,
			"loops.cost is 1e+10"),
		Entry("a cost of a second judgment that is too high", `{"key":"x","loops":[{"second_judgment":{"cost":1e10}}]}`,
			"loops.second_judgment.cost is 1e+10"),
		Entry("an unknown verdict", `{"key":"x","scores":[{"name":"route","verdict":"passs"}]}`,
			`scores.verdict is "passs", which is invalid: expected pass, fail or none`),
		Entry("a scored turn that does not exist",
			`{"key":"x","turns":[{}],"scores":[{"name":"route","verdict":"pass","turn":2}]}`,
			"scores.turn is 2, where there are 1 turns"),
		Entry("a scored turn before the first", `{"key":"x","scores":[{"name":"route","turn":-1}]}`,
			"scores.turn is -1"),
		Entry("a score with a value outside 0..1", `{"key":"x","scores":[{"name":"route","value":-1e300}]}`,
			"scores.value is -1e+300, which is invalid: expected 0 to 1"),
		Entry("two scores with the same name",
			`{"key":"x","scores":[{"name":"route","verdict":"pass"},{"name":"route","verdict":"fail"}]}`,
			`scores: "route" is there twice`),
		Entry("an epoch above the maximum", `{"key":"x","epoch":10001}`,
			"epoch is 10001, which is invalid: expected 0 to 10000"),
		Entry("a duration that overflows", `{"key":"x","duration_ms":99999999999999999999999999}`,
			"milliseconds: 99999999999999999999999999 is not a number of up to 9223372036854.775807"),
		Entry("a duration with an exponent", `{"key":"x","duration_ms":1e30}`,
			"milliseconds: 1e30 is not a number of up to"),
		Entry("zero bytes in place of JSON", "\x00\x00\x00", "invalid character"),
		Entry("null in place of an object", `null`, "no key"),
		Entry("an object with unknown fields", `{"foo":1}`, "unknown field"),
		Entry("a result without a key", `{"case":"c"}`, "no key"),
		Entry("two objects on one line", `{"key":"x"}{"key":"y"}`, "after top-level value"),
		Entry("a text in place of a number", `{"key":"x","duration_ms":"long"}`, "milliseconds"),
	)

	It("returns an error with file and line for an invalid key or trace", func() {
		put(dir, journal.ResultsFile, "{\"key\":\"a\"}\n{\"key\":\n")
		_, err := keysOf(dir)
		Expect(err).To(MatchError(HavePrefix(filepath.Join(dir, journal.ResultsFile) + ":2: ")))
		put(dir, journal.TracesFile, "{}\n")
		_, err = all(journal.EveryTrace(dir))
		Expect(err).To(MatchError(HavePrefix(filepath.Join(dir, journal.TracesFile) + ":1: ")))
	})

	It("returns the error of a write to a full disk, and writes nothing more", func() {
		if _, err := os.Stat("/dev/full"); err != nil {
			Skip("no /dev/full here")
		}
		for _, name := range []string{journal.ResultsFile, journal.TracesFile} {
			dir := GinkgoT().TempDir()
			w, err := journal.Create(dir)
			Expect(err).NotTo(HaveOccurred())
			w.Fill(name)
			Expect(w.Add(full("a"))).To(MatchError(syscall.ENOSPC))
			before := read(dir, journal.TracesFile)
			Expect(w.Add(full("b"))).To(MatchError(syscall.ENOSPC))
			Expect(read(dir, journal.TracesFile)).To(Equal(before))
		}
	})

	It("returns an error for a write after it was closed", func() {
		w, err := journal.Create(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Close()).To(Succeed())
		Expect(w.Add(full("a"))).To(MatchError(os.ErrClosed))
		Expect(w.Close()).To(MatchError(os.ErrClosed))
	})

	It("returns an error for a result that JSON cannot represent", func() {
		w, err := journal.Create(dir)
		Expect(err).NotTo(HaveOccurred())
		defer w.Close()
		bad := full("a")
		bad.Outcome.Turns[0].Reply.ToolCalls = nil
		bad.Confidence = nil
		bad.Scores[0].Value = nan()
		Expect(w.Add(bad)).To(MatchError(And(ContainSubstring("encode for"), ContainSubstring(journal.ResultsFile))))
	})
})

func nan() float64 {
	zero := 0.0
	return zero / zero
}

func Example() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	w, err := journal.Create(dir)
	if err != nil {
		panic(err)
	}
	if err := w.Add(eval.Result{Key: "k1", Case: "tr-0001", Predicted: "image_gen"}); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	for r, err := range journal.ReadRunResults(dir) {
		fmt.Println(r.Case, r.Predicted, err)
	}
	// Output: tr-0001 image_gen <nil>
}

var _ = Describe("CaseTraces", func() {
	It("returns only the traces of the case, also if its ID contains quotes", func() {
		dir := GinkgoT().TempDir()
		w, err := journal.Create(dir)
		Expect(err).NotTo(HaveOccurred())
		for i, id := range []string{"a", `say "a" <b>`, "a", "ab"} {
			Expect(w.Add(eval.Result{Key: string(rune('k' + i)), Case: id})).To(Succeed())
		}
		Expect(w.Close()).To(Succeed())
		for id, n := range map[string]int{"a": 2, `say "a" <b>`: 1, "b": 0} {
			found, err := journal.CaseTraces(dir, id)
			Expect(err).NotTo(HaveOccurred())
			Expect(found).To(HaveLen(n), id)
		}
	})
})

var _ = Describe("Two writers of a journal", func() {
	It("cannot be open at the same time", func() {
		dir := GinkgoT().TempDir()
		w, err := journal.Create(dir)
		Expect(err).NotTo(HaveOccurred())
		_, err = resume(dir)
		Expect(err).To(MatchError(ContainSubstring("another process is writing to it")))
		Expect(w.Close()).To(Succeed())
		w, err = resume(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Close()).To(Succeed())
	})
})
