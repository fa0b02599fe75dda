package service_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/service"
	"evalctl/agent/service/door"
)

var _ = Describe("Host and origin check", func() {
	asked := func(cfg service.Config, method string, headers ...string) *httptest.ResponseRecorder {
		GinkgoHelper()
		r := httptest.NewRequest(method, chatPath+"?text=x", strings.NewReader(`{}`))
		r.Header.Set("Accept", "text/event-stream")
		if method == http.MethodPost {
			r = httptest.NewRequest(method, chatPath, strings.NewReader(`{}`))
			r.Header.Set("Content-Type", "application/json")
		}
		for i := 0; i < len(headers); i += 2 {
			if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
				r.Host = headers[i+1]
			}
		}
		w := httptest.NewRecorder()
		made(cfg).ServeHTTP(w, r)
		return w
	}

	DescribeTable("accepts requests only for names of this machine and allowed hosts", func(host string, known bool) {
		cfg := only(silent)
		cfg.AllowedHosts = []string{"Agents.example.com"}
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			w := asked(cfg, method, "Host", host)
			if !known {
				code, _ := problemOf(w)
				Expect(code).To(Equal("HOST_NOT_ALLOWED"))
			}
			Expect(w.Code == http.StatusForbidden).To(Equal(!known), method)
		}
	},
		Entry(nil, "localhost", true),
		Entry(nil, "LOCALHOST:8088", true),
		Entry(nil, "127.0.0.1:8088", true),
		Entry(nil, "127.8.9.1", true),
		Entry(nil, "[::1]:8088", true),
		Entry(nil, "agents.example.com:8088", true),
		Entry(nil, "agents.example.com.", true),
		Entry(nil, "example.com", false),
		Entry(nil, "localhost.example.com", false),
		Entry(nil, "127.0.0.1.example.com", false),
		Entry(nil, "10.0.0.1:8088", false),
		Entry(nil, "0.0.0.0:8088", false),
		Entry(nil, "", false),
		Entry(nil, "*", false),
	)

	DescribeTable("compares host names regardless of case, final dots and IPv6 notation", func(allowed, host string) {
		Expect(door.CheckHost(allowed)).To(Succeed())
		cfg := only(silent)
		cfg.AllowedHosts = []string{allowed}
		Expect(asked(cfg, "POST", "Host", host).Code).To(Equal(http.StatusOK))
		Expect(asked(cfg, "POST", "Host", "x"+host).Code).To(Equal(http.StatusForbidden))
	},
		Entry(nil, "Agents.Example.org.", "agents.example.org:8088"),
		Entry(nil, "agents.example.org", "AGENTS.example.org."),
		Entry(nil, "2001:db8::1", "[2001:db8::1]:8088"),
		Entry(nil, "[2001:DB8:0::1]", "[2001:db8::1]"),
	)

	DescribeTable("rejects a configured origin that no browser can send", func(origin, message string) {
		cfg := only(silent)
		cfg.AllowedOrigins = []string{origin}
		_, err := service.New(cfg)
		if message == "" {
			Expect(err).NotTo(HaveOccurred())
			w := asked(cfg, "POST", "Origin", strings.ToLower(origin), "Sec-Fetch-Site", "cross-site")
			Expect(w.Code).To(Equal(http.StatusOK))
			Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal(strings.ToLower(origin)))
			return
		}
		Expect(err).To(MatchError(And(ContainSubstring("service.Config.AllowedOrigins: "), ContainSubstring(message))))
	},
		Entry(nil, "HTTPS://App.Example.org", ""),
		Entry(nil, "http://[::1]:3000", ""),
		Entry(nil, "https://*.example.org", "not a plain name"),
		Entry(nil, "https://画.example.org", "not a plain name"),
		Entry(nil, "https://app.example.org:443", "leave this port out"),
		Entry(nil, "http://app.example.org:80", "leave this port out"),
		Entry(nil, "https://app.example.org:", "leave this port out"),
	)

	It("names the rejected origin in the error message if the browser sends an origin", func() {
		_, message := problemOf(asked(only(silent), "GET", "Sec-Fetch-Site", "cross-site"))
		Expect(message).To(Equal("pages of other sites may not ask here"))
		_, message = problemOf(asked(only(silent), "GET", "Origin", "https://evil.example"))
		Expect(message).To(Equal(`pages of "https://evil.example" may not ask here`))
	})

	It("accepts every host if \"*\" is allowed", func() {
		cfg := only(silent)
		cfg.AllowedHosts = []string{"*"}
		Expect(asked(cfg, "POST", "Host", "anything.example.com").Code).To(Equal(http.StatusOK))
	})

	DescribeTable("accepts the local address of the connection as the host, and no other address",
		func(host string, want int) {
			r := httptest.NewRequest("GET", "/healthz", nil)
			r.Host = host
			at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8088}
			w := httptest.NewRecorder()
			made(only(silent)).ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, at)))
			Expect(w.Code).To(Equal(want))
		},
		Entry(nil, "192.0.2.1:8088", http.StatusOK),
		Entry(nil, "192.0.2.1", http.StatusOK),
		Entry(nil, "192.0.2.2:8088", http.StatusForbidden),
		Entry(nil, "rebound.example.org", http.StatusForbidden),
	)

	DescribeTable("rejects web pages of other origins, for GET and POST", func(allowed bool, headers ...string) {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			w := asked(only(silent), method, headers...)
			if !allowed {
				code, _ := problemOf(w)
				Expect(code).To(Equal("ORIGIN_NOT_ALLOWED"))
			}
			Expect(w.Code == http.StatusForbidden).To(Equal(!allowed), method)
			Expect(w.Header()).NotTo(HaveKey("Access-Control-Allow-Origin"))
		}
	},
		Entry("a program without browser headers is accepted", true),
		Entry("a page of the same origin is accepted", true, "Origin", "http://example.com"),
		Entry("an address that the user has typed in is accepted", true, "Sec-Fetch-Site", "none"),
		Entry("a request with Sec-Fetch-Site same-origin is accepted", true, "Sec-Fetch-Site", "same-origin"),
		Entry("a page of another origin is rejected", false, "Origin", "https://evil.example"),
		Entry("a page of the same host with another port is rejected", false, "Origin", "http://example.com:3000"),
		Entry("a sandboxed page (origin null) is rejected", false, "Origin", "null"),
		Entry("an image or link on another site is rejected", false, "Sec-Fetch-Site", "cross-site"),
		Entry("another origin of the same site is rejected", false, "Sec-Fetch-Site", "same-site"),
	)

	It("accepts pages of allowed origins, which can then read the answer", func() {
		cfg := only(silent)
		cfg.AllowedOrigins = []string{"https://app.example.org", "http://localhost:3000"}
		for _, origin := range cfg.AllowedOrigins {
			w := asked(cfg, "POST", "Origin", origin, "Sec-Fetch-Site", "cross-site")
			Expect(w.Code).To(Equal(http.StatusOK))
			Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal(origin))
			Expect(w.Header().Get("Access-Control-Expose-Headers")).To(ContainSubstring("X-Session-Id"))
			Expect(w.Header().Get("Vary")).To(Equal("Origin"))
		}
		w := asked(cfg, "POST", "Origin", "https://evil.example")
		Expect(w.Code).To(Equal(http.StatusForbidden))
		Expect(w.Header()).NotTo(HaveKey("Access-Control-Allow-Origin"))
		Expect(w.Header().Get("Vary")).To(Equal("Origin"), "a cache must not give it to those who are allowed")
	})

	It("answers the CORS preflight of an allowed origin with the allowed methods", func() {
		cfg := only(silent)
		cfg.AllowedOrigins = []string{"https://app.example.org"}
		w := asked(cfg, "OPTIONS", "Origin", "https://app.example.org", "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "content-type")
		Expect(w.Code).To(Equal(http.StatusNoContent))
		Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal("https://app.example.org"))
		Expect(w.Header().Get("Access-Control-Allow-Methods")).To(ContainSubstring("POST"))
		Expect(w.Header().Get("Access-Control-Allow-Headers")).To(ContainSubstring("Content-Type"))
		Expect(asked(cfg, "OPTIONS", "Origin", "https://evil.example", "Access-Control-Request-Method", "POST").Code).
			To(Equal(http.StatusForbidden))
	})

	It("accepts pages of every origin if \"*\" is allowed", func() {
		cfg := only(silent)
		cfg.AllowedOrigins = []string{"*"}
		w := asked(cfg, "GET", "Origin", "https://whoever.example", "Sec-Fetch-Site", "cross-site")
		Expect(w.Code).To(Equal(http.StatusOK))
		Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal("https://whoever.example"))
	})
})
