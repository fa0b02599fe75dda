package history_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/eval/journal"
)

var _ = Describe("The index of a directory of runs", func() {
	var dir string
	ctx := context.Background()
	BeforeEach(func() { dir = GinkgoT().TempDir() })

	It("follows added, changed and removed runs, and does not change when it is rebuilt", func() {
		many(dir, of(1), of(1, 2), of(1, 3))
		Expect(names(dir)).To(Equal([]string{"r2", "r1", "r0"}))
		Expect(os.RemoveAll(filepath.Join(dir, "r1"))).To(Succeed())
		Expect(os.RemoveAll(filepath.Join(dir, "r2"))).To(Succeed())
		changed := of(1, 2, 3, 4, 5)
		changed.name, changed.day = "r2", 2
		put(dir, changed)
		added := of(3)
		added.name, added.day = "new", 9
		put(dir, added)

		h := opened(dir)
		updated := all(h)
		Expect(updated).To(ContainSubstring(`"value":0.75`))
		Expect(h.Rebuild(ctx)).To(Succeed())
		Expect(all(h)).To(Equal(updated))
		Expect(h.Close()).To(Succeed())
		Expect(os.Remove(filepath.Join(dir, history.IndexFile))).To(Succeed())
		Expect(all(opened(dir))).To(Equal(updated))
	})

	DescribeTable("is rebuilt if its file is not a valid index", func(spoil func(path string)) {
		many(dir, of(1), of(3))
		h := opened(dir)
		want := all(h)
		Expect(h.Close()).To(Succeed())
		spoil(filepath.Join(dir, history.IndexFile))
		h = opened(dir)
		Expect(h.InMemoryReason).To(BeEmpty())
		Expect(all(h)).To(Equal(want))
		Expect(h.Close()).To(Succeed())
		Expect(all(opened(dir))).To(Equal(want))
	},
		Entry("a text in place of the index file", func(path string) {
			Expect(os.WriteFile(path, []byte(strings.Repeat("no database ", 900)), 0o600)).To(Succeed())
		}),
		Entry("an index file with damaged bytes in the middle", func(path string) {
			text, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			for i := 4096; i < len(text); i++ {
				text[i] = 0xa5
			}
			Expect(os.WriteFile(path, text, 0o600)).To(Succeed())
		}),
		Entry("an index file of another version", func(path string) {
			text, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			text[63] = 99 // user_version, big-endian at 60
			Expect(os.WriteFile(path, text, 0o600)).To(Succeed())
		}),
	)

	DescribeTable("exists only in memory, with a note, if its file cannot be written", func(spoil func(path string)) {
		many(dir, of(1), of(3))
		spoil(filepath.Join(dir, history.IndexFile))
		h := opened(dir)
		Expect(h.InMemoryReason).To(HavePrefix("the index is kept in memory: "))
		list, err := h.Runs(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(2))
	},
		Entry("a directory in place of the file",
			func(path string) { Expect(os.MkdirAll(filepath.Join(path, "x"), 0o755)).To(Succeed()) }),
		Entry("a link in place of the file",
			func(path string) { Expect(os.Symlink("/nowhere/else", path)).To(Succeed()) }),
		Entry("no permission to write to the directory", func(path string) {
			if os.Getuid() == 0 {
				Skip("root may write everywhere")
			}
			Expect(os.Chmod(filepath.Dir(path), 0o555)).To(Succeed())
			DeferCleanup(os.Chmod, filepath.Dir(path), os.FileMode(0o755))
		}),
	)

	It("skips and reports broken runs, and ignores links and other directories", func() {
		many(dir, of(1), of(2))
		Expect(os.WriteFile(filepath.Join(dir, "r0", journal.ManifestFile), []byte("{"), 0o600)).To(Succeed())
		Expect(os.Symlink("r1", filepath.Join(dir, "link"))).To(Succeed())
		Expect(os.Mkdir(filepath.Join(dir, "notes"), 0o755)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)).To(Succeed())
		Expect(names(dir)).To(Equal([]string{"r1"}))
		for range 2 {
			Expect(opened(dir).Problems).
				To(ConsistOf(MatchError(ContainSubstring(filepath.Join("r0", "manifest.json")))))
		}
	})

	It("contains the data of each run, and marks a run without a process as killed", func() {
		many(dir, of(1, 2))
		put(dir, runFixture{name: "going", day: 3, status: journal.StatusRunning, wrong: map[string][]int{"a": nil}})
		list, err := opened(dir).Runs(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(list[0].Status).To(Equal(history.StatusKilled))
		Expect(list[1].Suites[0]).
			To(And(HaveField("DatasetHash", "d1"), HaveField("Cases", BeEquivalentTo(cases)),
				HaveField("Leader.Variant", "a"), HaveField("Leader.Accuracy.Value", HaveValue(Equal(0.9)))))
		log, err := journal.Resume(filepath.Join(dir, "going"), func(string) {})
		Expect(err).NotTo(HaveOccurred())
		list, err = opened(dir).Runs(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(list[0].Status).To(Equal(journal.StatusRunning))
		Expect(log.Close()).To(Succeed())
	})

	It("can be used by several processes at the same time", func() {
		many(dir, of(1), of(2), of(3), of(4))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				defer GinkgoRecover()
				Expect(names(dir)).To(HaveLen(4))
			})
		}
		all.Wait()
		Expect(names(dir)).To(HaveLen(4))
	})

	It("is intact after a process that updated it was killed", func() {
		if len(os.Getenv("EVALCTL_HISTORY_DIR")) > 0 {
			Skip("is the one that is killed")
		}
		for i := range 40 {
			p := of(i % cases)
			p.name, p.day = fmt.Sprintf("r%02d", i), i
			put(dir, p)
		}
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		child := exec.Command(self, "-ginkgo.focus=is updated until the process is killed", "-test.run=TestHistory")
		child.Env = append(os.Environ(), "EVALCTL_HISTORY_DIR="+dir)
		Expect(child.Start()).To(Succeed())
		Eventually(func() error { _, err := os.Stat(filepath.Join(dir, history.IndexFile+"-wal")); return err },
			30*time.Second, time.Millisecond).Should(Succeed())
		Expect(child.Process.Kill()).To(Succeed())
		_ = child.Wait() // killed
		h := opened(dir)
		Expect(h.InMemoryReason).To(BeEmpty())
		left := all(h)
		Expect(h.Rebuild(ctx)).To(Succeed())
		Expect(all(h)).To(Equal(left))
	})

	It("is updated until the process is killed", func() {
		dir := os.Getenv("EVALCTL_HISTORY_DIR")
		if dir == "" {
			Skip("is run as a process of its own")
		}
		h := opened(dir)
		for {
			Expect(h.Rebuild(ctx)).To(Succeed())
		}
	})

	It("lists 500 runs many times faster than their directories can be read", Label("figures"), func() {
		put(dir, runFixture{name: "r", wrong: map[string][]int{"a": {1}, "b": {2}}, data: "d1"})
		for i := range 499 {
			to := filepath.Join(dir, fmt.Sprintf("r%03d", i))
			Expect(os.Mkdir(to, 0o755)).To(Succeed())
			for _, name := range []string{journal.ManifestFile, journal.SummaryFile} {
				Expect(os.Link(filepath.Join(dir, "r", name), filepath.Join(to, name))).To(Succeed())
			}
		}
		begun := time.Now()
		Expect(names(dir)).To(HaveLen(500))
		unknown := time.Since(begun)
		best := time.Hour // takes the shortest time, because other processes also run
		for range 5 {
			begun = time.Now()
			Expect(names(dir)).To(HaveLen(500))
			best = min(best, time.Since(begun))
		}
		Expect(best).To(BeNumerically("<", unknown/3))
	})

	It("accepts runs, suites and variants with any names", func() {
		hostile := "x'; DROP TABLE run; --\n<b>"
		p := of(1)
		p.name, p.suite = hostile, `s"'\`
		put(dir, p)
		Expect(names(dir)).To(Equal([]string{hostile}))
		trend, err := opened(dir).Trend(ctx, "route.accuracy", history.Filter{}, 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(trend.Series[0].Suite).To(Equal(`s"'\`))
		_, err = opened(dir).CaseHistory(ctx, "c'; --", history.Filter{})
		Expect(err).To(MatchError(ContainSubstring(`no run has a case`)))
		Expect(names(dir)).To(HaveLen(1))
	})

	It("cannot be opened for a path that is not a directory of runs", func() {
		_, err := history.Open(ctx, filepath.Join(dir, "none"))
		Expect(err).To(MatchError(ContainSubstring("no such directory")))
		_, err = opened(dir).Runs(ctx, "mine")
		Expect(err).To(HaveOccurred())
	})
})

