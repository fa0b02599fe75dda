package diary_test

import (
	"bufio"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/companion/diary"
)

// writerFile is the environment variable with the file that the child process writes.
const writerFile = "DIARY_TEST_WRITER"

// perBatch is the number of messages in each batch of the child process.
const perBatch = 20

// write stores batches and days until the process is killed, and prints the id of each stored
// batch.
func write(path string) {
	d, err := diary.Open(path)
	for n := 0; err == nil; n++ {
		b := diary.Batch{ID: fmt.Sprintf("%d-%d", os.Getpid(), n), Agent: "lin", Conversation: "c"}
		for i := range perBatch {
			b.Messages = append(b.Messages,
				diary.Message{Role: "user", Content: fmt.Sprint("第", i, "条"), At: time.Unix(int64(n)*86400, 0)})
		}
		err = d.SaveBatches(ctx, b)
		if err == nil {
			err = d.Upsert(ctx, diary.DailySummary{Agent: "lin",
				Date: time.Unix(int64(n%3000)*86400, 0).UTC().Format(time.DateOnly), Summary: fmt.Sprint("火锅 ", b.ID)})
		}
		if err == nil {
			fmt.Println(b.ID)
		}
	}
	fmt.Println(err)
	os.Exit(1)
}

var _ = Describe("A diary whose process is killed during a write", func() {
	It("C8: is undamaged, contains every stored batch and no partial one", func() {
		path := filepath.Join(GinkgoT().TempDir(), "diary.db")
		var stored []string
		for range 5 {
			writer := exec.Command(os.Args[0], "-test.run=^TestDiary$")
			writer.Env = append(os.Environ(), writerFile+"="+path)
			said, err := writer.StdoutPipe()
			Expect(err).NotTo(HaveOccurred())
			Expect(writer.Start()).To(Succeed())
			lines, upTo := bufio.NewScanner(said), 1+rand.IntN(20)
			for n := 0; n < upTo && lines.Scan(); n++ {
				stored = append(stored, lines.Text())
			}
			// so that it is killed during the next write
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			Expect(writer.Process.Kill()).To(Succeed())
			for lines.Scan() {
				stored = append(stored, lines.Text())
			}
			Expect(writer.Wait()).To(MatchError("signal: killed"))
		}
		Expect(len(stored)).To(BeNumerically(">=", 5))

		raw, err := sql.Open("sqlite", path)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(raw.Close)
		var integrity string
		Expect(raw.QueryRow("PRAGMA integrity_check").Scan(&integrity)).To(Succeed())
		Expect(integrity).To(Equal("ok"))
		rows, err := raw.Query("SELECT batch, count(*) FROM messages GROUP BY batch")
		Expect(err).NotTo(HaveOccurred())
		defer rows.Close()
		kept := map[string]int{}
		for rows.Next() {
			var id string
			var n int
			Expect(rows.Scan(&id, &n)).To(Succeed())
			Expect(n).To(Equal(perBatch), id)
			kept[id] = n
		}
		Expect(rows.Err()).NotTo(HaveOccurred())
		for _, id := range stored {
			Expect(kept).To(HaveKey(id))
		}

		all, err := opened(path).
			Search(ctx, diary.Query{Agent: "lin", RequireKeyword: true, Keywords: []string{"火锅"},
				Today: "2026-11-20", Limit: 100})
		Expect(err).NotTo(HaveOccurred())
		Expect(all).NotTo(BeEmpty(), "the index holds what the rows hold")
	})
})
