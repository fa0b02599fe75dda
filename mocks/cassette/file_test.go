package cassette_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/mocks/cassette"
)

const key = "sk-live-0123456789abcdef"

// redactOwnKey removes one configured secret, as a caller of the package does.
func redactOwnKey(text string) string {
	return strings.ReplaceAll(text, "my-own-words-9", "[redacted]")
}

var _ = Describe("a cassette file", func() {
	var path string
	BeforeEach(func() { path = newPath() })
	text := func() string {
		GinkgoHelper()
		b, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		return string(b)
	}
	one := func(answer string) {
		GinkgoHelper()
		recordTransport(path, redactOwnKey,
			func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				inSimulatedTime(func(ctx context.Context) { post(ctx, record(alice, 1, textServer(answer)), at, `{}`) })
			})
	}

	It("contains no secret from headers, URLs or bodies, nor one that is split into two chunks", func() {
		var first received
		echo := server(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", "of "+key)
			for _, piece := range []string{"data: you said sk-live-0123", "456789abcdef and my-own-",
				"words-9, is", " that so?"} {
				_, _ = io.WriteString(w, piece)
				w.(http.Flusher).Flush()
			}
		})
		body := `{"api_key":"hush hush","nested":"{\"password\": \"hush-too\"}","u":"https://me:hush3@host/x?sig=hush4&size=5","say":"my-own-words-9"}`
		recordTransport(path, redactOwnKey,
			func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				inSimulatedTime(func(ctx context.Context) {
					first = post(ctx, record(alice, 1, echo), "http://me:hush5@host/v1?api_key=hush6&x=1", body,
						"Authorization", "Bearer "+key, "X-Api-Key", key)
				})
			})
		Expect(first.text()).To(ContainSubstring(key), "who asks gets all")
		Expect(text()).NotTo(Or(ContainSubstring("hush"), ContainSubstring("0123"), ContainSubstring("own-words"),
			ContainSubstring("abcdef")))
		p := &cassette.Player{Cassette: load(path), Redact: redactOwnKey}
		inSimulatedTime(func(ctx context.Context) {
			again := post(ctx, p.Transport(alice, 1, nil), "http://host/v1?api_key=none&x=1", body)
			Expect(again.text()).To(Equal("data: you said [redacted] and [redacted], is that so?"))
		})
	})

	It("redacts the same URL parameters as all other outputs of evalctl", func() {
		for _, name := range strings.Fields(
			"key api_key token sessionToken secret sig X-Signature auth OAuth pass passwd pwd cred aws-credential q page model monkey as si tok crd") {
			address := "https://host/v1?" + name + "=value"
			Expect(cassette.Redact(address, nil)).To(Equal(secret.RedactURL(address)), name)
		}
	})

	DescribeTable("contains no secret that is split over the events of a stream",
		func(of func(piece string) string, reported string) {
			const secret = "my-own-words-9"
			answer := ""
			for _, piece := range []string{"it is ", secret[:5], secret[5:9], secret[9:], " indeed"} {
				answer += of(piece)
			}
			one(answer)
			inSimulatedTime(func(ctx context.Context) {
				again := post(ctx, (&cassette.Player{Cassette: load(path)}).Transport(alice, 1, nil), at, `{}`).text()
				Expect(regexp.MustCompile(reported).ReplaceAllString(again, "$1")).To(Equal("it is [redacted] indeed"))
				Expect(strings.Count(again, "\n")).To(Equal(strings.Count(answer, "\n")), "every event is there")
			})
		},
		Entry("events with plain text", func(p string) string { return "data:" + p + "\n\n" }, `data:([^\n]*)\n\n`),
		Entry("events with JSON", func(p string) string { return `data: {"id":"a1","text":"` + p + `"}` + "\n\n" },
			`data: \{"id":"a1","text":"([^"]*)"}\n\n`),
		Entry("lines with JSON", func(p string) string { return `{"text":"` + p + `","n":1.50}` + "\n" },
			`\{"text":"([^"]*)","n":1\.50}\n`),
		Entry("events of two choices in turn", func(p string) string {
			return `data: {"choices":[{"index":1,"delta":{"content":"no"}}]}` + "\n\n" +
				`data: {"choices":[{"index":0,"delta":{"content":"` + p + `"}}]}` + "\n\n"
		}, `data: \{"choices":\[\{"index":1,"delta":\{"content":"no"}}]}\n\ndata: \{"choices":\[\{"index":0,"delta":\{"content":"([^"]*)"}}]}\n\n`),
	)

	It("stores repeated text of a stream unchanged, even if the repetitions together resemble an API key", func() {
		answer := strings.Repeat(`data: {"model":"hf-7b-chat","text":"on "}`+"\n\n", 5) +
			`data: {"model":"hf-7b-chat","text":"and off"}` + "\n\n"
		Expect(cassette.RedactResponse(answer, redactOwnKey)).To(Equal(answer))
	})

	It("reports a write error once and records nothing after it", func() {
		f, err := os.Create(path)
		Expect(err).NotTo(HaveOccurred())
		r, err := cassette.NewRecorder(f, cassette.FileHeader{Started: noon, CreatedBy: "a test"})
		Expect(err).NotTo(HaveOccurred())
		var reported []error
		r.OnError = func(err error) { reported = append(reported, err) }
		Expect(f.Close()).To(Succeed())
		inSimulatedTime(func(ctx context.Context) {
			for range 2 {
				Expect(post(ctx, r.Transport(alice, 1, textServer("x")), at, `{}`).text()).
					To(Equal("x"), "who asks is answered")
			}
		})
		Expect(reported).To(ConsistOf(MatchError(os.ErrClosed)))
		Expect(r.Recorded()).To(BeZero())
		Expect(r.Close()).To(MatchError(os.ErrClosed))
	})

	It("can be written by only one recorder at a time", func() {
		open := func() (*cassette.Recorder, error) {
			f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(func() { _ = f.Close() }) // may already be closed by the recorder
			return cassette.NewRecorder(f, cassette.FileHeader{Started: noon, CreatedBy: "a test"})
		}
		first, err := open()
		Expect(err).NotTo(HaveOccurred())
		_, err = open()
		Expect(err).To(MatchError(path + ": another process is recording into it"))
		Expect(first.Close()).To(Succeed())
		_, err = open()
		Expect(err).NotTo(HaveOccurred())
	})

	It("is not loaded further when the context is canceled", func() {
		one("x")
		_, line, _ := strings.Cut(text(), "\n")
		Expect(os.WriteFile(path, []byte(text()+strings.Repeat(line, 2000)), 0o600)).To(Succeed())
		f, err := os.Open(path)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(f.Close)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = cassette.Load(ctx, f)
		Expect(err).To(MatchError(context.Canceled))
	})

	It("distinguishes requests by the headers that affect the answer", func() {
		recordTransport(path, redactOwnKey,
			func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				inSimulatedTime(func(ctx context.Context) {
					post(ctx, record(alice, 1, textServer("for a")), "http://host/v1", `{}`, "X-Tenant", "a",
						"Authorization", "Bearer "+key)
				})
			})
		p := &cassette.Player{Cassette: load(path), Redact: redactOwnKey}
		inSimulatedTime(func(ctx context.Context) {
			Expect(post(ctx, p.Transport(alice, 1, nil), "http://host/v1", `{}`, "X-Tenant", "b").Err).
				To(HaveOccurred())
			Expect(post(ctx, p.Transport(alice, 1, nil), "http://host/v1", `{}`, "X-Tenant", "a").text()).
				To(Equal("for a"))
		})
	})

	DescribeTable("contains text unchanged that only resembles a secret", func(text string) {
		Expect(cassette.Redact(text, nil)).To(Equal(text))
	},
		Entry(nil, `{"max_tokens":512,"messages":[{"role":"user","content":"my password is on the risk-assessment sheet"}]}`),
		Entry(nil, "sk-learn-is-a-library-of-models for tasks"),
		Entry(nil, "me@example.com asks https://example.com/a?b=c"),
		Entry(nil, `{"token":"chat"}`),
	)

	It("continues after its last complete line if the last line is incomplete", func() {
		one("first")
		whole := text()
		Expect(os.WriteFile(path, []byte(whole+whole[strings.Index(whole, "\n")+1:len(whole)-20]), 0o600)).To(Succeed())
		c := load(path)
		Expect(c.Truncated).To(BeTrue())
		Expect(c.Len()).To(Equal(1))
		one("second")
		c = load(path)
		Expect(c.Truncated).To(BeFalse())
		Expect(c.Len()).To(Equal(2))
		Expect(text()).To(HavePrefix(whole))
	})

	DescribeTable("is rejected with the number of the invalid line", func(damage func(string) string, problem string) {
		one("first")
		Expect(os.WriteFile(path, []byte(damage(text())), 0o600)).To(Succeed())
		_, err := loaded(path)
		Expect(err).To(MatchError(HavePrefix(path + problem)))
	},
		Entry("an empty file", func(string) string { return "" }, ":1: is not a cassette: it is empty"),
		Entry("a file of another format", func(string) string { return "{\"id\":\"a\"}\n" }, ":1: is not a cassette"),
		Entry("a cassette of a newer version",
			func(s string) string { return strings.Replace(s, `"cassette_version":2`, `"cassette_version":3`, 1) },
			":1: is of version 3, this program reads 2"),
		Entry("28.8: a cassette of an older version", func(s string) string {
			return `{"cassette":1,"begun":"2026-11-20T12:00:00Z","by":"evalctl"}` + "\n" + s
		}, ":1: is a cassette of version 1, written by an older evalctl; this program reads version 2: record it again"),
		Entry("an incomplete exchange", func(s string) string { return s + "{\"key\":\n" }, ":3: is not an exchange"),
		Entry("an invalid key", func(s string) string { return strings.Replace(s, `{"key":"`, `{"key":"x`, 1) },
			":2: key: "),
		Entry("a negative epoch", func(s string) string { return strings.Replace(s, `"epoch":1`, `"epoch":-1`, 1) },
			":2: epoch counts from 0"),
		Entry("an unknown end of an answer",
			func(s string) string { return strings.Replace(s, `"end":"complete"`, `"end":"?"`, 1) },
			":2: response.end: "),
	)

	It("with an invalid exchange is loaded, and the error is reported when the exchange is read", func() {
		one("first")
		Expect(os.WriteFile(path, []byte(strings.Replace(text(), `"headers_us":0`, `"headers_us":-5`, 1)), 0o600)).
			To(Succeed())
		const why = ":2: the times of the answer go back, or beyond a day"
		for _, err := range load(path).Exchanges("") {
			Expect(err).To(MatchError(path + why))
		}
		p := &cassette.Player{Cassette: load(path)}
		inSimulatedTime(func(ctx context.Context) {
			Expect(post(ctx, p.Transport(alice, 1, nil), at, `{}`).Err).
				To(MatchError(And(HavePrefix("no readable recording of POST"), HaveSuffix(why))))
		})
	})

	It("contains each of many concurrent exchanges on its own line", func() {
		recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			var all sync.WaitGroup
			for i := range 50 {
				all.Go(func() {
					who := alice
					who.Case = fmt.Sprint("c", i)
					post(context.Background(), record(who, 1, textServer(strings.Repeat("x", 5000))), at,
						fmt.Sprintf(`{"i":%d}`, i))
				})
			}
			all.Wait()
		})
		c := load(path)
		Expect(c.Len()).To(Equal(50))
		for x, err := range c.Exchanges("c17") {
			Expect(err).NotTo(HaveOccurred())
			Expect(x.Response.Body()).To(HaveLen(5000))
		}
	})

	It("contains only the last recording of each selected trial after Prune", func() {
		bob := alice
		bob.Case = "c2"
		for _, who := range []cassette.TrialRef{alice, bob, alice} {
			recordTransport(path, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				inSimulatedTime(func(ctx context.Context) { post(ctx, record(who, 1, textServer("x")), at, `{}`) })
			})
		}
		c := load(path)
		var out bytes.Buffer
		Expect(c.Prune(&out, nil)).To(Equal(cassette.PruneCounts{Remaining: 2, Superseded: 1}))
		Expect(strings.Count(out.String(), "\n")).To(Equal(3))
		out.Reset()
		Expect(c.Prune(&out, func(w cassette.TrialRef, epoch int) bool { return w.Case == "c2" })).
			To(Equal(cassette.PruneCounts{Remaining: 1, Unused: 2}))
	})

	It("can be compared with another one, exchange by exchange", func() {
		other := newPath()
		for at2, answers := range map[string]map[string]string{path: {"c1": `{"a":1}`, "c2": "x"},
			other: {"c1": `{"a":2}`, "c3": "x"}} {
			recordTransport(at2, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				inSimulatedTime(func(ctx context.Context) {
					for id, answer := range answers {
						who := alice
						who.Case = id
						post(ctx, record(who, 1, textServer(answer)), at, `{}`)
					}
				})
			})
		}
		list, err := cassette.Diff(load(path), load(other))
		Expect(err).NotTo(HaveOccurred())
		var reported []string
		for _, c := range list {
			reported = append(reported, c.Kind+" "+c.Trial.Case+" "+c.AnswerDiff)
		}
		Expect(reported).To(Equal([]string{`changed c1 a is "1", and now "2"`, "removed c2 ", "added c3 "}))
	})

	It("equals another one if only generated ids and times differ", func() {
		other := newPath()
		answers := func(id, said string) map[string]string {
			chunk := `{"id":"` + id + `","created":17954045` + id + `,"system_fingerprint":"fp_` + id +
				`","choices":[{"delta":{"content":"` + said + `","tool_calls":[{"id":"call_` + id +
				`","function":{"name":"f"}}]}}]}`
			return map[string]string{"c1": chunk, "c2": "data: " + chunk + "\n\ndata: [DONE]\n\n",
				"c3": "no json " + said}
		}
		for at2, list := range map[string]map[string]string{path: answers("01", "yes"), other: answers("02", "yes")} {
			recordTransport(at2, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
				inSimulatedTime(func(ctx context.Context) {
					for id, answer := range list {
						who := alice
						who.Case = id
						post(ctx, record(who, 1, textServer(answer)), at, `{}`)
					}
				})
			})
		}
		Expect(cassette.Diff(load(path), load(other))).To(BeEmpty())
		third := newPath()
		recordTransport(third, nil, func(record func(cassette.TrialRef, int, http.RoundTripper) http.RoundTripper) {
			inSimulatedTime(func(ctx context.Context) {
				for id, answer := range answers("01", "no") {
					who := alice
					who.Case = id
					post(ctx, record(who, 1, textServer(answer)), at, `{}`)
				}
			})
		})
		list, err := cassette.Diff(load(path), load(third))
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(3))
		Expect(list[0].AnswerDiff).To(Equal(`choices[0].delta.content is "yes", and now "no"`))
	})

	It("uses less than 1000 bytes of memory per exchange after loading", func() {
		one(strings.Repeat("answer ", 100))
		head, line, _ := strings.Cut(text(), "\n")
		const many = 5_000
		f, err := os.Create(path)
		Expect(err).NotTo(HaveOccurred())
		fmt.Fprintln(f, head)
		for i := range many {
			fresh := strings.ReplaceAll(line, `"case":"c1"`, fmt.Sprintf(`"case":"c%d"`, i))
			i := fmt.Sprintf("%024x", i)
			_, _ = io.WriteString(f, fresh[:8]+i+fresh[32:])
		}
		Expect(f.Close()).To(Succeed())
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c := load(path)
		runtime.GC()
		runtime.ReadMemStats(&after)
		Expect(c.Len()).To(Equal(many))
		Expect(int64(after.HeapAlloc)-int64(before.HeapAlloc)).To(BeNumerically("<", 1000*many),
			"100,000 take less than 100 MB")
	})
})

func FuzzLoad(f *testing.F) {
	f.Add([]byte("{\"cassette\":1,\"begun\":\"2026-11-20T12:00:00Z\",\"by\":\"x\"}\n{\"key\":\"000000000000000000000000\",\"loose\":\"000000000000000000000000\",\"epoch\":1,\"nth\":1,\"at\":\"2026-11-20T12:00:00Z\",\"who\":{},\"request\":{\"path\":\"/\"},\"response\":{\"end\":\"whole\",\"status\":200}}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := os.CreateTemp(t.TempDir(), "*.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.Write(text); err != nil {
			t.Fatal(err)
		}
		c, err := cassette.Load(t.Context(), file)
		if err != nil {
			return
		}
		for range c.Exchanges("") {
		}
		_, _ = c.Prune(io.Discard, nil)
		_, _ = cassette.Diff(c, c)
	})
}
