package proxy_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/proxy"
)

// roundTrip is a function that implements http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

var _ = Describe("The proxy's log", func() {
	It("contains no API key, neither from the path nor from an invalid response of the provider", func() {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(listener.Close)
		go func() {
			defer GinkgoRecover()
			conn, err := listener.Accept()
			Expect(err).NotTo(HaveOccurred())
			_, _ = conn.Read(make([]byte, 4<<10))
			_, _ = io.WriteString(conn, "HTTP/1.1 my-very-own-key-words is none\r\n\r\n")
			_ = conn.Close()
		}()
		s := (&testSetup{}).before("http://"+listener.Addr().String(), "", nil)
		r, err := http.NewRequest("POST", s.proxy+"/v1/sk-0123456789abcdefghij/my-very-own-key-words", nil)
		Expect(err).NotTo(HaveOccurred())
		r.Header.Set("Authorization", "Bearer my-very-own-key-words")
		resp, err := http.DefaultClient.Do(r)
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		call := s.logged(1)[0]
		Expect(call.Path).To(Equal("/v1/[redacted]/[redacted]"))
		Expect(call.Note).To(And(ContainSubstring(`status code "[redacted]"`), Not(ContainSubstring("my-very-own"))))
	})

	DescribeTable("and its answer report a request that is too large", func(body func() io.Reader) {
		upstream := httptest.NewServer(
			http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
		DeferCleanup(upstream.Close)
		s := (&testSetup{}).before(upstream.URL, "", nil)
		r, err := http.NewRequest("POST", s.proxy+"/v1/files", body())
		Expect(err).NotTo(HaveOccurred())
		resp, err := http.DefaultClient.Do(r)
		Expect(err).NotTo(HaveOccurred())
		text, err := io.ReadAll(resp.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.Body.Close()).To(Succeed())
		Expect(resp.StatusCode).To(Equal(413))
		Expect(string(text)).To(Equal("evalctl proxy: the request has more than 33554432 bytes\n"))
	},
		Entry("a request with a Content-Length", func() io.Reader { return bytes.NewReader(make([]byte, 32<<20+1)) }),
		Entry("a request without a Content-Length",
			func() io.Reader { return io.MultiReader(bytes.NewReader(make([]byte, 32<<20)), strings.NewReader("x")) }),
	)

	It("reports a loop if the provider's address leads back to the proxy", func() {
		s := &testSetup{}
		s.before("http://127.0.0.1:1", "", func(c *proxy.Config) {
			c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				to, err := url.Parse(s.proxy)
				if err != nil {
					return nil, err
				}
				r.URL.Host = to.Host
				return http.DefaultTransport.RoundTrip(r)
			})
		})
		resp, body := post(s.proxy+"/v1/models", "")
		Expect(resp.StatusCode).To(Equal(508))
		Expect(body).To(Equal("evalctl proxy: the provider's address leads back to the proxy\n"))
		Expect(s.logged(2)).To(HaveEach(HaveField("Status", 508)))
	})

	It("contains the reason why a fault changed nothing, and does not list the fault as triggered", func() {
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"hello"}}]}`)
		}))
		DeferCleanup(upstream.Close)
		s := (&testSetup{}).before(upstream.URL, "router:low_confidence", nil)
		_, body := post(s.proxy+"/v1/chat/completions", plainBody)
		Expect(body).To(Equal(`{"choices":[{"message":{"content":"hello"}}]}`))
		Expect(s.logged(1)[0]).To(And(HaveField("Faults", BeEmpty()),
			HaveField("Note", "router:low_confidence was not applied: the answer has nothing that it changes")))
	})

	It("lists every kind of fault, and the answer differs in status, body or time", func() {
		ask := func(at, body string) string {
			ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
			defer cancel()
			text := ""
			for range 2 { // a second request polls the task that the first one created
				method, path := http.MethodPost, "/v1/chat/completions"
				if strings.Contains(body, "prompt") {
					path = "/api/v1/services/aigc/text2image/image-synthesis"
				}
				if id := regexp.MustCompile(`"task_id":"([^"]+)"`).FindStringSubmatch(text); id != nil {
					method, path, body = http.MethodGet, "/api/v1/tasks/"+id[1], ""
				} else if text != "" {
					break
				}
				r, err := http.NewRequestWithContext(ctx, method, at+path, strings.NewReader(body))
				Expect(err).NotTo(HaveOccurred())
				r.Header.Set("Authorization", "Bearer k")
				r.Header.Set("X-DashScope-Async", "enable")
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					return "no answer"
				}
				b, err := io.ReadAll(resp.Body)
				Expect(resp.Body.Close()).To(Succeed())
				text = fmt.Sprint(resp.StatusCode, " ", string(b), " ", err != nil)
				time.Sleep(5 * time.Millisecond) // until the image is finished
			}
			return serials.ReplaceAllString(text, "")
		}
		for _, kind := range fault.Kinds() {
			part, body := "router", plainBody
			if !kind.AppliesTo(component.Router) {
				part, body = "image", `{"model":"wanx-v1","input":{"prompt":"a cat"}}`
			}
			spec := part + ":" + string(kind)
			if kind == fault.Slow {
				spec += "=1s"
			}
			plain := setUp("", nil)
			want := ask(plain.provider, body)
			Expect(want).To(HavePrefix("200 "))
			Expect(ask(plain.proxy, body)).To(Equal(want), "a proxy alone changes nothing")
			if kind == fault.FallbackLabel {
				continue // neither the proxy nor the mock server has labels
			}
			Expect(ask(mockURL(spec), body)).NotTo(Equal(want), "the mock under "+spec)
			s := setUp(spec, nil)
			Expect(ask(s.proxy, body)).NotTo(Equal(want), spec)
			Eventually(s.loggedFaults).Should(ContainElement(spec))
		}
	})
})
