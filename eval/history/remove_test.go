package history_test

import (
	"context"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/history"
	"evalctl/eval/journal"
)

var _ = Describe("Removing runs", func() {
	var dir string
	ctx := context.Background()
	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		many(dir, of(1), of(2), of(3))
	})

	It("selects the named runs, and the runs that exceed both the limit on age and the limit on number", func() {
		h := opened(dir)
		pick := func(old history.RemovalFilter, named ...string) []string {
			GinkgoHelper()
			list, err := h.SelectForRemoval(ctx, named, old)
			Expect(err).NotTo(HaveOccurred())
			return list
		}
		Expect(pick(history.RemovalFilter{}, "r1", filepath.Join(dir, "r2"), "r1")).To(Equal([]string{"r1", "r2"}))
		Expect(pick(history.RemovalFilter{KeepNewest: 1})).To(Equal([]string{"r1", "r0"}))
		Expect(pick(history.RemovalFilter{Before: start.AddDate(0, 0, 1)})).To(Equal([]string{"r0"}))
		Expect(pick(history.RemovalFilter{Before: start.AddDate(0, 0, 5), KeepNewest: 2})).To(Equal([]string{"r0"}))
		Expect(pick(history.RemovalFilter{})).To(BeEmpty())
		for _, name := range []string{"..", "../x", "r", "/etc", "."} {
			_, err := h.SelectForRemoval(ctx, []string{name}, history.RemovalFilter{})
			Expect(err).To(MatchError(ContainSubstring("unknown run")), name)
		}
	})

	It("deletes the files of a run and its directory; a dry run only reports them", func() {
		h := opened(dir)
		Expect(h.Remove("r1", true)).To(And(HaveField("Err", BeNil()), HaveField("Bytes", BeNumerically(">", 1000))))
		Expect(names(dir)).To(HaveLen(3))
		Expect(h.Remove("r1", false).Err).NotTo(HaveOccurred())
		Expect(filepath.Join(dir, "r1")).NotTo(BeAnExistingFile())
		Expect(names(dir)).To(Equal([]string{"r2", "r0"}))
	})

	It("preserves files that do not belong to the run", func() {
		Expect(os.WriteFile(filepath.Join(dir, "r1", "notes.txt"), nil, 0o600)).To(Succeed())
		Expect(opened(dir).Remove("r1", false)).
			To(And(HaveField("Err", BeNil()), HaveField("Remaining", Equal([]string{"notes.txt"}))))
		Expect(filepath.Join(dir, "r1", "notes.txt")).To(BeAnExistingFile())
		Expect(names(dir)).To(HaveLen(2))
	})

	It("does not follow links, and returns an error for a directory without a run and for a run in progress", func() {
		outside := GinkgoT().TempDir()
		many(outside, of(1))
		Expect(os.Symlink(filepath.Join(outside, "r0"), filepath.Join(dir, "link"))).To(Succeed())
		Expect(os.Mkdir(filepath.Join(dir, "notes"), 0o755)).To(Succeed())
		h := opened(dir)
		Expect(h.Remove("link", false).Err).To(MatchError(ContainSubstring("is not a folder of a run")))
		Expect(h.Remove("notes", false).Err).To(MatchError(ContainSubstring("contains no run")))
		Expect(h.Remove("../"+filepath.Base(outside), false).Err).To(HaveOccurred())
		Expect(filepath.Join(outside, "r0", journal.ManifestFile)).To(BeAnExistingFile())

		target := filepath.Join(outside, "r0", journal.SummaryFile)
		Expect(os.Remove(filepath.Join(dir, "r2", journal.SummaryFile))).To(Succeed())
		Expect(os.Symlink(target, filepath.Join(dir, "r2", journal.SummaryFile))).To(Succeed())
		Expect(h.Remove("r2", false).Err).NotTo(HaveOccurred())
		Expect(target).To(BeAnExistingFile())

		log, err := journal.Resume(filepath.Join(dir, "r1"), func(string) {})
		Expect(err).NotTo(HaveOccurred())
		Expect(h.Remove("r1", false).Err).To(MatchError(ContainSubstring("another process is writing")))
		Expect(log.Close()).To(Succeed())
		Expect(filepath.Join(dir, "r1", journal.ManifestFile)).To(BeAnExistingFile())
	})
})
