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

// written is a library file of some styles in a folder of its own.
func written() string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "风格 100%?.db")
	Expect(knowledge.Create(always, path, some(), local)).To(Succeed())
	return path
}

// altered runs a statement on a library file.
func altered(path, statement string) {
	GinkgoHelper()
	plain := filepath.Join(filepath.Dir(path), "plain.db") // a name that needs no quoting
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

var _ = Describe("a library file", func() {
	It("finds what the library in memory finds, and is only read", func() {
		path := written()
		before, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.Chmod(path, 0o444)).To(Succeed())
		l, err := knowledge.Open(path)
		Expect(err).NotTo(HaveOccurred())
		for _, q := range []knowledge.Query{{Texts: []string{"赛博朋克风"}}, {Texts: []string{"ghibli", "国画"}, MinSimilarity: 0.6}} {
			Expect(search(l, local, q)).To(Equal(search(made(some(), local), local, q)))
		}
		Expect(l.Close()).To(Succeed())
		Expect(os.ReadFile(path)).To(Equal(before))
		Expect(files(path)).To(HaveLen(1))
	})

	It("is the same for the same styles in any order, and replaces another", func() {
		path := written()
		first, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		styles := some()
		styles[0], styles[3] = styles[3], styles[0]
		Expect(knowledge.Create(always, path, styles, local)).To(Succeed())
		Expect(os.ReadFile(path)).To(Equal(first))
		Expect(knowledge.Create(always, path, styles[:1], local)).To(Succeed())
		l, err := knowledge.Open(path)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(l.Close)
		Expect(search(l, local, knowledge.Query{Texts: []string{"水墨"}, MinSimilarity: 0.6})).To(BeEmpty())
	})

	DescribeTable("is not made, nor is half of one, and what is there stays",
		func(styles []knowledge.Style, e knowledge.Embedder, message string) {
			path := written()
			before, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			err = knowledge.Create(always, path, styles, e)
			Expect(err).To(MatchError("create style library " + path + ": " + message))
			Expect(files(path)).To(HaveLen(1))
			Expect(os.ReadFile(path)).To(Equal(before))
			_, err = knowledge.New(always, styles, e)
			Expect(err).To(MatchError("style library: " + message))
		},
		Entry("of no styles", nil, local, "no style is given"),
		Entry("of a style without a name", []knowledge.Style{{ID: "a", EN: "a", Prompt: "p"}}, local, "zh: style a has an empty one"),
		Entry("of one style twice", append(some(), some()[0]), local, `id: "ink-wash" is used before, by ink-wash`),
		Entry("of a name without letters", []knowledge.Style{{ID: "a", ZH: "🎨", EN: "a", Prompt: "p"}}, local, `name "🎨" has a vector without direction`),
		Entry("when the embedder fails", some(), angles, "not on the chart: 赛博朋克"),
		Entry("of vectors of two sizes", []knowledge.Style{{ID: "a", ZH: "甲", EN: "flat", Prompt: "p"}}, angles, "vector 1 has 1 dimensions, not 2"),
		Entry("of too few vectors", some(), short{angles}, "angles made 0 vectors of 13 texts"),
		Entry("of more dimensions than the index takes", some(), knowledge.HashEmbedder{Dimensions: 9000}, "9000 dimensions are not in 1..8192"),
	)

	It("leaves nothing behind where it cannot be put", func() {
		path := filepath.Join(GinkgoT().TempDir(), "full")
		Expect(os.MkdirAll(filepath.Join(path, "x"), 0o755)).To(Succeed())
		Expect(knowledge.Create(always, path, some(), local)).NotTo(Succeed())
		Expect(files(path)).To(Equal([]string{"full"}))
		Expect(knowledge.Create(always, filepath.Join(path, "no", "folder"), some(), local)).To(MatchError(fs.ErrNotExist))
	})

	It("is not made for who has gone", func() {
		ctx, cancel := context.WithCancel(always)
		cancel()
		path := filepath.Join(GinkgoT().TempDir(), "new.db")
		Expect(knowledge.Create(ctx, path, some(), local)).To(MatchError(context.Canceled))
		Expect(files(path)).To(BeEmpty())
	})

	It("that is missing is missing, and a folder is no file", func() {
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

	DescribeTable("that has changed is corrupt", func(change func(data []byte) []byte) {
		path := written()
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(path, change(data), 0o600)).To(Succeed())
		corrupt(path)
	},
		Entry("empty", func([]byte) []byte { return nil }),
		Entry("a text", func([]byte) []byte { return []byte("水墨 ink wash\n") }),
		Entry("a long text", func(d []byte) []byte { return append([]byte("水墨 ink wash\n"), d...) }),
		Entry("cut in the head", func(d []byte) []byte { return d[:50] }),
		Entry("cut at a page", func(d []byte) []byte { return d[:len(d)-4096] }),
		Entry("cut in a page", func(d []byte) []byte { return d[:len(d)-100] }),
		Entry("a page lost", func(d []byte) []byte { clear(d[4096:8192]); return d }),
		Entry("a bit of a vector turned", func(d []byte) []byte { d[len(d)-500] ^= 1; return d }),
		Entry("of another size of pages", func(d []byte) []byte { d[16] = 0x20; return d }),
	)

	DescribeTable("that says something else is corrupt", func(statement string) {
		path := written()
		altered(path, statement)
		corrupt(path)
	},
		Entry("no styles' table", "DROP TABLE styles"),
		Entry("no vectors' table", "DROP TABLE vectors"),
		Entry("no embedder's table", "DROP TABLE library"),
		Entry("no embedder", "DELETE FROM library"),
		Entry("another schema", "ALTER TABLE styles RENAME COLUMN zh TO cn"),
		Entry("no styles", "DELETE FROM styles"),
		Entry("a style less", "DELETE FROM styles WHERE id = 'ghibli'"),
		Entry("a vector less", "DELETE FROM vectors WHERE name = 0"),
		Entry("a vector more", "INSERT INTO vectors SELECT 99, vector FROM vectors LIMIT 1"),
		Entry("other dimensions", "UPDATE library SET dimensions = 128"),
		Entry("dimensions beyond measure", "UPDATE library SET dimensions = 1 << 40"),
		Entry("no number of dimensions", "UPDATE library SET dimensions = 'many'"),
		Entry("a short vector", "UPDATE vectors SET vector = substr(vector, 5) WHERE name = 3"),
		Entry("an odd vector", "UPDATE vectors SET vector = vector || x'00' WHERE name = 3"),
		Entry("an empty vector", "UPDATE vectors SET vector = x'' WHERE name = 3"),
		Entry("a zero vector", "UPDATE vectors SET vector = zeroblob(1024) WHERE name = 3"),
		Entry("a vector that is not a number", "UPDATE vectors SET vector = x'0000c07f' || substr(vector, 5) WHERE name = 3"),
		Entry("another prompt", "UPDATE styles SET prompt = 'dots' WHERE id = 'ghibli'"),
		Entry("another embedder", "UPDATE library SET embedder = 'x'"),
		Entry("another order", "UPDATE vectors SET name = -name"),
		Entry("an unkind id", "UPDATE styles SET id = 'Ink Wash' WHERE id = 'ink-wash'"),
		Entry("aliases that are no list", "UPDATE styles SET aliases = 'x'"),
		Entry("a name twice", "UPDATE styles SET zh = '水墨'"),
		Entry("an empty prompt", "UPDATE styles SET prompt = ''"),
	)
})
