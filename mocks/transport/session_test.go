package transport_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/mocks/transport"
)

// exchange is a handler and a client whose observations are compared between a socket and the
// in-process transport.
type exchange struct {
	handler http.HandlerFunc
	client  func(ctx context.Context, s *session)
}

// session is one run of an exchange. It collects what client and handler observe.
type session struct {
	client       *http.Client
	url          string
	observations []string
	served       *clock.Chan[string] // receives the handler's observation at its end
}

func (s *session) say(format string, a ...any) {
	s.observations = append(s.observations, fmt.Sprintf(format, a...))
}

func (s *session) request(ctx context.Context, method, path string, body io.Reader) *http.Request {
	GinkgoHelper()
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	Expect(err).NotTo(HaveOccurred())
	return req
}

// do sends req and records the response, except for its date.
func (s *session) do(req *http.Request) {
	res, err := s.client.Do(req)
	if err != nil {
		s.say("no answer: %s", errorKind(err))
		return
	}
	defer res.Body.Close()
	s.sayHeader(res)
	b, err := io.ReadAll(res.Body)
	s.say("body of %d: %.300q %s", len(b), b, errorKind(err))
}

func (s *session) sayHeader(res *http.Response) {
	s.say("%s %s length %d %v uncompressed %v", res.Proto, res.Status, res.ContentLength, res.TransferEncoding,
		res.Uncompressed)
	_, dated := res.Header["Date"]
	s.say("dated %v", dated)
	res.Header.Del("Date")
	sayAll(s, res.Header)
}

func sayAll(s *session, h http.Header) {
	for _, k := range slices.Sorted(maps.Keys(h)) {
		s.say("%s: %q", k, h[k])
	}
}

// errorKind returns the properties of an error that a client may depend on, as text.
func errorKind(err error) string {
	switch {
	case err == nil:
		return "fine"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, http.ErrBodyReadAfterClose), strings.Contains(err.Error(), "closed response body"):
		return "read after close"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return "no gzip"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return "broken"
	default:
		return err.Error()
	}
}

func get(path string) func(context.Context, *session) {
	return func(ctx context.Context, s *session) { s.do(s.request(ctx, http.MethodGet, path, nil)) }
}

func method(m string) func(context.Context, *session) {
	return func(ctx context.Context, s *session) { s.do(s.request(ctx, m, "/", nil)) }
}

// write returns a handler that answers with the text and flushes at every "|".
func write(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i, part := range strings.Split(text, "|") {
			if i > 0 {
				w.(http.Flusher).Flush()
			}
			_, _ = io.WriteString(w, part)
		}
	}
}

func headed(name, value string, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, value)
		h(w, r)
	}
}

func status(code int, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		h(w, r)
	}
}

func zipped(text string) string {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	_, _ = io.WriteString(zw, text)
	_ = zw.Close()
	return b.String()
}

// echo answers with the request as it was received.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s|%s|%s|%s|%v|%d %v|%q %v\n", r.Method, r.RequestURI, r.URL.Path, r.URL.String(),
		r.URL.Host, r.Host == "",
		r.ContentLength, r.TransferEncoding, body, err)
	for _, k := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintf(w, "%s: %q\n", k, r.Header[k])
	}
}

// waitForDisconnect waits until the client disconnects and records that it did.
func waitForDisconnect(s *session, r *http.Request) {
	err := clock.Sleep(r.Context(), time.Minute)
	_ = s.served.Send(context.WithoutCancel(r.Context()), "handler: "+errorKind(err))
}

func overSocket(ctx context.Context, h http.Handler, client func(context.Context, *session), s *session) {
	srv := httptest.NewServer(h)
	srv.Config.ErrorLog = nil
	defer srv.Close()
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	s.url, s.client = strings.Replace(srv.URL, "127.0.0.1", "localhost", 1), &http.Client{Transport: tr}
	client(ctx, s)
}

func inProcess(ctx context.Context, h http.Handler, client func(context.Context, *session), s *session) {
	s.url, s.client = "http://localhost:1234", &http.Client{Transport: transport.Transport{Handler: h}}
	client(ctx, s)
}

type runner func(context.Context, http.Handler, func(context.Context, *session), *session)

// observe runs an exchange and returns the observations.
func observe(ctx context.Context, play runner, exchangeOf func(s *session) exchange) []string {
	s := &session{served: clock.NewChan[string](ctx, "the handler's word", 1)}
	x := exchangeOf(s)
	play(ctx, x.handler, x.client, s)
	return s.observations
}
