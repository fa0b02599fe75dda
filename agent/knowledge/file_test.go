package knowledge_test

import (
	"context"
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/knowledge"
)

// written creates a library file in its own directory.
func written() string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "风格 100%?.db")
	Expect(knowledge.WriteLibrary(background, path, sampleStyles(), local)).To(Succeed())
	return path
}

// altered executes an SQL statement in a library file.
func altered(path, statement string) {
	GinkgoHelper()
	plain := filepath.Join(filepath.Dir(path), "plain.db") // a name without special characters
	Expect(os.Rename(path, plain)).To(Succeed())
	db, err := sql.Open("sqlite", plain)
	Expect(err).NotTo(HaveOccurred())
	_, err = db.Exec(statement)
	Expect(err).NotTo(HaveOccurred())
	Expect(db.Close()).To(Succeed())
	Expect(os.Rename(plain, path)).To(Succeed())
}

func files(path string) (names []string) {
	GinkgoHelper()
	entries, err := os.ReadDir(filepath.Dir(path))
	Expect(err).NotTo(HaveOccurred())
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

var _ = Describe("A library file", func() {
	It("yields the same results as the library in memory, and is not changed by searches", func() {
		path := written()
		before, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.Chmod(path, 0o444)).To(Succeed())
		l, err := knowledge.Open(path)
		Expect(err).NotTo(HaveOccurred())
		for _, q := range []knowledge.Query{{Texts: []string{"赛博朋克风"}},
			{Texts: []string{"ghibli", "国画"}, MinSimilarity: 0.6}} {
			Expect(search(l, local, q)).To(Equal(search(newLibrary(sampleStyles(), local), local, q)))
		}
		Expect(l.Close()).To(Succeed())
		Expect(os.ReadFile(path)).To(Equal(before))
		Expect(files(path)).To(HaveLen(1))
	})

	It("is identical for the same styles in any order, and replaces an existing file", func() {
		path := written()
		first, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		styles := sampleStyles()
		styles[0], styles[3] = styles[3], styles[0]
		Expect(knowledge.WriteLibrary(background, path, styles, local)).To(Succeed())
		Expect(os.ReadFile(path)).To(Equal(first))
		Expect(knowledge.WriteLibrary(background, path, styles[:1], local)).To(Succeed())
		l, err := knowledge.Open(path)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(l.Close)
		Expect(search(l, local, knowledge.Query{Texts: []string{"水墨"}, MinSimilarity: 0.6})).To(BeEmpty())
	})

	DescribeTable("is not created from invalid input, and an existing file stays unchanged",
		func(styles []knowledge.Style, e knowledge.Embedder, message string) {
			path := written()
			before, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			err = knowledge.WriteLibrary(background, path, styles, e)
			Expect(err).To(MatchError("create style library " + path + ": " + message))
			Expect(files(path)).To(HaveLen(1))
			Expect(os.ReadFile(path)).To(Equal(before))
			_, err = knowledge.New(background, styles, e)
			Expect(err).To(MatchError("style library: " + message))
		},
		Entry("such as an empty list", nil, local, "no style is given"),
		Entry("such as a style without a name", []knowledge.Style{{ID: "a", EN: "a", Prompt: "p"}}, local,
			"zh: style a has an empty one"),
		Entry("such as a duplicate style", append(sampleStyles(), sampleStyles()[0]), local,
			`id: "ink-wash" is used before, by ink-wash`),
		Entry("such as a name without letters", []knowledge.Style{{ID: "a", ZH: "🎨", EN: "a", Prompt: "p"}}, local,
			`name "🎨" has a vector without direction`),
		Entry("such as an embedder that fails", sampleStyles(), angles, "not on the chart: 赛博朋克"),
		Entry("such as vectors of different lengths", []knowledge.Style{{ID: "a", ZH: "甲", EN: "flat", Prompt: "p"}},
			angles,
			"vector 1 has 1 dimensions, not 2"),
		Entry("such as too few vectors", sampleStyles(), short{angles}, "angles made 0 vectors of 13 texts"),
		Entry("such as vectors with too many dimensions", sampleStyles(), knowledge.HashEmbedder{Dimensions: 9000},
			"9000 dimensions are not in 1..8192"),
	)

	It("leaves no temporary file if it cannot be written", func() {
		path := filepath.Join(GinkgoT().TempDir(), "full")
		Expect(os.MkdirAll(filepath.Join(path, "x"), 0o755)).To(Succeed())
		Expect(knowledge.WriteLibrary(background, path, sampleStyles(), local)).NotTo(Succeed())
		Expect(files(path)).To(Equal([]string{"full"}))
		Expect(knowledge.WriteLibrary(background, filepath.Join(path, "no", "folder"), sampleStyles(), local)).
			To(MatchError(fs.ErrNotExist))
	})

	It("is not created if the context has ended", func() {
		ctx, cancel := context.WithCancel(background)
		cancel()
		path := filepath.Join(GinkgoT().TempDir(), "new.db")
		Expect(knowledge.WriteLibrary(ctx, path, sampleStyles(), local)).To(MatchError(context.Canceled))
		Expect(files(path)).To(BeEmpty())
	})

	It("cannot be opened if it is missing or a directory", func() {
		_, err := knowledge.Open(filepath.Join(GinkgoT().TempDir(), "none.db"))
		Expect(err).To(MatchError(fs.ErrNotExist))
		Expect(err).NotTo(MatchError(knowledge.ErrCorrupt))
		_, err = knowledge.Open(GinkgoT().TempDir())
		Expect(err).To(HaveOccurred())
	})

	corrupt := func(path string) {
		GinkgoHelper()
		l, err := knowledge.Open(path)
		Expect(err).To(MatchError(knowledge.ErrCorrupt))
		Expect(err).To(MatchError(HavePrefix(path + ": ")))
		Expect(l).To(BeNil())
	}

	DescribeTable("is reported as corrupt if its bytes have changed", func(change func(data []byte) []byte) {
		path := written()
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(path, change(data), 0o600)).To(Succeed())
		corrupt(path)
	},
		Entry("to an empty file", func([]byte) []byte { return nil }),
		Entry("to a plain text", func([]byte) []byte { return []byte("水墨 ink wash\n") }),
		Entry("by a text in front of the original bytes",
			func(d []byte) []byte { return append([]byte("水墨 ink wash\n"), d...) }),
		Entry("by truncation in the header", func(d []byte) []byte { return d[:50] }),
		Entry("by truncation at a page boundary", func(d []byte) []byte { return d[:len(d)-4096] }),
		Entry("by truncation within a page", func(d []byte) []byte { return d[:len(d)-100] }),
		Entry("by zeros in one page", func(d []byte) []byte { clear(d[4096:8192]); return d }),
		Entry("by one bit in a vector", func(d []byte) []byte { d[len(d)-500] ^= 1; return d }),
		Entry("by another page size", func(d []byte) []byte { d[16] = 0x20; return d }),
	)

	DescribeTable("is reported as corrupt if its tables have changed", func(statement string) {
		path := written()
		altered(path, statement)
		corrupt(path)
	},
		Entry("by the removal of the table of styles", "DROP TABLE styles"),
		Entry("by the removal of the table of vectors", "DROP TABLE vectors"),
		Entry("by the removal of the table with the embedder", "DROP TABLE library"),
		Entry("by the removal of the embedder", "DELETE FROM library"),
		Entry("by another name of a column", "ALTER TABLE styles RENAME COLUMN zh TO cn"),
		Entry("by the removal of all styles", "DELETE FROM styles"),
		Entry("by the removal of a style", "DELETE FROM styles WHERE id = 'ghibli'"),
		Entry("by the removal of a vector", "DELETE FROM vectors WHERE name = 0"),
		Entry("by an additional vector", "INSERT INTO vectors SELECT 99, vector FROM vectors LIMIT 1"),
		Entry("by another number of dimensions", "UPDATE library SET dimensions = 128"),
		Entry("by too many dimensions", "UPDATE library SET dimensions = 1 << 40"),
		Entry("by dimensions that are not a number", "UPDATE library SET dimensions = 'many'"),
		Entry("by a vector that is too short", "UPDATE vectors SET vector = substr(vector, 5) WHERE name = 3"),
		Entry("by a vector with an odd number of bytes", "UPDATE vectors SET vector = vector || x'00' WHERE name = 3"),
		Entry("by an empty vector", "UPDATE vectors SET vector = x'' WHERE name = 3"),
		Entry("by a zero vector", "UPDATE vectors SET vector = zeroblob(1024) WHERE name = 3"),
		Entry("by a NaN in a vector",
			"UPDATE vectors SET vector = x'0000c07f' || substr(vector, 5) WHERE name = 3"),
		Entry("by another prompt", "UPDATE styles SET prompt = 'dots' WHERE id = 'ghibli'"),
		Entry("by another embedder", "UPDATE library SET embedder = 'x'"),
		Entry("by another order of the vectors", "UPDATE vectors SET name = -name"),
		Entry("by an invalid id", "UPDATE styles SET id = 'Ink Wash' WHERE id = 'ink-wash'"),
		Entry("by aliases that are not a list", "UPDATE styles SET aliases = 'x'"),
		Entry("by a duplicate name", "UPDATE styles SET zh = '水墨'"),
		Entry("by an empty prompt", "UPDATE styles SET prompt = ''"),
	)
})
