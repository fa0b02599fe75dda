package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = It("chat redacts a key that an external agent streams letter by letter, and shows all other text unchanged",
	func() {
		GinkgoT().Setenv(keyEnv, echoedKey)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, c := range "you sent " + r.Header.Get("X-Key") + ", yes" {
				_, _ = fmt.Fprintf(w, "data: {\"text\":%q}\n\ndata: {\"event\":{\"kind\":\"thought_log\",\"node\":\"n\",\"text\":%q}}\n\n", string(c), string(c))
			}
			_, _ = fmt.Fprint(w, "event: done\ndata: {\"label\":\"refund\"}\n\n")
		}))
		DeferCleanup(s.Close)
		dir := newRunDir()
		got := evalctl("run", "--dataset", fileOf("cases.jsonl", customCases), "--limit", "3", "--out", dir, "--target",
			"http", "--url", s.URL, "--header", "X-Key=$"+keyEnv)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		traces, err := journal.CaseTraces(dir, "1")
		Expect(err).NotTo(HaveOccurred())
		Expect(traces).To(HaveLen(1))
		said, pieces := map[trace.Kind]string{}, map[trace.Kind]int{}
		for _, e := range traces[0].Outcome.Turns[0].Events {
			said[e.Kind] += e.Text
			pieces[e.Kind]++
		}
		for _, kind := range []trace.Kind{trace.KindChunk, trace.KindThoughtLog} {
			Expect(said[kind]).To(Equal("you sent [redacted], yes"))
			Expect(pieces[kind]).To(BeNumerically("~", len("you sent "+echoedKey+", yes"), 1))
		}
		Expect(strings.ReplaceAll(leftBy(dir), "\n", "")).NotTo(leaksSecret)
	})
