package responses_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/responses"
	"evalctl/mocks/transport"
)

func TestResponses(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "responses")
}

// caller provides the hooks of a trial that accepts and stores every answer at once.
type caller struct {
	hits int
}

func (c *caller) in(epoch int) responses.CallHooks {
	return responses.CallHooks{Epoch: epoch, OnHit: func(context.Context) { c.hits++ },
		RegisterOutcome: func(context.Context, func(bool)) bool { return false },
		OnAccepted:      func(write func()) { write() }}
}

var _ = Describe("the response cache", func() {
	var dir string
	var asked atomic.Int64
	var status int
	var provider http.RoundTripper
	BeforeEach(func() {
		dir = filepath.Join(GinkgoT().TempDir(), "answers")
		asked.Store(0)
		status = http.StatusOK
		provider = transport.Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			fmt.Fprintf(w, "answer %d", asked.Add(1))
		})}
	})
	open := func(cfg responses.Config) *responses.Cache {
		GinkgoHelper()
		f, err := responses.Open(dir, cfg)
		Expect(err).NotTo(HaveOccurred())
		return f
	}
	request := func(way http.RoundTripper, method, url, body string, headers ...string) string {
		GinkgoHelper()
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		Expect(err).NotTo(HaveOccurred())
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		resp, err := way.RoundTrip(r)
		Expect(err).NotTo(HaveOccurred())
		text, err := io.ReadAll(resp.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		return string(text)
	}
	post := func(way http.RoundTripper, body string) string {
		GinkgoHelper()
		return request(way, http.MethodPost, "http://h/v1/chat", body)
	}
	files := func() (list []string) {
		GinkgoHelper()
		Expect(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && d.Name() != "responses.json" {
				list = append(list, path)
			}
			return err
		})).To(Succeed())
		return list
	}

	It("answers repeated requests to the same host in the same epoch", func() {
		var c caller
		f := open(responses.Config{})
		way := f.Transport(c.in(1), provider)
		Expect(post(way, `{"a":1,"b":2}`)).To(Equal("answer 1"))
		Expect(post(way, `{"a":1,"b":2}`)).To(Equal("answer 2"), "the second time is another draw")
		way = open(responses.Config{}).Transport(c.in(1), provider)
		Expect(post(way, `{ "b":2, "a":1 }`)).To(Equal("answer 1"))
		Expect(post(way, `{"a":1,"b":2}`)).To(Equal("answer 2"))
		Expect(c.hits).To(Equal(2))
		Expect(post(way, `{"a":1,"b":2}`)).To(Equal("answer 3"))
		Expect(post(way, `{"a":1,"b":3}`)).To(Equal("answer 4"))
		Expect(request(way, http.MethodPost, "http://other/v1/chat", `{"a":1,"b":2}`)).To(Equal("answer 5"))
		Expect(post(f.Transport(c.in(2), provider), `{"a":1,"b":2}`)).To(Equal("answer 6"))
	})

	It("does not store errors, and treats a retry as the same request", func() {
		var c caller
		way := open(responses.Config{}).Transport(c.in(1), provider)
		status = http.StatusServiceUnavailable
		post(way, `{}`)
		Expect(files()).To(BeEmpty())
		status = http.StatusOK
		Expect(post(way, `{}`)).To(Equal("answer 2"))
		Expect(post(open(responses.Config{}).Transport(c.in(1), provider), `{}`)).To(Equal("answer 2"))
	})

	It("does not store rejected or incomplete answers", func() {
		var c caller
		var over func(bool)
		in := c.in(1)
		in.RegisterOutcome = func(_ context.Context, f func(bool)) bool { over = f; return true }
		way := open(responses.Config{}).Transport(in, provider)
		post(way, `{}`)
		over(false)
		Expect(files()).To(BeEmpty())
		r, err := http.NewRequest(http.MethodPost, "http://h/v1/chat", strings.NewReader(`{}`))
		Expect(err).NotTo(HaveOccurred())
		resp, err := way.RoundTrip(r)
		Expect(err).NotTo(HaveOccurred())
		_, err = resp.Body.Read(make([]byte, 3))
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		over(true)
		Expect(files()).To(BeEmpty())
		post(way, `{}`)
		over(true)
		Expect(files()).To(HaveLen(1))
	})

	It("does not store requests that create or poll a task", func() {
		var c caller
		way := open(responses.Config{}).Transport(c.in(1), provider)
		request(way, http.MethodPost, "http://h/v1/chat", `{}`, "X-DashScope-Async", "enable")
		request(way, http.MethodGet, "http://h/tasks/1", "")
		Expect(files()).To(BeEmpty())
	})

	It("stores no secrets", func() {
		var c caller
		f := open(responses.Config{Redact: func(text string) string {
			return strings.ReplaceAll(text,
				"answer", "[redacted]")
		}})
		request(f.Transport(c.in(1), provider), http.MethodPost, "http://me:hush@h/v1?api_key=hush2",
			`{"password":"hush3"}`, "Authorization", "Bearer hush4-hush4")
		text, err := os.ReadFile(files()[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).NotTo(ContainSubstring("hush"))
		Expect(post(f.Transport(c.in(1), provider), `{}`)).To(Equal("answer 2"))
		Expect(post(f.Transport(c.in(1), provider), `{}`)).To(Equal("[redacted] 2"))
	})

	DescribeTable("calls the provider again if a file is damaged, and reports the file",
		func(damage func([]byte) []byte) {
			var c caller
			post(open(responses.Config{}).Transport(c.in(1), provider), `{}`)
			text, err := os.ReadFile(files()[0])
			Expect(err).NotTo(HaveOccurred())
			Expect(os.WriteFile(files()[0], damage(text), 0o600)).To(Succeed())
			var warned []string
			f := open(responses.Config{Warn: func(text string) { warned = append(warned, text) }})
			Expect(post(f.Transport(c.in(1), provider), `{}`)).To(Equal("answer 2"))
			Expect(warned).To(ConsistOf(And(HavePrefix(files()[0]+": "), HaveSuffix(": it is asked again"))))
			Expect(post(open(responses.Config{}).Transport(c.in(1), provider), `{}`)).
				To(Equal("answer 2"), "it is whole again")
		},
		Entry("a truncated file", func(b []byte) []byte { return b[:len(b)/2] }),
		Entry("an empty file", func([]byte) []byte { return nil }),
		Entry("a file with a changed body", func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"body":"YW5`,
				`"body":"YW4`, 1))
		}),
		Entry("a file with the key of another request",
			func(b []byte) []byte { return []byte(strings.Replace(string(b), `{"key":"`, `{"key":"x`, 1)) }),
	)

	DescribeTable("calls the provider again if a file is not a regular file of the cache, and does not read it",
		func(put func(path string) error, why string) {
			var c caller
			post(open(responses.Config{}).Transport(c.in(1), provider), `{}`)
			kept := files()[0]
			Expect(put(kept)).To(Succeed())
			var warned []string
			f := open(responses.Config{Warn: func(text string) { warned = append(warned, text) }})
			Expect(post(f.Transport(c.in(1), provider), `{}`)).To(Equal("answer 2"))
			Expect(warned).To(ConsistOf(And(ContainSubstring(why), HaveSuffix(": it is asked again"))))
		},
		Entry("a link to another file", func(path string) error {
			return errors.Join(os.Rename(path, path+".elsewhere"), os.Symlink(path+".elsewhere", path))
		}, "is not a regular file"),
		Entry("a file that is too large", func(path string) error { return os.Truncate(path, 3<<30) }, "has more than"),
		Entry("a link to another directory", func(path string) error {
			folder := filepath.Dir(path)
			return errors.Join(os.Rename(folder, folder+"-elsewhere"), os.Symlink(folder+"-elsewhere", folder))
		}, "is not a folder, or a link to one"),
	)

	It("does not write through a link to another directory, and reports the link", func() {
		var c caller
		post(open(responses.Config{}).Transport(c.in(1), provider), `{}`)
		folder, elsewhere := filepath.Dir(files()[0]), GinkgoT().TempDir()
		Expect(os.RemoveAll(folder)).To(Succeed())
		Expect(os.Symlink(elsewhere, folder)).To(Succeed())
		f := open(responses.Config{})
		post(f.Transport(c.in(1), provider), `{}`)
		Expect(f.Err()).To(MatchError(ContainSubstring("is not a folder, or a link to one")))
		Expect(os.ReadDir(elsewhere)).To(BeEmpty())
	})

	It("can be created by several processes at once, even if a killed process has left an unfinished file", func() {
		Expect(os.MkdirAll(dir, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, ".123.tmp"), nil, 0o600)).To(Succeed())
		var all sync.WaitGroup
		errs := make([]error, 20)
		for i := range errs {
			all.Go(func() { _, errs[i] = responses.Open(dir, responses.Config{}) })
		}
		all.Wait()
		Expect(errs).To(HaveEach(BeNil()))
	})

	It("can be shared by processes: each finds all answers that the other has stored", func() {
		var c caller
		a, b := open(responses.Config{}), open(responses.Config{})
		for i := range 20 {
			body := fmt.Sprintf(`{"i":%d}`, i)
			first := post(a.Transport(c.in(1), provider), body)
			Expect(post(b.Transport(c.in(1), provider), body)).To(Equal(first))
		}
		Expect(asked.Load()).To(BeEquivalentTo(20))
		hits, misses := b.Stats()
		Expect([]int64{hits, misses}).To(Equal([]int64{20, 0}))
	})

	It("removes the least recently used answers if it is too large", func() {
		var c caller
		f := open(responses.Config{})
		for i := range 10 {
			post(f.Transport(c.in(1), provider), fmt.Sprintf(`{"i":%d}`, i))
		}
		info, err := os.Stat(files()[0])
		Expect(err).NotTo(HaveOccurred())
		small := open(responses.Config{MaxBytes: 5 * info.Size()})
		Expect(small.EvictedCount()).To(BeNumerically(">=", 5))
		Expect(files()).To(HaveLen(10 - small.EvictedCount()))
	})

	It("is not created in a directory with other files", func() {
		Expect(os.MkdirAll(dir, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, "thesis.txt"), nil, 0o600)).To(Succeed())
		_, err := responses.Open(dir, responses.Config{})
		Expect(err).To(MatchError(dir + ": holds something else than answers: name another folder"))
		Expect(os.Rename(filepath.Join(dir, "thesis.txt"), filepath.Join(dir, "responses.json"))).To(Succeed())
		_, err = responses.Open(dir, responses.Config{})
		Expect(err).To(MatchError(ContainSubstring("is not a folder of answers that this program reads")))
	})
})
