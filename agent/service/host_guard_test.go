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

var _ = Describe("Hosts and origins", func() {
	// asked sends a turn with headers and returns the answer.
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

	DescribeTable("are accepted only for this host", func(host string, known bool) {
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

	DescribeTable("are compared in any notation of the host", func(allowed, host string) {
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

	DescribeTable("must be origins that a browser can send", func(origin, message string) {
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

	It("are named in the error, as far as the browser reports them", func() {
		_, message := problemOf(asked(only(silent), "GET", "Sec-Fetch-Site", "cross-site"))
		Expect(message).To(Equal("pages of other sites may not ask here"))
		_, message = problemOf(asked(only(silent), "GET", "Origin", "https://evil.example"))
		Expect(message).To(Equal(`pages of "https://evil.example" may not ask here`))
	})

	It("may be any host if any is allowed", func() {
		cfg := only(silent)
		cfg.AllowedHosts = []string{"*"}
		Expect(asked(cfg, "POST", "Host", "anything.example.com").Code).To(Equal(http.StatusOK))
	})

	DescribeTable("may be only the local address of the connection", func(host string, want int) {
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

	DescribeTable("must not be foreign pages, for GET and POST", func(allowed bool, headers ...string) {
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
		Entry("a program", true),
		Entry("a page of the same origin", true, "Origin", "http://example.com"),
		Entry("typed into the address bar", true, "Sec-Fetch-Site", "none"),
		Entry("same origin", true, "Sec-Fetch-Site", "same-origin"),
		Entry("another page", false, "Origin", "https://evil.example"),
		Entry("another port", false, "Origin", "http://example.com:3000"),
		Entry("a sandboxed page", false, "Origin", "null"),
		Entry("an image or a link on another site", false, "Sec-Fetch-Site", "cross-site"),
		Entry("same site", false, "Sec-Fetch-Site", "same-site"),
	)

	It("may be allowed pages, which can read the answer", func() {
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

	It("may send a preflight and receive the allowed methods", func() {
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

	It("may be any page if any is allowed", func() {
		cfg := only(silent)
		cfg.AllowedOrigins = []string{"*"}
		w := asked(cfg, "GET", "Origin", "https://whoever.example", "Sec-Fetch-Site", "cross-site")
		Expect(w.Code).To(Equal(http.StatusOK))
		Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal("https://whoever.example"))
	})
})
