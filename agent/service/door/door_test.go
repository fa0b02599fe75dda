package door_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/service/door"
)

func TestDoor(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "door")
}

var _ = DescribeTable("15.9: a guarded server answers programs and rejects pages of other sites",
	func(want int, method string, header ...string) {
		d, err := door.New([]string{"models.lan"}, []string{"https://app.example.com"})
		Expect(err).NotTo(HaveOccurred())
		s := httptest.NewServer(
			d.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })))
		defer s.Close()
		r, err := http.NewRequest(method, s.URL+"/v1/chat/completions", strings.NewReader(`{}`))
		Expect(err).NotTo(HaveOccurred())
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
			if header[i] == "Host" {
				r.Host = header[i+1]
			}
		}
		resp, err := http.DefaultClient.Do(r)
		Expect(err).NotTo(HaveOccurred())
		defer resp.Body.Close()
		Expect(resp.StatusCode).To(Equal(want))
	},
	Entry("an SDK", 200, "POST", "Content-Type", "application/json", "User-Agent", "OpenAI/Python"),
	Entry("an SDK in a web server", 200, "POST", "Content-Type", "application/json; charset=utf-8",
		"Sec-Fetch-Mode", "cors"),
	Entry("an upload by a program", 200, "POST", "Content-Type", "multipart/form-data; boundary=x"),
	Entry("curl -d", 200, "POST", "Content-Type", "application/x-www-form-urlencoded"),
	Entry("no content type", 200, "POST"),
	Entry("a GET", 200, "GET"),
	Entry("an allowed host", 200, "POST", "Host", "models.lan:8080", "Content-Type", "application/json"),
	Entry("an allowed origin", 200, "POST", "Origin", "https://app.example.com", "Sec-Fetch-Site", "cross-site",
		"Content-Type", "application/json"),
	Entry("a preflight of an allowed origin", 204, "OPTIONS", "Origin", "https://app.example.com",
		"Access-Control-Request-Method", "POST"),
	Entry("another host", 403, "POST", "Host", "evil.com", "Content-Type", "application/json"),
	Entry("another host, by GET", 403, "GET", "Host", "evil.com:8080"),
	Entry("another origin", 403, "POST", "Origin", "http://evil.com", "Content-Type", "application/json"),
	Entry("another origin, identified only by Sec-Fetch-Site", 403, "GET", "Sec-Fetch-Site", "cross-site"),
	Entry("an opaque origin", 403, "POST", "Origin", "null"),
	Entry("the preflight of another origin", 403, "OPTIONS", "Origin", "http://evil.com",
		"Access-Control-Request-Method", "POST"),
	Entry("text", 415, "POST", "Content-Type", "text/plain;charset=UTF-8"),
	Entry("a form from a page", 415, "POST", "Content-Type", "application/x-www-form-urlencoded", "Origin",
		"https://app.example.com"),
	Entry("an upload from a page", 415, "POST", "Content-Type", "multipart/form-data; boundary=x", "Sec-Fetch-Site",
		"same-origin"),
)
