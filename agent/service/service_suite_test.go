package service_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/service"
	"evalctl/agent/trace"
	"evalctl/mocks/transport"
)

func TestService(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "service")
}

var _ = BeforeEach(func() {
	if slices.Contains(CurrentSpecReport().Labels(), "long") && os.Getenv("EVALCTL_LONG") == "" {
		Skip("make long runs it")
	}
})

var midnight = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

const chatPath = "/v1/agents/a/chat"

func made(cfg service.Config) *service.Service {
	GinkgoHelper()
	s, err := service.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return s
}

// only returns the configuration of a service with this agent under the name a, without a log.
func only(f agent.Func) service.Config {
	return service.Config{Agents: map[string]agent.Agent{"a": f}, AllowedHosts: []string{"example.com"},
		Log: slog.New(slog.DiscardHandler)}
}

func logged(cfg *service.Config) *gbytes.Buffer {
	b := gbytes.NewBuffer()
	cfg.Log = slog.New(slog.NewTextHandler(b, nil))
	return b
}

func silent(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
	return agent.Reply{Content: "ok"}, nil
}

func recorded(h http.Handler, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	} else {
		r.Header.Set("Accept", "text/event-stream")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func streamed(cfg service.Config) string {
	GinkgoHelper()
	w := recorded(made(cfg), "POST", chatPath, `{"text":"x","sessionId":"s1"}`)
	Expect(w.Code).To(Equal(200))
	return withoutIDs(w.Body.String())
}

var eventIDs = regexp.MustCompile(`(?m)^id: .*\n`)

func withoutIDs(stream string) string { return eventIDs.ReplaceAllString(stream, "") }

// simulated answers a turn on a simulated clock and returns how long it took.
func simulated(cfg service.Config) (body string, duration time.Duration) {
	GinkgoHelper()
	s := made(cfg)
	Expect(clock.RunSimulated(context.Background(), midnight, func(ctx context.Context) error {
		client := &http.Client{Transport: transport.Transport{Handler: s}}
		r, err := post(ctx, client, "http://127.0.0.1", `{"text":"x","sessionId":"s1"}`)
		if err != nil {
			return err
		}
		b, err := io.ReadAll(r.Body)
		body, duration = withoutIDs(string(b)), clock.Since(ctx, midnight)
		return err
	})).To(Succeed())
	return body, duration
}

func listening(cfg service.Config) (*service.Service, *httptest.Server) {
	s := made(cfg)
	server := httptest.NewServer(s)
	DeferCleanup(server.Close)
	return s, server
}

func post(ctx context.Context, c *http.Client, base, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+chatPath, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	return c.Do(r)
}

func problemOf(w *httptest.ResponseRecorder) (code, message string) {
	GinkgoHelper()
	Expect(w.Header().Get("Content-Type")).To(Equal("application/json"))
	var body struct {
		Error struct{ Code, Message string }
	}
	Expect(json.Unmarshal(w.Body.Bytes(), &body)).To(Succeed())
	return body.Error.Code, body.Error.Message
}

// Images of one pixel in base64.
var (
	onePNG  = encoded(func(w io.Writer, m image.Image) error { return png.Encode(w, m) })
	oneJPEG = encoded(func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) })
)

func encoded(write func(io.Writer, image.Image) error) string {
	var b bytes.Buffer
	if err := write(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
