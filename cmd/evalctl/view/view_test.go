package view_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/view"
	"evalctl/eval/journal"
	"evalctl/reports/page/pack"
)

var _ = Describe("A server of runs", func() {
	It("lists them, the newest first, and those that begin or are removed meanwhile", func() {
		dir := over()
		server := served(view.Config{Dirs: []string{dir}})
		_, text := got(server, "/")
		Expect(text).To(And(ContainSubstring(`<a href="/run/old">old</a>`), ContainSubstring("2026-01-02 03:04"), ContainSubstring("mine: rules 8 of 10<")))
		p := begin(filepath.Join(dir, "next one"))
		_, text = got(server, "/")
		Expect(text).To(And(ContainSubstring(`<a href="/run/next%20one">next one</a>`), ContainSubstring(">running<")))
		Expect(p.log.Close()).To(Succeed())
		Expect(os.RemoveAll(p.dir)).To(Succeed())
		_, text = got(server, "/")
		Expect(text).NotTo(ContainSubstring("next one"))
		Expect(status(server, "/run/next%20one")).To(Equal(http.StatusNotFound))
	})

	It("chooses the two newest runs of one suite beforehand, to be held against each other", func() {
		dir := over()
		server := served(view.Config{Dirs: []string{dir}})
		_, text := got(server, "/")
		Expect(text).To(And(ContainSubstring(`value="old" required`), Not(ContainSubstring(" checked"))))
		p := begin(filepath.Join(dir, "new"))
		p.add(0, 10)
		p.end()
		_, text = got(server, "/")
		Expect(strings.Count(text, " checked")).To(Equal(2))
		Expect(text).To(MatchRegexp(`name="([ab])" value="new" required checked`))
		Expect(text).To(MatchRegexp(`name="([ab])" value="old" required checked`))
	})

	It("shows the report of one, with its traces where its own page asks for them", func() {
		server := served(view.Config{Dirs: []string{over()}})
		resp, text := got(server, "/run/old")
		Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		Expect(text).To(And(ContainSubstring("20 trials"), ContainSubstring(`<a href="/">All runs</a>`), ContainSubstring("sends requests only to its own server"), Not(ContainSubstring("EventSource"))))
		resp, text = got(server, "/run/old/case?suite=mine&case=case-5")
		Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		Expect(resp.Header.Get("Content-Type")).To(Equal("application/json"))
		var c pack.Case
		Expect(json.Unmarshal([]byte(text), &c)).To(Succeed())
		Expect(c.Inputs).To(HaveLen(1))
		Expect(c.Inputs[0].Text).To(Equal("what of it?"))
		Expect(c.Trials).To(HaveLen(2))
		Expect([]any{c.Trials[1].Condition, c.Trials[1].Turns[0].Reply}).To(Equal([]any{1, "llm answers 5"}))
		Expect(status(server, "/run/old/case?suite=mine&case=case-99")).To(Equal(http.StatusNotFound))
		Expect(status(server, "/run/old/case?suite=other&case=case-5")).To(Equal(http.StatusNotFound))
	})

	It("holds one against another, and says what is missing for that", func() {
		dir := over()
		p := begin(filepath.Join(dir, "new"))
		p.add(0, 10)
		p.end()
		server := served(view.Config{Dirs: []string{dir}})
		resp, text := got(server, "/compare?a=old&b=new")
		Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		Expect(text).To(And(ContainSubstring("Compared with the earlier run old."), ContainSubstring("Compared with the earlier run")))
		for path, code := range map[string]int{"/compare": 400, "/compare?a=old&b=old": 400, "/compare?a=old&b=nope": 404, "/compare?a=nope&b=old": 404} {
			Expect(status(server, path)).To(Equal(code), path)
		}
	})

	It("shows how a metric went from run to run, and says which it does not know", func() {
		dir := over()
		p := begin(filepath.Join(dir, "new"))
		p.add(0, 9)
		p.end()
		server := served(view.Config{Dirs: []string{dir}})
		_, text := got(server, "/")
		Expect(text).To(ContainSubstring(`<a href="/trend?metric=route.accuracy">`))
		resp, text := got(server, "/trend?metric=route.accuracy")
		Expect(resp.StatusCode).To(Equal(http.StatusOK), text)
		Expect(text).To(And(ContainSubstring("Trend of route.accuracy"), ContainSubstring("<svg"), ContainSubstring(">old<"), ContainSubstring(">new<")))
		resp, text = got(server, "/trend?metric=route.acuracy")
		Expect(resp.StatusCode).To(Equal(http.StatusNotFound))
		Expect(text).To(ContainSubstring("did you mean"))
	})

	It("has runs of several folders under names of their own", func() {
		first, second := over(), over()
		single := filepath.Join(over(), "old")
		server := served(view.Config{Dirs: []string{first, second, single}})
		_, text := got(server, "/")
		for _, name := range []string{filepath.Base(first) + ":old", filepath.Base(second) + "-2:old", "old"} {
			if filepath.Base(first) != filepath.Base(second) {
				name = strings.Replace(name, "-2:", ":", 1)
			}
			Expect(text).To(ContainSubstring(">" + name + "</a>"))
			Expect(status(server, "/run/"+name)).To(Equal(http.StatusOK))
		}
	})

	It("makes a page once while its run stays as it is, for all who ask at once", func() {
		dir := over()
		server := served(view.Config{Dirs: []string{dir}})
		pages := make([]string, 8)
		var all sync.WaitGroup
		for i := range pages {
			all.Go(func() {
				defer GinkgoRecover()
				_, pages[i] = got(server, "/run/old")
			})
		}
		all.Wait()
		Expect(pages).To(HaveEach(pages[0]))
		Expect(os.Truncate(filepath.Join(dir, "old", journal.TracesFile), 0)).To(Succeed())
		_, now := got(server, "/run/old")
		Expect(now).To(ContainSubstring("0 of 20 trials with their full trace"), "it is made anew")
	})

	It("tells what is broken, and shows the rest", func() {
		dir := over()
		write(filepath.Join(dir, "broken", journal.ManifestFile), "{<script>")
		write(filepath.Join(dir, "nothing", "else.txt"), "")
		server := served(view.Config{Dirs: []string{dir}})
		resp, text := got(server, "/")
		Expect(resp.StatusCode).To(Equal(http.StatusOK))
		Expect(text).To(And(ContainSubstring(">old</a>"), ContainSubstring("broken/manifest.json"), Not(ContainSubstring("<script>")), Not(ContainSubstring(">nothing"))))
		for _, path := range []string{"/run/broken", "/run/broken/events", "/run/broken/case?suite=mine&case=case-1"} {
			resp, text = got(server, path)
			Expect(resp.StatusCode).To(Equal(http.StatusInternalServerError), path)
			Expect(text).To(ContainSubstring("manifest.json"), path)
		}
		Expect(status(server, "/run/old")).To(Equal(http.StatusOK))
	})

	It("needs folders that are there", func() {
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

var _ = Describe("Who may ask a server of runs", func() {
	paths := []string{"/", "/run/old", "/run/old/case?suite=mine&case=case-1", "/run/old/events", "/compare?a=old&b=old", "/nope"}

	DescribeTable("is who comes by one of its own names and pages", func(want int, headers ...string) {
		server := served(view.Config{Dirs: []string{over()}, Hosts: []string{"runs.example.com"}})
		for _, path := range paths {
			code := status(server, path, headers...)
			if want == http.StatusForbidden {
				Expect(code).To(Equal(want), path)
			} else {
				Expect(code).NotTo(Equal(http.StatusForbidden), path)
			}
		}
	},
		Entry("itself", 200),
		Entry("the machine", 200, "Host", "localhost:80"),
		Entry("the address that was given", 200, "Host", "runs.example.com:80"),
		Entry("its own page", 200, "Sec-Fetch-Site", "same-origin"),
		Entry("an address that was typed", 200, "Sec-Fetch-Site", "none"),
		Entry("a name that was made to lead here", 403, "Host", "evil.example.com"),
		Entry("no name", 403, "Host", "0.0.0.0"),
		Entry("another site's page", 403, "Sec-Fetch-Site", "cross-site"),
		Entry("another port's page", 403, "Sec-Fetch-Site", "same-site"),
		Entry("another origin", 403, "Origin", "https://evil.example.com"),
		Entry("no origin that can be told", 403, "Origin", "null"),
	)

	It("only reads", func() {
		server := served(view.Config{Dirs: []string{over()}})
		for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
			for _, path := range paths {
				resp, _ := asked(server, method, path)
				Expect(resp.StatusCode).To(Equal(http.StatusMethodNotAllowed), method)
				Expect(resp.Header.Get("Allow")).To(Equal("GET, HEAD"))
			}
		}
		resp, text := asked(server, http.MethodHead, "/run/old")
		Expect(resp.StatusCode).To(Equal(http.StatusOK))
		Expect(text).To(BeEmpty())
		resp, err := server.Client().Do(must(http.NewRequest(http.MethodGet, server.URL+"/", strings.NewReader("a body"))))
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		Expect(resp.StatusCode).To(Equal(http.StatusBadRequest))
	})

	It("gets pages that do nothing else, are in no frame and kept nowhere", func() {
		server := served(view.Config{Dirs: []string{over()}})
		for _, path := range paths {
			resp, text := got(server, path)
			if resp.StatusCode == http.StatusNoContent {
				continue
			}
			h := resp.Header
			Expect(h.Get("X-Content-Type-Options")).To(Equal("nosniff"))
			Expect(h.Get("Cache-Control")).To(Equal("no-store"))
			Expect(h.Get("Referrer-Policy")).To(Equal("no-referrer"))
			csp := h.Get("Content-Security-Policy")
			Expect(csp).To(And(HavePrefix("default-src 'none'"), HaveSuffix("; frame-ancestors 'none'"), Not(ContainSubstring("unsafe")), Not(ContainSubstring("*"))))
			if strings.Contains(text, "<html") {
				Expect(csp).To(ContainSubstring("connect-src 'self'"))
			}
		}
	})

	DescribeTable("finds no file beside the runs", func(path string) {
		dir := over()
		write(filepath.Join(dir, "..", "secret", journal.ManifestFile), "{}")
		server := served(view.Config{Dirs: []string{dir}})
		client := *server.Client()
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		r := must(http.NewRequest(http.MethodGet, server.URL, nil))
		r.URL.Opaque = path
		resp, err := client.Do(r)
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		Expect(resp.StatusCode).To(BeElementOf(http.StatusNotFound, http.StatusMovedPermanently, http.StatusTemporaryRedirect, http.StatusBadRequest))
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

	It("follows no link out of a folder", func() {
		dir, elsewhere := over(), over()
		Expect(os.Symlink(filepath.Join(elsewhere, "old"), filepath.Join(dir, "link"))).To(Succeed())
		server := served(view.Config{Dirs: []string{dir}})
		Expect(status(server, "/run/link")).To(Equal(http.StatusNotFound))
	})
})

func must[T any](v T, err error) T {
	GinkgoHelper()
	Expect(err).NotTo(HaveOccurred())
	return v
}
