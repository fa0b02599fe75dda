package cassette_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/mocks/cassette"
	"evalctl/mocks/transport"
)

func TestCassette(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "cassette")
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// inSimulatedTime calls f in simulated time.
func inSimulatedTime(f func(ctx context.Context)) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error { f(ctx); return nil })).
		To(Succeed())
}

// roundTrip is a function that implements http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// server returns an http.RoundTripper that calls a handler in process.
func server(h http.HandlerFunc) http.RoundTripper { return transport.Transport{Handler: h} }

// textServer returns an http.RoundTripper that answers every request with the same text.
func textServer(text string) http.RoundTripper {
	return server(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
}

var alice = cassette.TrialRef{Suite: "s", Variant: "v", Case: "c1", Component: "router"}

// newPath returns the path of a cassette file that does not exist yet.
func newPath() string { return filepath.Join(GinkgoT().TempDir(), "tape.jsonl") }

// recordTransport calls do with a function that makes a transport record its exchanges in the
// cassette at path. It closes the recorder afterwards.
func recordTransport(path string, clean func(string) string,
	do func(record func(who cassette.TrialRef, epoch int, next http.RoundTripper) http.RoundTripper)) {
	GinkgoHelper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	Expect(err).NotTo(HaveOccurred())
	r, err := cassette.NewRecorder(f, cassette.FileHeader{Started: noon, CreatedBy: "a test"})
	Expect(err).NotTo(HaveOccurred())
	r.Redact = clean
	do(r.Transport)
	Expect(r.Close()).To(Succeed())
}

// load opens the cassette at path. It is closed at the end of the test.
func load(path string) *cassette.Cassette {
	GinkgoHelper()
	c, err := loaded(path)
	Expect(err).NotTo(HaveOccurred())
	return c
}

func loaded(path string) (*cassette.Cassette, error) {
	GinkgoHelper()
	f, err := os.Open(path)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(f.Close)
	return cassette.Load(context.Background(), f)
}

// receivedChunk is a chunk that a client received, with the time since the request.
type receivedChunk struct {
	At   time.Duration
	Text string
}

// received is a response that a client received, with all chunks.
type received struct {
	Status int
	After  time.Duration
	Pieces []receivedChunk
	Ended  time.Duration
	Err    error
}

// post sends a POST request and returns the whole response.
func post(ctx context.Context, next http.RoundTripper, url, body string, headers ...string) (g received) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	begin := clock.Now(ctx)
	resp, err := next.RoundTrip(r)
	g.After = clock.Since(ctx, begin)
	if err != nil {
		g.Err, g.Ended = err, g.After
		return g
	}
	defer resp.Body.Close()
	g.Status = resp.StatusCode
	for b := make([]byte, 32<<10); ; {
		n, err := resp.Body.Read(b)
		if n > 0 {
			g.Pieces = append(g.Pieces, receivedChunk{clock.Since(ctx, begin), string(b[:n])})
		}
		if err != nil {
			g.Ended = clock.Since(ctx, begin)
			if err != io.EOF {
				g.Err = err
			}
			return g
		}
	}
}

// text returns the body of the response.
func (g received) text() string {
	var b bytes.Buffer
	for _, p := range g.Pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

const at = "http://127.0.0.1:1/v1/chat/completions"
