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

var _ = DescribeTable("15.9: HostGuard accepts requests of programs, rejects those of web pages of other sites, and returns this HTTP status",
	func(want int, method string, header ...string) {
		d, err := door.New([]string{"models.lan"}, []string{"https://app.example.com"})
		Expect(err).NotTo(HaveOccurred())
		s := httptest.NewServer(
			d.Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })))
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
	Entry("an SDK with a JSON request is accepted", 200, "POST", "Content-Type", "application/json", "User-Agent",
		"OpenAI/Python"),
	Entry("an SDK that itself runs in a web server is accepted", 200, "POST", "Content-Type",
		"application/json; charset=utf-8",
		"Sec-Fetch-Mode", "cors"),
	Entry("a file upload by a program is accepted", 200, "POST", "Content-Type", "multipart/form-data; boundary=x"),
	Entry("a form sent by curl -d is accepted", 200, "POST", "Content-Type", "application/x-www-form-urlencoded"),
	Entry("a request without a content type is accepted", 200, "POST"),
	Entry("a GET request is accepted", 200, "GET"),
	Entry("a request for an allowed host is accepted", 200, "POST", "Host", "models.lan:8080", "Content-Type",
		"application/json"),
	Entry("a web page of an allowed origin is accepted", 200, "POST", "Origin", "https://app.example.com",
		"Sec-Fetch-Site", "cross-site",
		"Content-Type", "application/json"),
	Entry("the CORS preflight of an allowed origin is answered", 204, "OPTIONS", "Origin", "https://app.example.com",
		"Access-Control-Request-Method", "POST"),
	Entry("a request for a foreign host is rejected", 403, "POST", "Host", "evil.com", "Content-Type",
		"application/json"),
	Entry("a GET request for a foreign host is rejected", 403, "GET", "Host", "evil.com:8080"),
	Entry("a web page of another origin is rejected", 403, "POST", "Origin", "http://evil.com", "Content-Type",
		"application/json"),
	Entry("a web page of another origin is rejected even if only the header Sec-Fetch-Site shows the origin",
		403, "GET",
		"Sec-Fetch-Site", "cross-site"),
	Entry("a web page with an opaque origin (null) is rejected", 403, "POST", "Origin", "null"),
	Entry("the CORS preflight of another origin is rejected", 403, "OPTIONS", "Origin", "http://evil.com",
		"Access-Control-Request-Method", "POST"),
	Entry("the content type text/plain is rejected", 415, "POST", "Content-Type", "text/plain;charset=UTF-8"),
	Entry("a form sent by a web page is rejected", 415, "POST", "Content-Type", "application/x-www-form-urlencoded",
		"Origin",
		"https://app.example.com"),
	Entry("a file upload by a web page is rejected", 415, "POST", "Content-Type", "multipart/form-data; boundary=x",
		"Sec-Fetch-Site",
		"same-origin"),
)
