package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("a worker that is suspended until the assignment of its trials has expired",
	Label("concurrent", "long"), func() {
		It("drops the trials that were in progress, so that no result includes the time of the suspension", func() {
			asked := make(chan struct{})
			var once sync.Once
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				once.Do(func() { close(asked) })
				time.Sleep(100 * time.Millisecond) // model latency
				fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)
			}))
			defer server.Close()
			dir := GinkgoT().TempDir()
			broker, url := beginBroker(dir)
			defer broker.interrupt()
			worker := start("worker", url, "--once", "-j", "4", "--trust")
			run := start("run", "--target", "prompt", "--limit", "40", "--model", "m", "--base-url", server.URL+"/v1",
				"--broker", url, "--worker-timeout", "1s", "--out", filepath.Join(dir, "run"))
			Eventually(asked, "20s").Should(BeClosed())
			Expect(worker.Process.Signal(syscall.SIGSTOP)).To(Succeed())
			time.Sleep(1500 * time.Millisecond)
			Expect(worker.Process.Signal(syscall.SIGCONT)).To(Succeed())
			Expect(run.code()).NotTo(Equal(exit.InvalidUsage), run.stderr.String())
			_ = worker.code()
			Expect(worker.stderr.String()).To(ContainSubstring("made no progress for more than 1s"))
			rows := 0
			for row, err := range journal.ReadRunResults(filepath.Join(dir, "run")) {
				Expect(err).NotTo(HaveOccurred())
				rows++
				Expect(row.Duration).To(BeNumerically("<", 1400*time.Millisecond))
			}
			Expect(rows).To(Equal(40))
		})
	})
