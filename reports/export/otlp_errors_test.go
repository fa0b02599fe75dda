package export_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/eval/journal"
	"evalctl/reports/export"
	"evalctl/reports/export/otlptest"
)

func journalRemove(dir string) error { return os.Remove(filepath.Join(dir, journal.TracesFile)) }

var _ = Describe("SendOTLP", func() {
	answer := func(code int, header ...string) func(w http.ResponseWriter, r *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			otlptest.WriteError(w, code, "the queue is \x1b[31mfull")
			return true
		}
	}

	DescribeTable("returns an error in one line for each of these responses of the collector:",
		func(how func(w http.ResponseWriter, r *http.Request) bool, asked int, want string) {
			c := otlptest.Start(how)
			run, sum := storedRun(tracedTrial("1", "chat"))
			_, waits, err := send(c.URL, run, sum, func(cfg *export.OTLPConfig) { cfg.SetTimeout(200 * ms) })
			Expect(err).To(MatchError(ContainSubstring(want)))
			Expect(err.Error()).NotTo(ContainSubstring("\x1b"))
			Expect(c.Received().Headers).To(HaveLen(asked))
			Expect(waits).To(HaveLen(asked - 1))
		},
		Entry("status 400", answer(400), 1, "the collector answers 400 Bad Request: the queue is"),
		Entry("status 413", answer(413), 1, "the collector answers 413 Request Entity Too Large"),
		Entry("status 401", answer(401), 1, "401 Unauthorized"),
		Entry("status 500, which OTLP does not retry", answer(500), 1, "500 Internal Server Error"),
		Entry("status 503 to every attempt", answer(503), 5, "503 Service Unavailable: the queue is"),
		Entry("status 429 and a Retry-After that is too long", answer(429, "Retry-After", "3600"), 1,
			"requires a wait of 1h0m0s"),
		Entry("a redirect, which must not receive the headers", answer(307, "Location", "http://example.com/x"), 1,
			"redirect 307 to example.com/x, which is not followed"),
		Entry("an HTML page", func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<h1>hello</h1>"))
			return true
		}, 1, "is that a collector?"),
		Entry("a body that is invalid protobuf", func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "application/x-protobuf")
			_, _ = w.Write([]byte{0x0a, 0xff})
			return true
		}, 1, "is that a collector?"),
		Entry("no response before the timeout", func(_ http.ResponseWriter, r *http.Request) bool {
			// the test server detects a closed connection only after the body was read
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return true
		}, 5, "no answer within 200ms, 5 times"),
		Entry("a connection that the collector closes without a response",
			func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) },
			5, "EOF, 5 times"),
	)

	It("retries after the Retry-After delay if the collector is busy", func() {
		asked := 0
		c := otlptest.Start(func(w http.ResponseWriter, r *http.Request) bool {
			asked++
			switch asked {
			case 1:
				return answer(429, "Retry-After", "7")(w, r)
			case 2:
				return answer(503)(w, r)
			}
			return false
		})
		run, sum := storedRun(tracedTrial("1", "chat"))
		sent, waits, err := send(c.URL, run, sum)
		Expect(err).NotTo(HaveOccurred())
		Expect(waits).To(Equal([]time.Duration{7 * time.Second, 2 * time.Second}))
		c.Received().ExpectValid()
		Expect(sent.Spans).To(BeEquivalentTo(1))
	})

	It("reports how many spans or points the collector rejected, and does not send them again", func() {
		c := otlptest.Start(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "traces") {
				return false
			}
			otlptest.WritePartialSuccess(w, 1, "too old")
			return true
		})
		run, sum := storedRun(tracedTrial("1", "chat", callEvent("router", chatSpan)))
		sent, waits, err := send(c.URL, run, sum)
		Expect(err).NotTo(HaveOccurred())
		Expect(waits).To(BeEmpty())
		Expect([]any{sent.Rejected, sent.RejectReason}).To(Equal([]any{int64(1), "too old"}))
	})

	It("sends the headers from the environment variable, and reveals them nowhere else", func() {
		secrets := &secret.Set{}
		c := otlptest.Start(func(w http.ResponseWriter, r *http.Request) bool {
			otlptest.WriteError(w, 401, "no such key: "+r.Header.Get("Authorization"))
			return true
		})
		to, err := export.ParseEndpoint("env", func(name string) string {
			return map[string]string{export.EndpointVar: c.URL + "/otel/",
				export.HeadersVar: "Authorization=Bearer%20sk-0123456789, X-Team = a%2Cb"}[name]
		}, secrets)
		Expect(err).NotTo(HaveOccurred())
		run, sum := storedRun(tracedTrial("1", "chat"))
		_, _, err = send(c.URL, run, sum, func(cfg *export.OTLPConfig) { cfg.Endpoint, cfg.Secrets = to, secrets })
		Expect(err).To(MatchError(And(ContainSubstring("401"), Not(ContainSubstring("sk-0123456789")))))
		Expect(c.Received().Headers[0].Get("Authorization")).To(Equal("Bearer sk-0123456789"))
		Expect(c.Received().Headers[0].Get("X-Team")).To(Equal("a,b"))
		Expect(to.String()).To(HaveSuffix("/otel/"))
	})

	DescribeTable("rejects an invalid address or header:", func(text, headers, want string) {
		_, err := export.ParseEndpoint(text,
			func(name string) string { return map[string]string{export.HeadersVar: headers}[name] }, &secret.Set{})
		Expect(err).To(MatchError(want))
	},
		Entry("the address env if the environment variable is not set", "env", "",
			"OTEL_EXPORTER_OTLP_ENDPOINT is not set"),
		Entry("an address with another scheme than http", "grpc://host:4317", "",
			"grpc://host:4317: want http://HOST:PORT or https://HOST"),
		Entry("an address without a scheme", "localhost:4318", "",
			"localhost:4318: want http://HOST:PORT or https://HOST"),
		Entry("an address that is not a URL", "http://a b", "", "is not an address"),
		Entry("an address with a query", "http://host?key=sk-0123456789", "",
			"http://host?key=[redacted]: has a query or a fragment"),
		Entry("an address with the path of a signal, such as v1/traces", "http://host/v1/traces", "",
			"http://host/v1/traces: leave out /v1/…, which is added"),
		Entry("a header without a value", "http://host", "a=b,sk-0123456789",
			"OTEL_EXPORTER_OTLP_HEADERS: entry 2 is not NAME=VALUE"),
		Entry("a header with a line end", "http://host", "a=b%0d%0aX: y",
			"OTEL_EXPORTER_OTLP_HEADERS: entry 1 is not NAME=VALUE"),
	)
})
