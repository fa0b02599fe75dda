package view_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/view"
	"evalctl/eval/journal"
)

// triggers controls when the server polls a run for each client. A client identifies itself by
// ?who= in its URL.
type triggers map[string]chan struct{}

func (t triggers) next(ctx context.Context) error {
	select {
	case <-t[ctx.Value(clientKey{}).(string)]:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// poll makes the server poll once for each of the named clients.
func (t triggers) poll(all ...string) {
	for _, one := range all {
		t[one] <- struct{}{}
	}
}

// event is a server-sent event that a client has received.
type event struct{ name, data string }

// follower is a client that receives the progress of a run.
type follower struct {
	lines *bufio.Scanner
	close func()
}

func follow(server *httptest.Server, path string) follower {
	GinkgoHelper()
	ctx, cancel := context.WithCancel(context.Background())
	DeferCleanup(cancel)
	r := must(http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil))
	resp, err := server.Client().Do(r)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(resp.Body.Close)
	Expect(resp.StatusCode).To(Equal(http.StatusOK))
	Expect(resp.Header.Get("Content-Type")).To(Equal("text/event-stream; charset=utf-8"))
	return follower{lines: bufio.NewScanner(resp.Body), close: cancel}
}

// next returns the next event. more is false at the end of the stream.
func (f follower) next() (e event, more bool) {
	for f.lines.Scan() {
		line := f.lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			e.name = name
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			e.data = data
		}
		if line == "" && e.name != "" {
			return e, true
		}
	}
	return e, false
}

type progress struct {
	Done, Planned, Errors int64
	Conditions            []struct {
		Suite, Variant, Fault string
		Correct, Scored       int64
	}
}

func (f follower) progress() (p progress) {
	GinkgoHelper()
	e, more := f.next()
	Expect(more).To(BeTrue())
	Expect(e.name).To(Equal("progress"), e.data)
	Expect(json.Unmarshal([]byte(e.data), &p)).To(Succeed())
	return p
}

// end returns the reason in the last event and checks that the stream ends after it.
func (f follower) end() string {
	GinkgoHelper()
	e, more := f.next()
	Expect(more).To(BeTrue())
	Expect(e.name).To(Equal("end"), e.data)
	_, more = f.next()
	Expect(more).To(BeFalse())
	var why struct{ Why string }
	Expect(json.Unmarshal([]byte(e.data), &why)).To(Succeed())
	return why.Why
}