var _ = Describe("The trend of a metric", func() {
	var dir string
	ctx := context.Background()
	BeforeEach(func() { dir = GinkgoT().TempDir() })
	trend := func(metric string, c history.Filter, last int) history.Trend {
		GinkgoHelper()
		t, err := opened(dir).Trend(ctx, metric, c, last)
		Expect(err).NotTo(HaveOccurred())
		return t
	}

	It("contains the value of each run, the oldest first, and the last change with its significance", func() {
		many(dir, of(), of(1), of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
		s := trend("route.accuracy", history.Filter{}, 0).Series[0]
		var values []float64
		for _, p := range s.Points {
			values = append(values, *p.Estimate.Value)
			Expect(p.IsComparable()).To(BeTrue())
		}
		Expect(values).To(Equal([]float64{1, 0.95, 0.5}))
		Expect(s.Change).To(And(HaveField("Paired", true), HaveField("ComparedWith", "r1"),
			HaveField("State", eval.Worse), HaveField("Significant", true)))
		Expect(*s.Change.Contrast.Value).To(BeNumerically("~", -0.45, 1e-9))
		Expect(trend("route.accuracy", history.Filter{}, 2).Series[0].Points).To(HaveLen(2))
	})

	It("contains metrics with any names, and accepts conditions without metrics", func() {
		const hostile = "score \"<b>'&\\\n\u2028 中"
		p := of(1)
		p.wrong["b"] = nil
		many(dir, p)
		var sum eval.Summary
		path := filepath.Join(dir, "r0", journal.SummaryFile)
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Unmarshal(text, &sum)).To(Succeed())
		conditions := sum.Suites[0].Conditions
		Expect(conditions).To(HaveLen(2))
		want := eval.Estimate{Value: new(0.1 + 0.2), Lo: new(5e-324), Hi: new(1e12), N: 1 << 60, Missing: 3}
		conditions[0].Metrics[hostile], conditions[1].Metrics = want, nil
		Expect(journal.WriteJSON(path, sum)).To(Succeed())
		series := trend(hostile, history.Filter{}, 0).Series
		Expect(series).To(HaveLen(1))
		Expect(series[0].Points[0].Estimate).To(Equal(want))
	})

	It("is not computed if the client does not wait for the index", func() {
		many(dir, of(1), of(2))
		canceled, cancel := context.WithCancel(ctx)
		cancel()
		_, err := history.Open(canceled, dir)
		Expect(err).To(MatchError(context.Canceled))
		Expect(trend("route.accuracy", history.Filter{}, 0).Series[0].Points).To(HaveLen(2))
	})

	It("32.5: compares every variant case by case, even if a fault applies only to one of them", func() {
		list := []runFixture{of(1), of(1, 2)}
		for i := range list {
			list[i].wrong["b"], list[i].fault = []int{3}, "router:timeout"
		}
		many(dir, list...)
		t := trend("route.accuracy", history.Filter{}, 0)
		Expect(t.Series).To(HaveLen(3))
		for _, s := range t.Series {
			Expect(s.Change).To(And(HaveField("Paired", true), HaveField("UnpairedReason", "")), s.Variant+" "+s.Fault)
		}
	})

	It("does not report a change by chance as significant", func() {
		many(dir, of(1, 2), of(1, 2, 3))
		c := trend("route.accuracy", history.Filter{}, 0).Series[0].Change
		Expect(c).To(And(HaveField("Paired", true), HaveField("Significant", false),
			HaveField("State", eval.NotSignificant)))
	})

	It("marks runs with other cases or settings, and does not compare different cases", func() {
		prompt := of(1)
		prompt.settings = map[string]string{"a": "s2"}
		data := of(1, 2, 3)
		data.settings, data.data = prompt.settings, "d2"
		many(dir, of(1), prompt, data)
		s := trend("route.accuracy", history.Filter{}, 0).Series[0]
		Expect(s.Points[1]).To(And(HaveField("SettingsChanged", true), HaveField("CasesChanged", false)))
		Expect(s.Points[2]).To(And(HaveField("SettingsChanged", false), HaveField("CasesChanged", true)))
		Expect(s.Change).To(And(HaveField("Paired", false),
			HaveField("UnpairedReason", "other cases or other settings"), HaveField("Significant", false)))
		Expect(*s.Change.Contrast.Value).To(BeNumerically("~", -0.1, 1e-9))
	})

	It("marks runs whose sample has another seed or whose suite lists other cases", func() {
		list := []runFixture{of(1), of(2), of(2), of(3), of(3), of(3)}
		for i := range list[:3] {
			list[i].sample = 20
		}
		list[1].seed, list[2].seed, list[3].seed, list[4].seed = 2, 2, 2, 3
		list[5].named = []string{"c01"}
		many(dir, list...)
		var other []bool
		for _, p := range trend("route.accuracy", history.Filter{}, 0).Series[0].Points {
			other = append(other, p.CasesChanged)
		}
		Expect(other).To(Equal([]bool{false, true, false, true, false, true}),
			"a seed picks the cases of samples alone")
	})

	It("states why runs cannot be compared case by case if their results are missing", func() {
		many(dir, of(1), of(2))
		Expect(os.Remove(filepath.Join(dir, "r0", journal.ResultsFile))).To(Succeed())
		Expect(trend("route.accuracy", history.Filter{}, 0).Series[0].Change).
			To(And(HaveField("Paired", false), HaveField("UnpairedReason", ContainSubstring("results.jsonl"))))
	})

	DescribeTable("cannot be computed for an unknown name, and returns an error that contains the name",
		func(metric string, c history.Filter, want string) {
			many(dir, of(1))
			_, err := opened(dir).Trend(ctx, metric, c, 0)
			Expect(err).To(MatchError(ContainSubstring(want)))
		},
		Entry("an unknown metric", "route.acuracy", history.Filter{}, `did you mean "route.accuracy"?`),
		Entry("an unknown suite", "route.accuracy", history.Filter{Suites: []string{"mime"}},
			`--suite: unknown suite "mime", did you mean "mine"?`),
		Entry("an unknown variant", "route.accuracy", history.Filter{Variants: []string{"zz"}},
			"--variant: unknown variant"),
	)
})
