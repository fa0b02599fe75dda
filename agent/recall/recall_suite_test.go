package recall_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/recall"
)

func TestRecall(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "recall")
}

// service is a mock retrieval service. It sends the same response to every request and records the
// requests.
type service struct {
	status int
	body   string
	header http.Header
	err    error // transport error in place of a response

	asked   []*http.Request
	request string // body of the last request
}

func (s *service) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.asked, s.request = append(s.asked, r), string(body)
	if s.err != nil {
		return nil, s.err
	}
	header := s.header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: s.status, Body: io.NopCloser(strings.NewReader(s.body)), Header: header,
		Request: r}, nil
}

// recallService is a mock retrieval service that returns a response to each request.
type recallService func(r *http.Request, body string) string

func (s recallService) Do(r *http.Request) (*http.Response, error) {
	body := []byte{}
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(s(r, string(body)))), Request: r}, nil
}

// client returns a client for the service s, with the changes to its configuration.
func client(s *service, change ...func(*recall.Config)) *recall.Client {
	GinkgoHelper()
	cfg := recall.Config{HTTP: s, APIKey: "ragflow-secret-key"}
	for _, c := range change {
		c(&cfg)
	}
	c, err := recall.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return c
}

// search runs one search in simulated time.
func search(s recall.Searcher, q recall.Query) (found []recall.Chunk, err error) {
	GinkgoHelper()
	simulate(func(ctx context.Context) { found, err = s.Search(ctx, q) })
	return found, err
}

// simulate runs f in simulated time.
func simulate(f func(ctx context.Context)) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
		func(ctx context.Context) error {
			f(ctx)
			return nil
		})).To(Succeed())
}

func number(x float64) *float64 { return &x }
