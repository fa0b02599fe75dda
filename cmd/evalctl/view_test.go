package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("evalctl view", Label("concurrent"), func() {
	// viewing runs evalctl view until stop is called. ended receives its exit code.
	viewing := func(stderr io.Writer, args ...string) (url string, stop func(), ended chan int) {
		GinkgoHelper()
		ctx, cancel := context.WithCancel(context.Background())
		DeferCleanup(cancel)
		out, in := io.Pipe()
		ended = make(chan int, 1)
		go func() {
			ended <- run(ctx, append([]string{"view"}, args...), nil, in, stderr)
			_ = in.Close()
		}()
		url, err := bufio.NewReader(out).ReadString('\n')
		Expect(err).NotTo(HaveOccurred())
		return strings.TrimSpace(url), cancel, ended
	}

	It("shows a finished run, and ends at once on Ctrl-C even if a page follows a run in progress", func() {
		dir := GinkgoT().TempDir()
		set := fileOf("three.jsonl", threeCases)
		p := evalctl("run", "toolrouter", "--dataset", set, "--router", "rules", "--out",
			filepath.Join(dir, "old"), "-q")
		Expect(p.code).To(Equal(exit.Passed), p.stderr)
		m := manifestIn(filepath.Join(dir, "old"))
		m.Status = journal.StatusRunning
		log, err := journal.CreateRun(filepath.Join(dir, "now"), m, func() error { return nil })
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(log.Close)

		stderr := gbytes.NewBuffer()
		url, stop, ended := viewing(stderr, dir)
		Expect(url).To(HavePrefix("http://127.0.0.1:"))
		for path, want := range map[string]string{"/": ">old</a>", "/run/old": "3 cases",
			"/run/now": "the run is in progress"} {
			resp, err := http.Get(url + path)
			Expect(err).NotTo(HaveOccurred())
			text, err := io.ReadAll(resp.Body)
			Expect(err).NotTo(HaveOccurred())
			Expect(resp.Body.Close()).To(Succeed())
			Expect(string(text)).To(ContainSubstring(want), path)
		}
		resp, err := http.Get(url + "/run/now/events")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(resp.Body.Close)
		events := bufio.NewReader(resp.Body)
		Expect(events.ReadString('\n')).To(Equal("event: progress\n"))
		stop()
		Eventually(ended).WithTimeout(5 * time.Second).Should(Receive(Equal(exit.Passed)))
		_, err = io.ReadAll(events)
		Expect(err).To(Or(Not(HaveOccurred()), MatchError(io.ErrUnexpectedEOF)))
		Expect(stderr.Contents()).To(BeEmpty())
	})

	It("warns if other machines can reach it, and explains its arguments in the help", func() {
		stderr := gbytes.NewBuffer()
		url, stop, ended := viewing(stderr, GinkgoT().TempDir(), "--addr", "0.0.0.0:0")
		Expect(url).To(MatchRegexp(`^http://(127\.0\.0\.1|localhost):\d+$`), "an address to go to")
		resp, err := http.Get(url)
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		Expect(resp.StatusCode).To(Equal(http.StatusOK))
		Eventually(stderr).Should(gbytes.Say("anyone who can reach 0.0.0.0:0 can read these runs"))
		stop()
		Eventually(ended).Should(Receive(Equal(exit.Passed)))
		for _, args := range [][]string{{"view", "nowhere"}, {"view", GinkgoT().TempDir(), "--addr", "nonsense"}} {
			p := evalctl(args...)
			Expect(p.code).To(Equal(exit.InvalidUsage), p.stderr)
			Expect(strings.Count(p.stderr, "\n")).To(Equal(1), p.stderr)
		}
	})

	It("serves the runs in ./runs if no directory is given", func() {
		GinkgoT().Chdir(GinkgoT().TempDir())
		p := evalctl("view")
		Expect(p.code).To(Equal(exit.InvalidUsage))
		Expect(p.stderr).To(ContainSubstring("view: runs: no such directory"))
		Expect(os.Mkdir("runs", 0o755)).To(Succeed())
		_, stop, ended := viewing(GinkgoWriter, "--addr", "127.0.0.1:0")
		stop()
		Eventually(ended).Should(Receive(Equal(exit.Passed)))
	})

	It("opens the list in the browser with --open, and continues if there is no browser", func() {
		bin := GinkgoT().TempDir()
		opened := filepath.Join(bin, "opened")
		Expect(os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" > '"+opened+"'\n"), 0o700)).
			To(Succeed())
		GinkgoT().Setenv("PATH", bin+":"+os.Getenv("PATH"))
		url, stop, ended := viewing(GinkgoWriter, GinkgoT().TempDir(), "--open")
		Eventually(func() string { text, _ := os.ReadFile(opened); return string(text) }).Should(Equal(url + "\n"))
		stop()
		Eventually(ended).Should(Receive(Equal(exit.Passed)))

		GinkgoT().Setenv("PATH", "")
		stderr := gbytes.NewBuffer()
		_, stop, ended = viewing(stderr, GinkgoT().TempDir(), "--open")
		Eventually(stderr).Should(gbytes.Say("--open: "))
		stop()
		Eventually(ended).Should(Receive(Equal(exit.Passed)))
	})
})
