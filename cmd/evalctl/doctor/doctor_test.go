package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/outbound"
	"evalctl/cmd/evalctl/doctor"
	"evalctl/mocks"
)

func TestDoctor(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Doctor")
}

const key = "sk-very-secret-0123456789"

var _ = DescribeTable("APIKeyVariable.Check reports the state of a key",
	func(value string, wanted bool, mark doctor.Status, text string) {
		got := doctor.APIKeyVariable{Name: "SOME_KEY", Provider: "somebody", Required: wanted, Value: value,
			IsSet: value != "-"}.Check()
		Expect(got).To(Equal(doctor.Finding{Check: "key", Status: mark, Message: "SOME_KEY of somebody " + text}))
		Expect(got.Message).NotTo(ContainSubstring("very-secret"))
	},
	Entry("a valid key", key, true, doctor.StatusOK, "is set"),
	Entry("a required key that is not set", "-", true, doctor.StatusFailed, "is not set"),
	Entry("an optional key that is not set", "-", false, doctor.StatusSkipped, "is not set, not needed"),
	Entry("an empty key", "", true, doctor.StatusFailed, "is set but empty"),
	Entry("a key of white space", " \t", true, doctor.StatusFailed, "is set but empty"),
	Entry("a key with a line end", key+"\n", true, doctor.StatusFailed, "starts or ends with white space"),
	Entry("a key in quotes", `"`+key+`"`, true, doctor.StatusFailed, "starts or ends with a quotation mark"),
	Entry("a key that contains a space", "sk very-secret", true, doctor.StatusFailed,
		"contains white space or a character that no key has"),
	Entry("a key that contains a typographic dash", "sk–very-secret", true, doctor.StatusFailed,
		"contains white space or a character that no key has"),
	Entry("an optional key in quotes: only a warning", "'"+key+"'", false, doctor.StatusWarning,
		"starts or ends with a quotation mark"),
	Entry("a key that is too short to be redacted", "none", true, doctor.StatusWarning,
		"is set, but too short to be redacted in files and output"))

