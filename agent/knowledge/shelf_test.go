package knowledge_test

import (
	"io/fs"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/knowledge"
)

var _ = Describe("a shelf", func() {
	q := knowledge.Query{Texts: []string{"水墨"}, Limit: 1, MinSimilarity: 0.6}
	at := func() string { return filepath.Join(GinkgoT().TempDir(), "styles.db") }

	It("finds what the library in its file has", func() {
		path := at()
		Expect(knowledge.Create(always, path, some(), local)).To(Succeed())
		shelf := &knowledge.Shelf{Path: path}
		for range 2 {
			hits, err := shelf.Search(always, local, q)
			Expect(err).NotTo(HaveOccurred())
			Expect(hits).To(HaveLen(1))
		}
	})

	It("tells the styles of the library, none where there is no library", func() {
		path := at()
		Expect(knowledge.Create(always, path, some(), local)).To(Succeed())
		Expect((&knowledge.Shelf{Path: path}).Styles()).To(ConsistOf(some()))
		Expect((&knowledge.Shelf{Path: path + "x"}).Styles()).To(BeEmpty())
	})

	It("S3: has an error for every search where the file is missing or corrupt", func() {
		missing := &knowledge.Shelf{Path: at()}
		corrupt := &knowledge.Shelf{Path: at()}
		Expect(os.WriteFile(corrupt.Path, []byte("SQLite format 3\x00 and nothing more"), 0o600)).To(Succeed())
		for range 2 {
			_, err := missing.Search(always, local, q)
			Expect(err).To(MatchError(fs.ErrNotExist))
			_, err = corrupt.Search(always, local, q)
			Expect(err).To(MatchError(knowledge.ErrCorrupt))
		}
	})
})
