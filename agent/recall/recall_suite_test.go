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

// service sends the same answer to every request, and records the request.
type service struct {
	status int
	body   string
	header http.Header
	err    error // in place of an answer

	asked   []*http.Request
	request string // last request body
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

// client returns a client of s.
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

// search searches in simulated time.
func search(s recall.Searcher, q recall.Query) (found []recall.Chunk, err error) {
	GinkgoHelper()
	Expect(clock.Run(context.Background(), time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
		func(ctx context.Context) error {
			found, err = s.Search(ctx, q)
			return nil
		})).To(Succeed())
	return found, err
}

func number(x float64) *float64 { return &x }
