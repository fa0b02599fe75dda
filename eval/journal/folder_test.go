package journal_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/journal"
)

var _ = Describe("CreateRun", func() {
	ready := func() error { return nil }

	It("succeeds for exactly one of several concurrent calls, and returns an error to the others", func() {
		for range 20 {
			dir := filepath.Join(GinkgoT().TempDir(), "run")
			var wait sync.WaitGroup
			var mu sync.Mutex
			var begun []*journal.Writer
			var winner string
			for i := range 8 {
				wait.Go(func() {
					w, err := journal.CreateRun(dir, journal.Manifest{Version: strconv.Itoa(i)}, ready)
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						begun, winner = append(begun, w), strconv.Itoa(i)
					} else if !Expect(err.Error()).
						To(SatisfyAny(ContainSubstring("already holds a run"), ContainSubstring("another process"))) {
						return
					}
				})
			}
			wait.Wait()
			Expect(begun).To(HaveLen(1))
			Expect(read(dir, journal.ManifestFile)).To(ContainSubstring(`"version": "` + winner + `"`))
			Expect(begun[0].Close()).To(Succeed())
		}
	})

	It("leaves no files if the caller rejects the directory", func() {
		at := GinkgoT().TempDir()
		no := errors.New("no")
		_, err := journal.CreateRun(filepath.Join(at, "a", "b"), journal.Manifest{}, func() error { return no })
		Expect(err).To(MatchError(no))
		Expect(os.ReadDir(at)).To(BeEmpty())
	})

	It("locks the directory until the run is closed, so that it cannot be resumed at the same time", func() {
		dir := GinkgoT().TempDir()
		w, err := journal.CreateRun(dir, journal.Manifest{}, ready)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Sync()).To(Succeed())
		_, err = resume(dir)
		Expect(err).To(MatchError(ContainSubstring("another process is writing to it")))
		Expect(w.Close()).To(Succeed())
		w, err = resume(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Close()).To(Succeed())
	})
})

var _ = Describe("A run's manifest", func() {
	It("is written without overwriting other files or following links", func() {
		dir := GinkgoT().TempDir()
		theirs := put(GinkgoT().TempDir(), "theirs", "keep")
		put(dir, journal.ManifestFile+".tmp", "keep")
		Expect(os.Symlink(theirs, filepath.Join(dir, journal.ManifestFile))).To(Succeed())
		Expect(journal.Manifest{}.Write(dir)).To(Succeed())
		Expect(read(dir, journal.ManifestFile+".tmp")).To(Equal("keep"))
		Expect(os.ReadFile(theirs)).To(BeEquivalentTo("keep"))
		Expect(os.ReadDir(dir)).To(HaveLen(2))
	})

	DescribeTable("is rejected after an edit, and reports what differs in another plan",
		func(change func(*journal.Manifest), want string) {
			m, err := journal.Manifest{Version: "v1", Seed: 1,
				Suites:         []json.RawMessage{json.RawMessage(`{"a":"<&>"}`)},
				Datasets:       []journal.DatasetInfo{{Name: "d", Hash: "1", Cases: 2}},
				SettingsHashes: map[string]string{"s/v": "1"}}.WithHash()
			Expect(err).NotTo(HaveOccurred())
			Expect(m.CheckSamePlan(m)).To(Succeed())
			now := m
			now.Datasets, now.SettingsHashes = []journal.DatasetInfo{m.Datasets[0]}, map[string]string{"s/v": "1"}
			change(&now)
			dir := GinkgoT().TempDir()
			reread := func(m journal.Manifest) error {
				Expect(m.Write(dir)).To(Succeed())
				_, err := journal.ReadManifest(dir)
				return err
			}
			Expect(reread(m)).To(Succeed())
			Expect(reread(now)).To(MatchError(dir+
				"/manifest.json has changed since the run began: its seal does not fit"),
				"an edited file")
			now.ManifestHash = ""
			Expect(reread(now)).To(MatchError(ContainSubstring("its seal does not fit")), "nor without its seal")
			now, err = now.WithHash()
			Expect(err).NotTo(HaveOccurred())
			Expect(m.CheckSamePlan(now)).To(MatchError(ContainSubstring(want)), "another plan")
		},
		Entry("another seed", func(m *journal.Manifest) { m.Seed = 2 },
			"the suites, the seed or the clock have changed"),
		Entry("another version of evalctl", func(m *journal.Manifest) { m.Version = "v2" },
			"the run began with evalctl v1, this is v2"),
		Entry("another dataset", func(m *journal.Manifest) { m.Datasets[0].Hash = "2" }, "dataset d has changed"),
		Entry("another number of cases", func(m *journal.Manifest) { m.Datasets[0].Cases = 3 },
			"the suites, the seed or the clock have changed"),
		Entry("other settings", func(m *journal.Manifest) { m.SettingsHashes["s/v"] = "2" },
			"the settings or prompts of s/v have changed"),
		Entry("another clock", func(m *journal.Manifest) { m.Clock = "real" },
			"the suites, the seed or the clock have changed"),
	)
})