var _ = Describe("The page of an unfinished run", func() {
	var p *liveRun
	var again triggers
	var server *httptest.Server
	BeforeEach(func() {
		dir := GinkgoT().TempDir()
		p, again = startRun(filepath.Join(dir, "now")),
			triggers{"": make(chan struct{}), "a": make(chan struct{}), "b": make(chan struct{})}
		server = startServer(view.Config{Dirs: []string{dir}, WaitForPoll: again.next, MaxProgressClients: 2})
		DeferCleanup(func() { _ = p.log.Close() }) // fails if a test has closed the log already
	})

	It("shows the results so far and the status of the run, and receives updates", func() {
		_, text := get(server, "/run/now")
		Expect(text).To(And(ContainSubstring("the run"),
			ContainSubstring(`data-events="/run/now/events" data-trials="0"`), ContainSubstring("EventSource")))
		p.add(0, 4)
		_, text = get(server, "/run/now")
		Expect(text).To(And(ContainSubstring(`data-trials="8"`), ContainSubstring("8 of 20 trials")))
		Expect(status(server, "/run/now/case?suite=mine&case=case-3")).To(Equal(http.StatusOK))
		p.add(4, 6)
		p.end()
		_, text = get(server, "/run/now")
		Expect(text).NotTo(Or(ContainSubstring("under way"), ContainSubstring("EventSource"),
			ContainSubstring("Partial:")))
	})

	It("receives new results until the run ends, in every client", func() {
		p.add(0, 1)
		a, b := follow(server, "/run/now/events?who=a"), follow(server, "/run/now/events?who=b")
		for _, f := range []follower{a, b} {
			first := f.progress()
			Expect([]int64{first.Done, first.Planned}).To(Equal([]int64{2, 20}))
		}
		p.add(1, 5)
		line := p.line(`{"key":"llm-9","suite":"mine","case":"case-9","variant":"llm","fault":"none","epoch":1,"error":{"kind":"harness","message":"gone"}`)
		appendPartial(p.dir, line[:30])
		again.poll("a", "b")
		for _, f := range []follower{a, b} {
			now := f.progress()
			Expect(now.Done).To(BeEquivalentTo(12))
			Expect(now.Conditions).To(HaveLen(2))
			Expect([]any{now.Conditions[1].Suite, now.Conditions[1].Variant, now.Conditions[1].Fault,
				now.Conditions[1].Correct,
				now.Conditions[1].Scored}).To(Equal([]any{"mine", "llm", "none", int64(4), int64(6)}))
		}
		appendPartial(p.dir, line[30:])
		again.poll("a", "b")
		for _, f := range []follower{a, b} {
			now := f.progress()
			Expect([]int64{now.Done, now.Errors}).To(Equal([]int64{13, 1}), "the line is whole now")
		}
		p.add(6, 4)
		p.end()
		again.poll("a", "b")
		for _, f := range []follower{a, b} {
			now := f.progress()
			Expect([]int64{now.Done, now.Errors}).To(Equal([]int64{20, 0}), "what was played again counts once")
			Expect(f.end()).To(Equal("it is done"))
		}
		Expect(status(server, "/run/now/events")).To(Equal(http.StatusNoContent), "a browser does not come again")
	})

	It("can be open in a limited number of clients; when one disconnects, another can connect", func() {
		a := follow(server, "/run/now/events")
		follow(server, "/run/now/events")
		resp, text := get(server, "/run/now/events")
		Expect(resp.StatusCode).To(Equal(http.StatusServiceUnavailable), text)
		Expect(resp.Header.Get("Retry-After")).NotTo(BeEmpty())
		Expect(status(server, "/run/now")).To(Equal(http.StatusOK), "its page is shown all the same")
		a.close()
		var c *http.Response
		Eventually(func() int {
			r := must(http.NewRequest(http.MethodGet, server.URL+"/run/now/events", nil))
			var err error
			c, err = server.Client().Do(r)
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(c.Body.Close)
			return c.StatusCode
		}).Should(Equal(http.StatusOK))
		server.CloseClientConnections()
		_, err := io.ReadAll(c.Body)
		Expect(err).To(HaveOccurred())
	})

	It("receives no more updates after the run directory is removed", func() {
		f := follow(server, "/run/now/events")
		f.progress()
		Expect(os.RemoveAll(p.dir)).To(Succeed())
		again.poll("")
		Expect(f.end()).To(Equal("its folder is gone"))
		Expect(status(server, "/run/now")).To(Equal(http.StatusNotFound))
	})

	DescribeTable("receives the reason and no more updates if a file of the run becomes invalid",
		func(file, text, why string) {
			f := follow(server, "/run/now/events")
			f.progress()
			write(filepath.Join(p.dir, file), text)
			again.poll("")
			Expect(f.end()).To(ContainSubstring(why))
		},
		Entry("an invalid manifest", journal.ManifestFile, "{", journal.ManifestFile),
		Entry("invalid results", journal.ResultsFile, "no JSON\n", "its results cannot be read"),
	)

	It("receives no more updates if a line of the results file does not end", func() {
		p.add(0, 2)
		f := follow(server, "/run/now/events")
		Expect(f.progress().Done).To(BeEquivalentTo(4))
		results := filepath.Join(p.dir, journal.ResultsFile)
		info, err := os.Stat(results)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.Truncate(results, info.Size()+64<<20+1)).To(Succeed())
		again.poll("")
		Expect(f.end()).To(Equal("a line of its results is too long"))
	})

	It("receives no more updates after the results file was truncated", func() {
		p.add(0, 2)
		f := follow(server, "/run/now/events")
		f.progress()
		Expect(os.Truncate(filepath.Join(p.dir, journal.ResultsFile), 1)).To(Succeed())
		again.poll("")
		Expect(f.end()).To(Equal("its results were cut"))
	})
})

// line completes a result line with the run ID and the checksum.
func (p *liveRun) line(object string) string {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(p.dir, journal.ResultsFile))
	Expect(err).NotTo(HaveOccurred())
	object += regexp.MustCompile(`,"run":"[0-9a-f]{8}"`).FindString(string(text))
	return fmt.Sprintf(`%s,"crc":"%08x"}`+"\n", object,
		crc32.Checksum([]byte(object), crc32.MakeTable(crc32.Castagnoli)))
}

// appendPartial appends an incomplete line to the results file.
func appendPartial(dir, text string) {
	GinkgoHelper()
	f, err := os.OpenFile(filepath.Join(dir, journal.ResultsFile), os.O_APPEND|os.O_WRONLY, 0)
	Expect(err).NotTo(HaveOccurred())
	_, err = f.WriteString(text)
	Expect(err).NotTo(HaveOccurred())
	Expect(f.Close()).To(Succeed())
}
