package view_test

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/view"
	"evalctl/eval/journal"
	"evalctl/reports/page"
)

var _ = Describe("The server of evalctl view", func() {
	It("lists runs, newest first, and updates the list when runs start or are removed", func() {
		dir := finishedRuns()
		server := startServer(view.Config{Dirs: []string{dir}})
		_, text := get(server, "/")
		Expect(text).To(And(ContainSubstring(`<a href="/run/old">old</a>`), ContainSubstring("2026-01-02 03:04"),
			MatchRegexp(`>mine</td>.*>8 of 10</td>.*<td class="t">rules</td>`)))
		p := startRun(filepath.Join(dir, "next one"))
		_, text = get(server, "/")
		Expect(text).To(And(ContainSubstring(`<a href="/run/next%20one">next one</a>`), ContainSubstring(">running<")))
		Expect(p.log.Close()).To(Succeed())
		Expect(os.RemoveAll(p.dir)).To(Succeed())
		_, text = get(server, "/")
		Expect(text).NotTo(ContainSubstring("next one"))
		Expect(status(server, "/run/next%20one")).To(Equal(http.StatusNotFound))
	})

	It("does not list runs for a client that has disconnected", func() {
		s, err := view.New(view.Config{Dirs: []string{finishedRuns()}})
		Expect(err).NotTo(HaveOccurred())
		ctx, disconnect := context.WithCancel(context.Background())
		disconnect()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/", nil))
		Expect(w.Body.Len()).To(Equal(0))
	})

	It("preselects the two newest runs of the same suite for a comparison", func() {
		dir := finishedRuns()
		server := startServer(view.Config{Dirs: []string{dir}})
		_, text := get(server, "/")
		Expect(text).To(And(ContainSubstring(`value="old" required`), Not(ContainSubstring(" checked"))))
		p := startRun(filepath.Join(dir, "new"))
		p.add(0, 10)
		p.end()
		_, text = get(server, "/")
		Expect(strings.Count(text, " checked")).To(Equal(2))
		Expect(text).To(MatchRegexp(`name="([ab])" value="new" required checked`))
		Expect(text).To(MatchRegexp(`name="([ab])" value="old" required checked`))
	})

	It("32.5: lists the runs that contain all words of a search, without a script", func() {
		dir := finishedRuns()
		p := startRun(filepath.Join(dir, "nightly <2>"))
		DeferCleanup(p.log.Close)
		server := startServer(view.Config{Dirs: []string{dir}})
		names := func(query string) (list []string) {
			_, text := get(server, "/?q="+url.QueryEscape(query))
			Expect(text).To(ContainSubstring(`name="q" value="` + html.EscapeString(query) + `"`))
			for _, m := range regexp.MustCompile(`<a href="/run/[^"]*">([^<]*)</a>`).FindAllStringSubmatch(text, -1) {
				list = append(list, html.UnescapeString(m[1]))
			}
			return list
		}
		Expect(names("RULES mine")).To(ConsistOf("old", "nightly <2>"))
		Expect(names("done")).To(ConsistOf("old"), "the status")
		Expect(names("mine <2>")).To(ConsistOf("nightly <2>"), "all words")
		Expect(names(`"><script>`)).To(BeEmpty())
	})

	It("32.5: shows the accuracy of all runs on one axis, and compares two runs that the reader selects", func() {
		dir := finishedRuns()
		p := startRun(filepath.Join(dir, "new"))
		p.add(0, 10)
		p.end()
		server := startServer(view.Config{Dirs: []string{dir}})
		_, text := get(server, "/")
		Expect(text).To(ContainSubstring(`<form id="compare" action="/compare" method="get">`))
		Expect(strings.Count(text, `<input type="radio" form="compare" name="a"`)).To(Equal(2))
		Expect(strings.Count(text, `<circle class="dot"`)).To(Equal(2))
		Expect(strings.Count(text, `<svg class="p ax"`)).To(Equal(1), "one axis")
		Expect(text).To(ContainSubstring("script-src &#39;none&#39;"))
	})

	It("shows the report of a run, and sends the traces of a case on demand", func() {
		server := startServer(view.Config{Dirs: []string{finishedRuns()}})
		resp, text := get(server, "/run/old")
		Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		Expect(text).To(And(ContainSubstring("20 trials"), ContainSubstring(`<a href="/">All runs</a>`),
			ContainSubstring("sends requests only to its own server"), Not(ContainSubstring("EventSource"))))
		resp, text = get(server, "/run/old/case?suite=mine&case=case-5")
		Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		Expect(resp.Header.Get("Content-Type")).To(Equal("application/json"))
		var c page.Case
		Expect(json.Unmarshal([]byte(text), &c)).To(Succeed())
		Expect(c.Inputs).To(HaveLen(1))
		Expect(c.Inputs[0].Text).To(Equal("what of it?"))
		Expect(c.Trials).To(HaveLen(2))
		Expect([]any{c.Trials[1].Condition, c.Trials[1].Turns[0].Reply}).To(Equal([]any{1, "llm answers 5"}))
		Expect(status(server, "/run/old/case?suite=mine&case=case-99")).To(Equal(http.StatusNotFound))
		Expect(status(server, "/run/old/case?suite=other&case=case-5")).To(Equal(http.StatusNotFound))
	})

	It("compares two runs, and reports an error if the name of a run is missing or invalid", func() {
		dir := finishedRuns()
		p := startRun(filepath.Join(dir, "new"))
		p.add(0, 10)
		p.end()
		server := startServer(view.Config{Dirs: []string{dir}})
		resp, text := get(server, "/compare?a=old&b=new")
		Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		Expect(text).To(MatchRegexp(`<main[^>]*>\s*<section id="compare" data-view="compare"><h1>old → new</h1>`),
			"the comparison is the first view")
		for path, code := range map[string]int{"/compare": 400, "/compare?a=old&b=old": 400, "/compare?a=old&b=%25": 404,
			"/compare?a=old&b=nope": 404, "/compare?a=nope&b=old": 404} {
			Expect(status(server, path)).To(Equal(code), path)
		}
	})

	DescribeTable("compares runs that the reader selects in the list, whatever characters their names have",
		func(name string) {
			dir := finishedRuns()
			if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
				Skip("the file system does not support the name: " + err.Error())
			}
			p := startRun(filepath.Join(dir, name))
			p.add(0, 10)
			p.end()
			server := startServer(view.Config{Dirs: []string{dir}})
			_, text := get(server, "/")
			selected := url.Values{}
			buttons := regexp.MustCompile(`name="([ab])" value="([^"]*)" required checked`)
			for _, m := range buttons.FindAllStringSubmatch(text, -1) {
				selected.Set(m[1], html.UnescapeString(m[2]))
			}
			Expect(selected).To(HaveLen(2))
			resp, text := get(server, "/compare?"+selected.Encode())
			Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		},
		Entry("control characters", "new\nline\t\x1b[31m"),
		Entry("invalid UTF-8", "\xff\xfe"),
		Entry("a character that reverses the text", "a\u202eb"),
		Entry("percent signs", "50% %0A"),
		Entry("plus signs, quotes and spaces", `a+b "c" &amp;`),
	)

	It("shows how a metric changed from run to run, and reports an unknown metric", func() {
		dir := finishedRuns()
		p := startRun(filepath.Join(dir, "new"))
		p.add(0, 9)
		p.end()
		server := startServer(view.Config{Dirs: []string{dir}})
		_, text := get(server, "/")
		Expect(text).To(ContainSubstring(`<a href="/trend?metric=route.accuracy">`))
		resp, text := get(server, "/trend?metric=route.accuracy")
		Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		Expect(text).To(And(ContainSubstring("Trend of route.accuracy"), ContainSubstring("<svg"),
			ContainSubstring(">old<"), ContainSubstring(">new<")))
		resp, text = get(server, "/trend?metric=route.acuracy")
		Expect(resp.StatusCode).To(Equal(http.StatusNotFound))
		Expect(text).To(ContainSubstring("did you mean"))
	})

	It("gives runs in different directories different names", func() {
		first, second := finishedRuns(), finishedRuns()
		single := filepath.Join(finishedRuns(), "old")
		server := startServer(view.Config{Dirs: []string{first, second, single}})
		_, text := get(server, "/")
		for _, name := range []string{filepath.Base(first) + ":old", filepath.Base(second) + "-2:old", "old"} {
			if filepath.Base(first) != filepath.Base(second) {
				name = strings.Replace(name, "-2:", ":", 1)
			}
			Expect(text).To(ContainSubstring(">" + name + "</a>"))
			Expect(status(server, "/run/"+name)).To(Equal(http.StatusOK))
		}
	})

	It("renders a page once for concurrent requests, and again when the run has changed", func() {
		dir := finishedRuns()
		server := startServer(view.Config{Dirs: []string{dir}})
		pages := make([]string, 8)
		var all sync.WaitGroup
		for i := range pages {
			all.Go(func() {
				defer GinkgoRecover()
				_, pages[i] = get(server, "/run/old")
			})
		}
		all.Wait()
		Expect(pages).To(HaveEach(pages[0]))
		Expect(os.Truncate(filepath.Join(dir, "old", journal.TracesFile), 0)).To(Succeed())
		_, now := get(server, "/run/old")
		Expect(now).To(ContainSubstring("0 of 20 trials with their full trace"), "it is made anew")
	})

	It("renders a small report while a large one is rendered, and one large report at a time", func() {
		dir := finishedRuns()
		for _, name := range []string{"large", "larger"} {
			p := startRun(filepath.Join(dir, name))
			p.add(0, 10)
			p.end()
			Expect(os.Truncate(filepath.Join(p.dir, journal.TracesFile), 17<<20)).To(Succeed())
		}
		s, err := view.New(view.Config{Dirs: []string{dir}})
		Expect(err).NotTo(HaveOccurred())
		server := httptest.NewServer(s)
		DeferCleanup(server.Close)
		finish := s.StartLargeReport()
		var waiting sync.WaitGroup
		large := make(chan string, 3)
		for _, path := range []string{"/run/large", "/run/larger", "/compare?a=old&b=large"} {
			waiting.Go(func() {
				defer GinkgoRecover()
				_, text := get(server, path)
				large <- text
			})
		}
		Expect(status(server, "/run/old")).To(Equal(http.StatusOK))
		Expect(status(server, "/trend?metric=route.accuracy")).To(Equal(http.StatusOK))
		Expect(large).NotTo(Receive())
		finish()
		waiting.Wait()
		for range 3 {
			Expect(<-large).To(ContainSubstring("trials"))
		}
	})

	It("stops waiting for a large report when the client disconnects", func() {
		dir := finishedRuns()
		Expect(os.Truncate(filepath.Join(dir, "old", journal.TracesFile), 17<<20)).To(Succeed())
		s, err := view.New(view.Config{Dirs: []string{dir}})
		Expect(err).NotTo(HaveOccurred())
		finish := s.StartLargeReport()
		ctx, disconnect := context.WithCancel(context.Background())
		var waiting sync.WaitGroup
		for range 2 {
			waiting.Go(func() {
				r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/run/old", nil)
				s.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		disconnect()
		waiting.Wait()
		finish()
		server := httptest.NewServer(s)
		DeferCleanup(server.Close)
		Expect(status(server, "/run/old")).To(Equal(http.StatusOK))
	})

	It("reports an unreadable run and still shows the others", func() {
		dir := finishedRuns()
		write(filepath.Join(dir, "broken", journal.ManifestFile), "{<script>")
		write(filepath.Join(dir, "nothing", "else.txt"), "")
		server := startServer(view.Config{Dirs: []string{dir}})
		resp, text := get(server, "/")
		Expect(resp.StatusCode).To(Equal(http.StatusOK))
		Expect(text).To(And(ContainSubstring(">old</a>"), ContainSubstring("broken/manifest.json"),
			Not(ContainSubstring("<script>")), Not(ContainSubstring(">nothing"))))
		for _, path := range []string{"/run/broken", "/run/broken/events", "/run/broken/case?suite=mine&case=case-1"} {
			resp, text = get(server, path)
			Expect(resp.StatusCode).To(Equal(http.StatusUnprocessableEntity), path)
			Expect(text).To(ContainSubstring("manifest.json"), path)
		}
		Expect(status(server, "/run/old")).To(Equal(http.StatusOK))
	})

	DescribeTable("reports a damaged file of a run in the same way in the report, the comparison and the cases",
		func(damage func(dir string), why string) {
			dir := finishedRuns()
			p := startRun(filepath.Join(dir, "new"))
			p.add(0, 10)
			p.end()
			damage(p.dir)
			server := startServer(view.Config{Dirs: []string{dir}})
			for _, path := range []string{"/run/new", "/run/new/case?suite=mine&case=case-1", "/compare?a=old&b=new",
				"/compare?a=new&b=old"} {
				resp, text := get(server, path)
				Expect(resp.StatusCode).To(Equal(http.StatusUnprocessableEntity), path+text)
				Expect(html.UnescapeString(text)).To(ContainSubstring("the run is unreadable: "+p.dir), path)
				Expect(text).To(ContainSubstring(why), path)
			}
		},
		Entry("an empty manifest", func(dir string) { write(filepath.Join(dir, journal.ManifestFile), "") },
			"unexpected end of JSON input"),
		Entry("a truncated summary", func(dir string) { write(filepath.Join(dir, journal.SummaryFile), `{"suites":[`) },
			"unexpected end of JSON input"),
		Entry("an invalid result", func(dir string) {
			write(filepath.Join(dir, journal.ResultsFile), `{"key":"llm-1","case":"case-1"`+"\n")
		}, "results.jsonl:1: "),
		Entry("a link to another file", func(dir string) {
			path := filepath.Join(dir, journal.TracesFile)
			Expect(os.Rename(path, path+".moved")).To(Succeed())
			Expect(os.Symlink(path+".moved", path)).To(Succeed())
		}, "is a link"),
		Entry("a pipe", func(dir string) {
			path := filepath.Join(dir, journal.ResultsFile)
			Expect(os.Remove(path)).To(Succeed())
			Expect(exec.Command("mkfifo", path).Run()).To(Succeed())
		}, "is a folder, a pipe or a device"),
	)

	It("has no page for a run that is removed while the server starts to read it", func() {
		dir := finishedRuns()
		s, err := view.New(view.Config{Dirs: []string{dir}})
		Expect(err).NotTo(HaveOccurred())
		server := httptest.NewServer(s)
		DeferCleanup(server.Close)
		Expect(os.Truncate(filepath.Join(dir, "old", journal.TracesFile), 17<<20)).To(Succeed())
		finish := s.StartLargeReport()
		ended := make(chan *http.Response, 1)
		go func() {
			defer GinkgoRecover()
			resp, _ := get(server, "/run/old")
			ended <- resp
		}()
		Eventually(s.PagesInProgress).Should(Equal(1))
		Expect(os.RemoveAll(filepath.Join(dir, "old"))).To(Succeed())
		finish()
		Expect((<-ended).StatusCode).To(Equal(http.StatusNotFound))
	})

	It("returns an error for a directory that does not exist", func() {
		_, err := view.New(view.Config{})
		Expect(err).To(MatchError(ContainSubstring("requires a directory of runs")))
		_, err = view.New(view.Config{Dirs: []string{"nowhere"}})
		Expect(err).To(MatchError(ContainSubstring("no such directory")))
		file := filepath.Join(GinkgoT().TempDir(), "f")
		write(file, "")
		_, err = view.New(view.Config{Dirs: []string{file}})
		Expect(err).To(MatchError(ContainSubstring("requires a run directory")))
	})
})

var _ = Describe("The server of evalctl view", func() {
	paths := []string{"/", "/run/old", "/run/old/case?suite=mine&case=case-1", "/run/old/events",
		"/compare?a=old&b=old", "/nope"}

	DescribeTable("accepts a request only for its own host names and from its own pages",
		func(want int, headers ...string) {
			server := startServer(view.Config{Dirs: []string{finishedRuns()}, Hosts: []string{"runs.example.com"}})
			for _, path := range paths {
				code := status(server, path, headers...)
				if want == http.StatusForbidden {
					Expect(code).To(Equal(want), path)
				} else {
					Expect(code).NotTo(Equal(http.StatusForbidden), path)
				}
			}
		},
		Entry("a request for its address: accepted", 200),
		Entry("a request for localhost: accepted", 200, "Host", "localhost:80"),
		Entry("a request for the configured host name: accepted", 200, "Host", "runs.example.com:80"),
		Entry("a request from one of its own pages: accepted", 200, "Sec-Fetch-Site", "same-origin"),
		Entry("a request for an address that the user typed: accepted", 200, "Sec-Fetch-Site", "none"),
		Entry("a request for another host name that resolves to the server: rejected", 403, "Host", "evil.example.com"),
		Entry("a request for the unspecified address 0.0.0.0: rejected", 403, "Host", "0.0.0.0"),
		Entry("a request from a page of another site: rejected", 403, "Sec-Fetch-Site", "cross-site"),
		Entry("a request from a page on another port: rejected", 403, "Sec-Fetch-Site", "same-site"),
		Entry("a request with another origin: rejected", 403, "Origin", "https://evil.example.com"),
		Entry("a request with an opaque origin: rejected", 403, "Origin", "null"),
	)

	It("accepts only GET and HEAD requests without a body", func() {
		server := startServer(view.Config{Dirs: []string{finishedRuns()}})
		for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
			for _, path := range paths {
				resp, _ := request(server, method, path)
				Expect(resp.StatusCode).To(Equal(http.StatusMethodNotAllowed), method)
				Expect(resp.Header.Get("Allow")).To(Equal("GET, HEAD"))
			}
		}
		resp, text := request(server, http.MethodHead, "/run/old")
		Expect(resp.StatusCode).To(Equal(http.StatusOK))
		Expect(text).To(BeEmpty())
		resp, err := server.Client().
			Do(must(http.NewRequest(http.MethodGet, server.URL+"/", strings.NewReader("a body"))))
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		Expect(resp.StatusCode).To(Equal(http.StatusBadRequest))
	})

	It("sends headers that forbid framing, caching and external resources", func() {
		server := startServer(view.Config{Dirs: []string{finishedRuns()}})
		for _, path := range paths {
			resp, text := get(server, path)
			if resp.StatusCode == http.StatusNoContent {
				continue
			}
			h := resp.Header
			Expect(h.Get("X-Content-Type-Options")).To(Equal("nosniff"))
			Expect(h.Get("Cache-Control")).To(Equal("no-store"))
			Expect(h.Get("Referrer-Policy")).To(Equal("no-referrer"))
			csp := h.Get("Content-Security-Policy")
			Expect(csp).To(And(HavePrefix("default-src 'none'"), HaveSuffix("; frame-ancestors 'none'"),
				Not(ContainSubstring("unsafe")), Not(ContainSubstring("*"))))
			if strings.Contains(text, "<html") {
				Expect(csp).To(ContainSubstring("connect-src 'self'"))
			}
		}
	})

	DescribeTable("sends no file outside of the runs", func(path string) {
		dir := finishedRuns()
		write(filepath.Join(dir, "..", "secret", journal.ManifestFile), "{}")
		server := startServer(view.Config{Dirs: []string{dir}})
		client := *server.Client()
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		r := must(http.NewRequest(http.MethodGet, server.URL, nil))
		r.URL.Opaque = path
		resp, err := client.Do(r)
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		Expect(resp.StatusCode).
			To(BeElementOf(http.StatusNotFound, http.StatusMovedPermanently, http.StatusTemporaryRedirect,
				http.StatusBadRequest))
	},
		Entry(nil, "/run/..%2Fsecret"),
		Entry(nil, "/run/%2E%2E%2Fsecret/events"),
		Entry(nil, "/run/../secret"),
		Entry(nil, "/run/old%2F..%2F..%2Fsecret/case?suite=mine&case=1"),
		Entry(nil, "/run/..%5Csecret"),
		Entry(nil, "/run/old%00"),
		Entry(nil, "/run/."),
		Entry(nil, "/run/old/manifest.json"),
		Entry(nil, "/compare?a=..%2Fsecret&b=old"),
	)

	It("does not follow links out of a run directory", func() {
		dir, elsewhere := finishedRuns(), finishedRuns()
		Expect(os.Symlink(filepath.Join(elsewhere, "old"), filepath.Join(dir, "link"))).To(Succeed())
		server := startServer(view.Config{Dirs: []string{dir}})
		Expect(status(server, "/run/link")).To(Equal(http.StatusNotFound))
	})
})

func must[T any](v T, err error) T {
	GinkgoHelper()
	Expect(err).NotTo(HaveOccurred())
	return v
}
