package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("Ctrl-C", func() {
	It("ends a run in real time within a second and prints a partial report; the run can be resumed",
		Label("concurrent"), func() {
			var stuck atomic.Bool
			base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if stuck.Load() {
					_, _ = io.Copy(io.Discard, r.Body) // a server notices a disconnect only after reading the body
					<-r.Context().Done()
					return
				}
				next.ServeHTTP(w, r)
			})
			dir := newRunDir()
			stuck.Store(true)
			p := start("run", "--target", "toolrouter", "--router", "rules,llm", "--base-url", base, "--model",
				"m", "--limit", "5",
				"--gate", "route.accuracy > 0", "--out", dir)
			Eventually(func() string { return readIfExists(dir, journal.ResultsFile) }).WithTimeout(5 * time.Second).
				ShouldNot(BeEmpty())
			code, duration := p.interrupt()
			Expect(code).To(Equal(exit.Interrupted), p.stderr.String())
			Expect(duration).To(BeNumerically("<", time.Second))
			Expect(p.stdout.String()).To(ContainSubstring("PARTIAL"))
			Expect(p.stderr.String()).
				To(HaveSuffix("evalctl: interrupted: continue with evalctl run --resume " + dir + "\n"))
			Expect(summaryOf(dir).Partial).To(BeTrue())
			Expect(summaryOf(dir).Gates[0].Passed).To(BeFalse(), "a cell without a trial breaks a gate")
			Expect(manifestIn(dir).Status).To(Equal(journal.StatusInterrupted))

			stuck.Store(false)
			got := evalctl("run", "--resume", dir)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).NotTo(ContainSubstring("PARTIAL"))
			Expect(summaryOf(dir).Partial).To(BeFalse())
			Expect(manifestIn(dir).Status).To(Equal(journal.StatusDone))
			for _, c := range summaryOf(dir).Suites[0].Conditions {
				Expect(c.Trials).To(BeEquivalentTo(5))
			}
		})

	It("ends a simulated run; once resumed it has the same summary as an uninterrupted run",
		Label("concurrent"), func() {
			whole, dir := newRunDir(), newRunDir()
			Expect(evalctl("run", "toolrouter", "--limit", "30", "--out", whole).code).To(Equal(exit.Passed))
			ctx, interrupt := context.WithCancel(context.Background())
			go func() {
				for len(readIfExists(dir, journal.ResultsFile)) < 3000 {
					time.Sleep(time.Millisecond)
				}
				interrupt()
			}()
			Expect(runInContext(ctx, "run", "toolrouter", "--limit", "30", "--out", dir).code).
				To(Equal(exit.Interrupted))
			Expect(evalctl("run", "--resume", dir).code).To(Equal(exit.Passed))
			Expect(read(dir, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
		})

	It("ends the validation of a large dataset within a second, before a run directory exists", Label("long"), func() {
		var b strings.Builder
		for i := range 300_000 {
			fmt.Fprintf(&b, "{\"id\":\"c%d\",\"text\":\"画一只猫 %d\",\"label\":\"image_gen\"}\n", i, i)
		}
		path, dir := fileOf("big.jsonl", b.String()), newRunDir()
		for _, args := range [][]string{
			{"run", "--target", "toolrouter", "--dataset", path, "--out", dir},
			{"dataset", "check", path},
			{"dataset", "show", path},
			{"mock", "serve", "--dataset", path},
		} {
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			began := time.Now()
			got := runInContext(ctx, args...)
			cancel()
			Expect(got).To(Equal(cliResult{exit.Interrupted, "", "evalctl: interrupted\n"}), strings.Join(args, " "))
			Expect(time.Since(began)).To(BeNumerically("<", time.Second))
		}
		Expect(dir).NotTo(BeADirectory())
	})
})

func readIfExists(elems ...string) string {
	b, err := os.ReadFile(filepath.Join(elems...))
	if err != nil {
		return ""
	}
	return string(b)
}