var _ = Describe("Probe", func() {
	var asked []string
	BeforeEach(func() { asked = nil })

	serve := func(h http.HandlerFunc) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.Method+" "+r.URL.Path)
			h(w, r)
		}))
		DeferCleanup(s.Close)
		return s.URL + "/v1"
	}
	answers := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	check := func(e doctor.Endpoint) []doctor.Finding {
		GinkgoHelper()
		p := doctor.Probe{HTTP: outbound.New(outbound.Config{}), Timeout: 5 * time.Second, Now: time.Now}
		got := p.Check(context.Background(), e)
		for _, f := range got {
			Expect(f.Message).NotTo(ContainSubstring("very-secret"))
		}
		return got
	}

	It("reports that an endpoint answers, and compares the clocks", func() {
		s, err := mocks.New(mocks.Config{APIKey: key})
		Expect(err).NotTo(HaveOccurred())
		base := serve(s.ServeHTTP)
		got := check(doctor.Endpoint{BaseURL: base, Key: key, KeyVariable: "SOME_KEY"})
		Expect(got).To(HaveLen(2))
		Expect(got[0].Status).To(Equal(doctor.StatusOK), got[0].Message)
		Expect(got[0].Message).To(MatchRegexp(`^http://127\.0\.0\.1:\d+/v1 answers within \d+(\.\d+)? [mµ]?s$`))
		Expect(got[1]).To(HaveField("Status", doctor.StatusOK))
		Expect(asked).To(Equal([]string{"GET /v1/models"}), "one call")
	})

	DescribeTable("reports why an endpoint does not work",
		func(status int, body string, mark doctor.Status, text string) {
			got := check(doctor.Endpoint{BaseURL: serve(answers(status, body)), Key: key, KeyVariable: "SOME_KEY",
				Model: "m-1"})
			Expect(got[0].Status).To(Equal(mark), got[0].Message)
			Expect(got[0].Message).To(HaveSuffix(" " + text))
		},
		Entry("the endpoint rejects the key with 401", 401, key, doctor.StatusFailed, "refuses SOME_KEY (401)"),
		Entry("the endpoint rejects the key with 403", 403, "{}", doctor.StatusFailed, "refuses SOME_KEY (403)"),
		Entry("the account of the key has no balance", 402, "{}", doctor.StatusFailed,
			"reports that the account has no balance left (402)"),
		Entry("the endpoint has reached its rate limit", 429, "{}", doctor.StatusWarning,
			"is rate-limited, or its quota is used up (429)"),
		Entry("the endpoint has a server error", 503, "<html>", doctor.StatusFailed, "answers 503"),
		Entry("the list of models lacks the requested model", 200, `{"data":[{"id":"m-2"}]}`, doctor.StatusWarning,
			"answers but does not list m-1"))

	It("accepts an endpoint that lists the model, or whose list is empty or unreadable", func() {
		for _, body := range []string{`{"data":[{"id":"M-1"}]}`, `{"data":[]}`, `[]`, `no JSON`} {
			Expect(check(doctor.Endpoint{BaseURL: serve(answers(200, body)), Model: "m-1"})[0].Status).
				To(Equal(doctor.StatusOK), body)
		}
	})

	It("requests one token from an endpoint without a list of models", func() {
		var said string
		base := serve(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				w.WriteHeader(404)
				return
			}
			b := make([]byte, 200)
			n, _ := r.Body.Read(b)
			said = string(b[:n])
		})
		Expect(check(doctor.Endpoint{BaseURL: base, Model: "m-1", TokenLimitField: "max_completion_tokens"})[0].Status).
			To(Equal(doctor.StatusOK))
		Expect(asked).To(Equal([]string{"GET /v1/models", "POST /v1/chat/completions"}))
		Expect(said).To(And(ContainSubstring(`"max_completion_tokens":1`), ContainSubstring(`"model":"m-1"`)))
		got := check(doctor.Endpoint{BaseURL: base})
		Expect(got[0].Status).To(Equal(doctor.StatusWarning), "no model is known to ask")
		Expect(got[0].Message).To(HaveSuffix("to check a model, name it with --model"))
	})

	It("does not send the key to the target of a redirect", func() {
		other := serve(answers(200, "{}"))
		got := check(doctor.Endpoint{BaseURL: serve(func(w http.ResponseWriter,
			r *http.Request) {
			http.Redirect(w, r, other, http.StatusFound)
		}), Key: key})
		Expect(got[0].Status).To(Equal(doctor.StatusFailed), got[0].Message)
		Expect(asked).To(HaveLen(1))
	})

	It("reports a refused connection, without the password in the URL", func() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		Expect(l.Close()).To(Succeed())
		got := check(doctor.Endpoint{BaseURL: "http://me:very-secret@" + l.Addr().String() + "/v1"})
		Expect(got).To(HaveLen(1), "no clock is read")
		Expect(got[0].Status).To(Equal(doctor.StatusFailed))
		Expect(got[0].Message).To(ContainSubstring("connection refused"))
	})

	It("reports an endpoint that does not answer within the timeout", func() {
		base := serve(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		p := doctor.Probe{HTTP: outbound.New(outbound.Config{}), Timeout: 20 * time.Millisecond, Now: time.Now}
		got := p.Check(context.Background(), doctor.Endpoint{BaseURL: base})
		Expect(got[0].Status).To(Equal(doctor.StatusFailed))
		Expect(got[0].Message).To(HaveSuffix("does not answer within 20ms"))
	})

	// at returns a fake clock that advances by step at each reading.
	at := func(begin time.Time, step time.Duration) func() time.Time {
		now := begin.Add(-step)
		return func() time.Time {
			now = now.Add(step)
			return now
		}
	}
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dated := func(date string) doctor.Endpoint {
		return doctor.Endpoint{BaseURL: serve(func(w http.ResponseWriter,
			_ *http.Request) {
			w.Header()["Date"] = []string{date}
		})}
	}

	It("warns about a slow endpoint", func() {
		p := doctor.Probe{HTTP: http.DefaultClient, Timeout: time.Second, Now: at(noon, 3*time.Second)}
		got := p.Check(context.Background(), dated(noon.Format(http.TimeFormat)))
		Expect(got[0].Status).To(Equal(doctor.StatusWarning))
		Expect(got[0].Message).To(HaveSuffix("answers after 3.00 s"))
	})

	DescribeTable("compares the local clock with the endpoint's",
		func(off time.Duration, mark doctor.Status, text string) {
			p := doctor.Probe{HTTP: http.DefaultClient, Timeout: time.Second, Now: at(noon.Add(off), 0)}
			got := p.Check(context.Background(), dated(noon.Format(http.TimeFormat)))
			Expect(got[1].Status).To(Equal(mark))
			Expect(got[1].Message).To(HavePrefix(text))
		},
		Entry("a local clock that is more than a minute ahead: a warning", 61*time.Second, doctor.StatusWarning,
			"is 1m1s ahead of 127.0.0.1"),
		Entry("a local clock that is more than a minute behind: a warning", -2*time.Hour, doctor.StatusWarning,
			"is 2h0m0s behind 127.0.0.1"),
		Entry("a local clock that is a minute ahead: accepted", 60*time.Second, doctor.StatusOK,
			"agrees with 127.0.0.1"))

	It("skips the comparison of clocks if the endpoint sends no valid date", func() {
		p := doctor.Probe{HTTP: http.DefaultClient, Timeout: time.Second, Now: time.Now}
		Expect(p.Check(context.Background(), dated("yesterday"))[1].Status).To(Equal(doctor.StatusSkipped))
	})
})

