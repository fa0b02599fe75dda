package database_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/database"
)

var _ = Describe("A snapshot of a database", func() {
	ctx := context.Background()
	image := func(db *database.DB) *database.Snapshot {
		GinkgoHelper()
		i, err := db.Snapshot()
		Expect(err).NotTo(HaveOccurred())
		return i
	}

	It("creates an independent copy for each trial", func() {
		for _, path := range []string{"", filepath.Join(GinkgoT().TempDir(), "a.db")} {
			db := opened(path)
			Expect(db.Update(ctx, note("shared", nil))).To(Succeed())
			i := image(db)
			Expect(db.Update(ctx, note("later", nil))).To(Succeed())
			one, other := i.Open(), i.Open()
			Expect(one.Update(ctx, note("one's", nil))).To(Succeed())
			Expect(notes(one)).To(Equal([]string{"shared", "one's"}))
			Expect(notes(other)).To(Equal([]string{"shared"}))
			Expect(notes(image(one).Open())).To(Equal([]string{"shared", "one's"}))
			Expect(one.Close()).To(Succeed())
			Expect(one.Update(ctx, note("lost", nil))).To(MatchError("database in memory: is closed"))
			Expect(other.Update(ctx, note("rolled back", context.Canceled))).NotTo(Succeed())
			Expect(notes(other)).To(Equal([]string{"shared"}))
		}
	})

	It("creates a copy without the changes of an earlier one whose connection it reuses", func() {
		db := opened("")
		Expect(db.Update(ctx, note("shared", nil))).To(Succeed())
		i := image(db)
		for range 3 {
			one, other := i.Open(), i.Open()
			Expect(one.Update(ctx, note("one's", nil))).To(Succeed())
			Expect(one.Update(ctx, note("undone", context.Canceled))).NotTo(Succeed())
			Expect(notes(other)).To(Equal([]string{"shared"}))
			Expect(one.Close()).To(Succeed())
			Expect(other.Close()).To(Succeed())
		}
	})

	It("creates copies in which a query can run while the same query is in progress", func() {
		c := image(opened("")).Open()
		Expect(c.Update(ctx, func(tx *database.Tx) error {
			const all = "SELECT text FROM notes ORDER BY id"
			for _, text := range []string{"a", "b"} {
				if err := tx.Exec("INSERT INTO notes (text) VALUES (?)", text); err != nil {
					return err
				}
			}
			var pairs []string
			for one, err := range tx.Rows(all) {
				if err != nil {
					return err
				}
				for other, err := range tx.Rows(all) {
					if err != nil {
						return err
					}
					pairs = append(pairs, fmt.Sprint(one[0], other[0]))
				}
			}
			Expect(pairs).To(Equal([]string{"aa", "ab", "ba", "bb"}))
			return nil
		})).To(Succeed())
	})

	It("leaks no goroutine and no memory, whether or not its copies are closed", func() {
		db := opened("")
		fill(GinkgoTB(), db, 20)
		i := image(db)
		before := runtime.NumGoroutine()
		for n := range 1000 {
			c := i.Open()
			cancellable, cancel := context.WithCancel(ctx)
			Expect(c.View(cancellable, note("more", nil))).To(Succeed())
			Expect(runtime.NumGoroutine()).To(BeNumerically("<=", before+1),
				"the runtime's own closes what is forgotten")
			cancel()
			if n%2 == 0 {
				Expect(c.Close()).To(Succeed())
			}
		}
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before))
	})

	It("can be used by eight concurrent trials in their own simulated time", func() {
		db := opened("")
		Expect(db.Update(ctx, note("shared", nil))).To(Succeed())
		i := image(db)
		done := make(chan []string)
		for range 8 {
			go func() {
				defer GinkgoRecover()
				var found []string
				defer func() { done <- found }()
				Expect(clock.RunSimulated(ctx, time.Unix(0, 0), func(ctx context.Context) error {
					c := i.Open()
					g, _ := clock.NewGroup(ctx, 0)
					for range 4 {
						g.Go("writer", func(ctx context.Context) error {
							if err := clock.Sleep(ctx, time.Hour); err != nil {
								return err
							}
							return c.Update(ctx, note("own", nil))
						})
					}
					if err := g.Wait(); err != nil {
						return err
					}
					found = notes(c)
					return c.Close()
				})).To(Succeed())
			}()
		}
		for range 8 {
			Expect(<-done).To(Equal([]string{"shared", "own", "own", "own", "own"}))
		}
	})
})
