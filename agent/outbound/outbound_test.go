package outbound_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/outbound"
)

func TestOutbound(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "outbound")
}

// serve starts a server with the handler h and returns its URL.
func serve(h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	DeferCleanup(s.Close)
	return s.URL
}

// client returns an outbound client with connections of its own, which are closed after the test.
func client(cfg outbound.Config) *http.Client {
	c := outbound.New(cfg)
	DeferCleanup(c.CloseIdleConnections)
	return c
}

func get(c *http.Client, url string) *http.Response {
	GinkgoHelper()
	resp, err := c.Get(url)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(resp.Body.Close)
	return resp
}

// zeros is an endless reader of zero bytes.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

var _ = Describe("A response of an outbound client", func() {
	It("can be read up to its size limit; reading further returns an error", func() {
		url := serve(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("x", 1000+len(r.URL.Path)-1))
		})
		c := client(outbound.Config{MaxResponseBytes: 1000})
		Expect(io.ReadAll(get(c, url).Body)).To(HaveLen(1000))
		body := get(c, url+"/y").Body
		read, err := io.ReadAll(body)
		var long *outbound.ResponseTooLargeError
		Expect(errors.As(err, &long)).To(BeTrue())
		Expect(err).To(MatchError("the answer is longer than 1000 bytes"))
		Expect(len(read)).To(BeNumerically("<=", 1000))
		_, again := body.Read(make([]byte, 1))
		Expect(again).To(Equal(err), "it stays so")
	})

	It("has a maximum size that no Config can exceed", func() {
		url := serve(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.CopyN(w, zeros{}, outbound.MaxResponseBytesLimit+1)
		})
		n, err := io.Copy(io.Discard, get(client(outbound.Config{MaxResponseBytes: 200 << 20}), url).Body)
		Expect(err).To(MatchError("the answer is longer than 67108864 bytes"))
		Expect(n).To(BeNumerically("<=", outbound.MaxResponseBytesLimit))
	})

	It("counts towards the limit with its decompressed size", func() {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(make([]byte, 1<<20))
		Expect(z.Close()).To(Succeed())
		Expect(packed.Len()).To(BeNumerically("<", 2000))
		url := serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		})
		_, err := io.ReadAll(get(client(outbound.Config{MaxResponseBytes: 1<<20 - 1}), url).Body)
		Expect(err).To(MatchError("the answer is longer than 1048575 bytes"))
	})

	It("shares a limit with other open responses, except for the first 256 KiB of each, until it is closed", func() {
		const size = 400 << 10
		url := serve(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, size)) })
		c := client(outbound.Config{MaxTotalBytes: 200 << 10})
		first, second, small := get(c, url), get(c, url), get(c, url)
		Expect(io.ReadAll(first.Body)).To(HaveLen(size))
		_, err := io.ReadAll(second.Body)
		Expect(err).To(MatchError("the answers under way are longer than 204800 bytes together"))
		Expect(io.ReadAll(io.LimitReader(small.Body, 256<<10))).To(HaveLen(256 << 10))
		Expect(first.Body.Close()).To(Succeed())
		Expect(second.Body.Close()).To(Succeed())
		Expect(io.ReadAll(get(c, url).Body)).To(HaveLen(size))
	})

	It("is replaced by an error if its headers are too large", func() {
		url := serve(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 100_000)) })
		_, err := client(outbound.Config{}).Get(url)
		Expect(err).To(MatchError(ContainSubstring("server response headers exceeded")))
	})

	It("is returned unchanged if it is a redirect, which is not followed", func() {
		asked := 0
		elsewhere := serve(func(http.ResponseWriter, *http.Request) { asked++ })
		for _, status := range []int{301, 302, 303, 307, 308} {
			url := serve(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, strings.Replace(elsewhere, "//", "//me:passw0rd@", 1)+"/v2?key=abc", status)
			})
			resp := get(client(outbound.Config{}), url)
			Expect(resp.StatusCode).To(Equal(status))
			Expect(outbound.DescribeRedirect(resp)).
				To(HaveSuffix(" to " + strings.TrimPrefix(elsewhere, "http://") + "/v2, which is not followed"))
		}
		Expect(asked).To(BeZero())
		Expect(outbound.DescribeRedirect(&http.Response{StatusCode: 200})).To(BeEmpty())
		Expect(outbound.DescribeRedirect(&http.Response{StatusCode: 304})).
			To(Equal("the answer is the redirect 304 to nowhere"))
	})
})

var _ = DescribeTable("CheckJSONParts returns an error if JSON contains too many objects, lists or object members",
	func(text, problem string) {
		err := outbound.CheckJSONComplexity([]byte(text))
		if problem == "" {
			Expect(err).NotTo(HaveOccurred())
		} else {
			Expect(err).To(MatchError(problem))
		}
	},
	Entry("4,095 objects in a list, which are allowed", "["+strings.Repeat("{},", 4094)+"{}]", ""),
	Entry("4,096 objects in a list, one container too many", "["+strings.Repeat("{},", 4095)+"{}]",
		"the answer has more than 4096 objects and lists"),
	Entry("too many nested lists", strings.Repeat("[", 5000), "the answer has more than 4096 objects and lists"),
	Entry("too many object members", "{"+strings.Repeat(`"a":1,`, 33_000)+`"b":2}`,
		"the answer has more than 32768 fields"),
	Entry("a long list of numbers, which is allowed", "["+strings.Repeat("0.5,", 100_000)+"1]", ""),
	Entry("a string of many braces and brackets, which is allowed", `["`+strings.Repeat(`{\"a\":[`, 10_000)+`"]`, ""),
	Entry("a string that is not closed", strings.Repeat(" ", 5000)+`"{{{`, ""),
)

func FuzzCheckShape(f *testing.F) {
	f.Add(`{"a":["b\"{",1]}`, 100)
	f.Fuzz(func(t *testing.T, text string, times int) {
		_ = outbound.CheckJSONComplexity([]byte(strings.Repeat(text, max(1, times%10_000))))
	})
}