// disk is a fake Disk that returns the values of its fields.
type disk struct {
	free     uint64
	unknown  bool
	writeErr error
	written  *[]string
}

func (d disk) Free(string) (uint64, bool, error) { return d.free, !d.unknown, nil }
func (d disk) CheckWritable(dir string) error {
	if d.written != nil {
		*d.written = append(*d.written, dir)
	}
	return d.writeErr
}

var _ = Describe("CheckSpace", func() {
	DescribeTable("reports the free space of a directory", func(d disk, mark doctor.Status, text string) {
		Expect(doctor.CheckSpace(d, ".")).To(Equal(doctor.Finding{Check: "disk", Status: mark, Message: text}))
	},
		Entry("enough space", disk{free: 5 << 30}, doctor.StatusOK, ". has 5 GiB left"),
		Entry("little space: a warning", disk{free: 900 << 20}, doctor.StatusWarning, ". has 900 MiB left"),
		Entry("almost no space: a failure", disk{free: 3 << 20}, doctor.StatusFailed, ". has 3 MiB left"),
		Entry("a system that does not report free space", disk{unknown: true}, doctor.StatusOK, ". can be written to"),
		Entry("a directory that cannot be written to",
			disk{writeErr: &fs.PathError{Op: "open", Path: "x", Err: syscall.ENOSPC}},
			doctor.StatusFailed, "nothing can be written to .: no space left on device"))

	It("checks the nearest existing parent of a missing directory", func() {
		var at []string
		dir := GinkgoT().TempDir()
		doctor.CheckSpace(disk{written: &at}, filepath.Join(dir, "a", "b"))
		Expect(at).To(Equal([]string{dir}))
	})

	It("leaves no file on the local disk", func() {
		dir := GinkgoT().TempDir()
		Expect(doctor.CheckSpace(doctor.LocalDisk{}, dir).Status).To(BeElementOf(doctor.StatusOK, doctor.StatusWarning))
		Expect(filepath.Glob(filepath.Join(dir, "*"))).To(BeEmpty())
		Expect(filepath.Glob(filepath.Join(dir, ".*"))).To(BeEmpty())
	})
})

var _ = DescribeTable("Terminal.Check reports how output is shown", func(s doctor.Terminal, marks, text string) {
	var got, texts []string
	for _, f := range s.Check() {
		got, texts = append(got, f.Status.Symbol(true)), append(texts, f.Message)
	}
	Expect(strings.Join(got, "")).To(Equal(marks))
	Expect(strings.Join(texts, "; ")).To(Equal(text))
},
	Entry("a terminal with colors and UTF-8",
		doctor.Terminal{IsTerminal: true, Colors: true, UTF8: true, Width: 120, Locale: "zh_CN.UTF-8"}, "✓✓",
		"120 columns, colors; zh_CN.UTF-8"),
	Entry("a narrow terminal with a Latin-1 locale: two warnings",
		doctor.Terminal{IsTerminal: true, Width: 60, Locale: "de_DE.ISO-8859-1"}, "!!",
		"60 columns: tables need 80; de_DE.ISO-8859-1 is not UTF-8: symbols are shown in ASCII"),
	Entry("a pipe without a locale: a warning about the locale", doctor.Terminal{}, "–!",
		"none: the output goes to a pipe or a file, without colors; neither LC_ALL nor LANG is set: symbols are shown in ASCII"))

var _ = Describe("A finding", func() {
	It("has a symbol for each status, also in ASCII", func() {
		for _, m := range []doctor.Status{doctor.StatusOK, doctor.StatusFailed, doctor.StatusWarning,
			doctor.StatusSkipped} {
			Expect(m.Symbol(true)).NotTo(BeEmpty())
			Expect(m.Symbol(false)).To(MatchRegexp("^[ -~]$"))
		}
	})

	It("contains the error of a shared cache that is not reachable", func() {
		Expect(doctor.CheckCache("redis://h", func() error { return nil })).To(HaveField("Status", doctor.StatusOK))
		Expect(doctor.CheckCache("redis://h", func() error { return errors.New("refused") })).
			To(Equal(doctor.Finding{Check: "cache", Status: doctor.StatusFailed, Message: "redis://h: refused"}))
	})

	It("counts as failed only if its status is failed", func() {
		Expect(doctor.CountFailed([]doctor.Finding{{Status: doctor.StatusFailed}, {Status: doctor.StatusWarning},
			{Status: doctor.StatusOK}, {Status: doctor.StatusFailed}})).To(Equal(2))
	})
})
