package database_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/database"
)

// note returns a transaction that inserts a text and then returns err.
func note(text string, err error) func(*database.Tx) error {
	return func(tx *database.Tx) error {
		return errors.Join(tx.Exec("INSERT INTO notes (text) VALUES (?)", text), err)
	}
}

// notes returns all inserted texts.
func notes(db *database.DB) (texts []string) {
	GinkgoHelper()
	Expect(db.View(context.Background(), func(tx *database.Tx) error {
		for row, err := range tx.Rows("SELECT text FROM notes ORDER BY id") {
			if err != nil {
				return err
			}
			var text string
			if err := row.Scan(&text); err != nil {
				return err
			}
			texts = append(texts, text)
		}
		return nil
	})).To(Succeed())
	return texts
}

func opened(path string) *database.DB {
	GinkgoHelper()
	db, err := database.Open(path, schema)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(db.Close)
	return db
}

var _ = Describe("A database", func() {
	var ctx context.Context
	var path string
	BeforeEach(func() {
		ctx = context.Background()
		path = filepath.Join(GinkgoT().TempDir(), "a?b%20c#d 记.db")
	})

	It("stores committed changes in its file, which only its owner can read", func() {
		db := opened(path)
		Expect(db.Update(ctx, note("记得\x00这个", nil))).To(Succeed())
		there := func() (names []string) {
			files, err := os.ReadDir(filepath.Dir(path))
			Expect(err).NotTo(HaveOccurred())
			for _, f := range files {
				info, err := f.Info()
				Expect(err).NotTo(HaveOccurred())
				Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600), f.Name())
				names = append(names, strings.TrimPrefix(f.Name(), filepath.Base(path)))
			}
			return names
		}
		Expect(there()).To(Equal([]string{"", "-shm", "-wal"}))
		Expect(db.Close()).To(Succeed())
		Expect(there()).To(Equal([]string{""}))
		Expect(notes(opened(path))).To(Equal([]string{"记得\x00这个"}))
	})

	It("is private to the process and in memory without a file", func() {
		one, other := opened(""), opened(":memory:")
		Expect(one.Update(ctx, note("one", nil))).To(Succeed())
		Expect(notes(one)).To(Equal([]string{"one"}))
		Expect(notes(other)).To(BeEmpty())
	})

	DescribeTable("rolls back a transaction that fails", func(f func(*database.Tx) error, how OmegaMatcher) {
		for _, path := range []string{"", path} {
			db := opened(path)
			Expect(db.Update(ctx, note("before", nil))).To(Succeed())
			err := func() (err error) {
				defer func() {
					if p := recover(); p != nil {
						err = errors.New("panic")
					}
				}()
				return db.Update(ctx, f)
			}()
			Expect(err).To(how)
			Expect(notes(db)).To(Equal([]string{"before"}))
			Expect(db.Update(ctx, note("after", nil))).To(Succeed())
		}
	},
		Entry("with an error", note("lost", os.ErrInvalid), MatchError(os.ErrInvalid)),
		Entry("with a panic", func(tx *database.Tx) error { _ = note("lost", nil)(tx); panic("oh") },
			MatchError("panic")),
		Entry("with a panic while rows are read", func(tx *database.Tx) error {
			_ = note("lost", nil)(tx)
			for range tx.Rows("SELECT text FROM notes") {
				panic("oh")
			}
			return nil
		}, MatchError("panic")),
		Entry("with a failed statement", func(tx *database.Tx) error {
			_ = note("lost", nil)(tx)
			return tx.Exec("INSERT INTO notes (text) VALUES (?)", nil)
		}, MatchError(ContainSubstring("NOT NULL"))),
	)

	It("rolls back changes that View makes", func() {
		db := opened("")
		Expect(db.View(ctx, note("lost", nil))).To(Succeed())
		Expect(notes(db)).To(BeEmpty())
	})

	It("does nothing if the context is canceled, and returns an error after Close", func() {
		db := opened(path)
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		Expect(db.Update(cancelled, note("lost", nil))).To(MatchError(context.Canceled))
		Expect(notes(db)).To(BeEmpty())
		Expect(db.Close()).To(Succeed())
		Expect(db.Close()).To(Succeed())
		Expect(db.Update(ctx, note("lost", nil))).To(MatchError("database " + path + ": is closed"))
		_, err := db.Snapshot()
		Expect(err).To(MatchError(ContainSubstring("is closed")))
	})

	It("waits for another writer of the file, and returns an error with the file name after a second", func() {
		db, other := opened(path), opened(path)
		Expect(other.Update(ctx, func(*database.Tx) error {
			Expect(notes(db)).To(BeEmpty()) // reading does not wait for the other writer
			return db.Update(ctx, note("late", nil))
		})).To(MatchError(And(HavePrefix("database "+path+": another process has held it for 1000 ms"),
			Not(ContainSubstring("\n")))))
		Expect(db.Update(ctx, note("now", nil))).To(Succeed())
		Expect(notes(other)).To(Equal([]string{"now"}))
	})

	It("scans values into variables of matching types, and returns an error for other types", func() {
		var (
			s    string
			b    []byte
			i    int
			l    int64
			f    float64
			t    bool
			read database.Row
		)
		Expect(opened("").View(ctx, func(tx *database.Tx) error {
			for row, err := range tx.Rows("SELECT ?, ?, ?, ?, ?, ?", "好", []byte{0}, 7, int64(8), 0.5, true) {
				read = row
				return err
			}
			return nil
		})).To(Succeed())
		Expect(read.Scan(&s, &b, &i, &l, &f, &t)).To(Succeed())
		Expect([]any{s, b, i, l, f, t}).To(Equal([]any{"好", []byte{0}, 7, int64(8), 0.5, true}))
		Expect(read[:1].Scan(&i)).To(MatchError("value 1 of the row is string and does not fit *int"))
		Expect(read.Scan(&s)).To(MatchError("a row of 6 values is read into 1"))
	})

	It("returns the error of a query in place of a row", func() {
		Expect(opened("").View(ctx, func(tx *database.Tx) error {
			for _, err := range tx.Rows("SELECT 1 nothing nothing") {
				return err
			}
			return nil
		})).To(MatchError(ContainSubstring("database in memory: SQL logic error: near \"nothing\"")))
	})
})

var _ = Describe("Opening a database file", func() {
	var path string
	BeforeEach(func() { path = filepath.Join(GinkgoT().TempDir(), "a.db") })

	refused := func(s database.Schema) string {
		GinkgoHelper()
		before, _ := os.ReadFile(path) // fails for a directory
		_, err := database.Open(path, s)
		Expect(err).To(MatchError(HavePrefix("database " + path + ": ")))
		Expect(err.Error()).NotTo(ContainSubstring("\n"))
		after, _ := os.ReadFile(path)
		Expect(after).To(Equal(before), "a file that is refused is left alone")
		return strings.TrimPrefix(err.Error(), "database "+path+": ")
	}
	closed := func(s database.Schema) {
		GinkgoHelper()
		db, err := database.Open(path, s)
		Expect(err).NotTo(HaveOccurred())
		Expect(db.Close()).To(Succeed())
	}

	It("fails if the file is not a database or the path is invalid", func() {
		Expect(os.WriteFile(path, []byte(strings.Repeat("these are notes\n", 100)), 0o600)).To(Succeed())
		Expect(refused(schema)).To(HavePrefix("is damaged or no database: file is not a database"))
		path = GinkgoT().TempDir()
		Expect(refused(schema)).To(Equal("is not a regular file"))
		path = filepath.Join(path, "none", "a.db")
		Expect(refused(schema)).To(Equal("no such file or directory"))
		path = filepath.Join(GinkgoT().TempDir(), strings.Repeat("x", 300))
		Expect(refused(schema)).To(Equal("file name too long"))
	})

	It("fails if the file belongs to another program or has a newer version", func() {
		closed(schema)
		other := schema
		other.ID++
		Expect(refused(other)).To(Equal("belongs to another program"))
		older := schema
		older.Migrations = nil
		Expect(refused(older)).To(Equal("has version 1, and the newest that is known here is 0"))
	})

	It("fails without a change to the file if its version is negative", func() {
		db, err := database.Open(path, schema)
		Expect(err).NotTo(HaveOccurred())
		Expect(db.Update(context.Background(),
			func(tx *database.Tx) error { return tx.Exec("PRAGMA user_version = -1") })).
			To(Succeed())
		Expect(db.Close()).To(Succeed())
		Expect(refused(schema)).To(Equal("has version -1, and the newest that is known here is 1"))
	})

	It("upgrades a file of an older version", func() {
		closed(schema)
		newer := schema
		newer.Migrations = append(newer.Migrations[:1:1], "INSERT INTO notes (text) VALUES ('step 2')",
			"INSERT INTO notes (text) VALUES ('step 3')")
		for range 2 {
			closed(newer)
		}
		db, err := database.Open(path, newer)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(db.Close)
		Expect(notes(db)).To(Equal([]string{"step 2", "step 3"}))
	})

	It("works in several processes or goroutines at once, and the first creates the file", func() {
		done := make(chan error)
		for range 8 {
			go func() {
				db, err := database.Open(path, schema)
				if err == nil {
					err = errors.Join(db.Update(context.Background(), note("here", nil)), db.Close())
				}
				done <- err
			}()
		}
		for range 8 {
			Expect(<-done).To(Succeed())
		}
		Expect(notes(opened(path))).To(HaveLen(8))
	})

	It("runs a migration completely or not at all", func() {
		broken := schema
		broken.Migrations = append(broken.Migrations[:1:1], "CREATE TABLE more (n); INSERT INTO nowhere VALUES (1)")
		_, err := database.Open(path, broken)
		Expect(err).To(MatchError(ContainSubstring("no such table: nowhere")))
		Expect(notes(opened(path))).To(BeEmpty())
	})

	DescribeTable("fails if the file is damaged", func(damage func([]byte) []byte) {
		db := opened(path)
		fill(GinkgoTB(), db, 300)
		Expect(db.Close()).To(Succeed())
		b, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(path, damage(b), 0o600)).To(Succeed())
		Expect(refused(schema)).To(HavePrefix("is damaged"))
	},
		Entry("because it is truncated", func(b []byte) []byte { return b[:len(b)/2] }),
		Entry("because it is overwritten in the middle", func(b []byte) []byte {
			copy(b[5*4096:], strings.Repeat("x", 4096))
			return b
		}),
		Entry("because it is overwritten at its beginning",
			func(b []byte) []byte { copy(b[100:], strings.Repeat("x", 1000)); return b }),
	)
})
