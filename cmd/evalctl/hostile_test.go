package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var hostile = flag.Bool("hostile", false, "measure the resident memory under each hostile provider (minutes)")

// maxHostileMiB is the memory limit of a run with 16 parallel trials whose provider is hostile.
const maxHostileMiB = 200

// frame returns one server-sent event of a streamed answer with this content.
func frame(content string) string {
	return `data: {"choices":[{"index":0,"delta":{"content":` + quotedJSON(content) +
		`},"finish_reason":null}]}` + "\n\n"
}

func quotedJSON(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func completeAnswer(content string) string {
	return `{"choices":[{"index":0,"message":{"role":"assistant","content":` + quotedJSON(content) +
		`},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`
}

// repeat writes a text again and again, until the reader disconnects or most bytes are written.
func repeat(w io.Writer, text string, most int) {
	chunk := []byte(strings.Repeat(text, max(1, 32<<10/len(text))))
	for n := 0; n < most; n += len(chunk) {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

const endless = 1 << 30

// attack is a hostile provider that answers every request with the same response.
type attack struct {
	name   string
	answer func(http.ResponseWriter)
}

// body returns an attack with a large response: a text that repeats between begin and end.
func body(name, begin, text string, most int, end string) attack {
	return attack{name, func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, begin)
		repeat(w, text, most)
		_, _ = io.WriteString(w, end)
	}}
}

// attacks returns the hostile responses that evalctl must survive.
func attacks() []attack {
	return []attack{
		body("an endless stream of valid events", "", frame("x"), endless, ""),
		body("an endless stream of large events", "", frame(strings.Repeat("x", 200_000)), endless, ""),
		body("an endless stream of events with many choices", "",
			`data: {"choices":[`+strings.Repeat("{},", 300_000)+"{}]}\n\n", endless, ""),
		body("an endless stream of reasoning", "",
			`data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}`+"\n\n",
			endless, ""),
		body("an endless line", "data: ", "x", endless, ""),
		body("an endless body", `{"choices":[{"message":{"content":"`, "x", endless, ""),
		body("7 MiB of valid content", `{"choices":[{"message":{"content":"`, "<", 7<<20, `"}}]}`),
		body("7 MiB of empty choices", `{"choices":[{}`, ",{}", 7<<20, `]}`),
		body("7 MiB of tool calls", `{"choices":[{"message":{"tool_calls":[{}`, ",{}", 7<<20, `]}}]}`),
		body("7 MiB of fields", `{"error":null,"a":1`, `,"b":1`, 7<<20, `}`),
		body("7 MiB of an error's texts", `{"error":["x"`, `,""`, 7<<20, `]}`),
		body("7 MiB of an error's code", `{"error":{"code":"`, "x", 7<<20, `"}}`),
		body("7 MiB of blanks", `{"choices":[`, "     ", 7<<20, `]}`),
		body("endless comments", "", ": keep-alive\n\n", endless, ""),
		body("endlessly nested lists", "", "[", endless, ""),
		body("7 MiB of nested lists", `{"choices":`, "[", 7<<20, ""),
		{"one-byte chunks", func(w http.ResponseWriter) {
			for _, b := range []byte(strings.Repeat(frame("x"), 2000)) {
				if _, err := w.Write([]byte{b}); err != nil {
					return
				}
				w.(http.Flusher).Flush()
			}
		}},
		{"a valid stream of single letters", func(w http.ResponseWriter) {
			repeat(w, `data: {"choices":[{"delta":{"content":"x"}}]}`+"\n\n", 1<<20)
			_, _ = io.WriteString(w, `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		}},
		{"a gzip bomb", func(w http.ResponseWriter) {
			_, _ = w.Write(setGzip(w,
				`{"choices":[{"message":{"content":"`))
		}},
		{"a gzip bomb of events", func(w http.ResponseWriter) { _, _ = w.Write(setGzip(w, frame("x"))) }},
		{"12 MB of headers", func(w http.ResponseWriter) {
			for i := range 3000 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 4000))
			}
			_, _ = io.WriteString(w, completeAnswer("{}"))
		}},
		{"an endless error", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			repeat(w, "x", endless)
		}},
		{"an error of 7 MiB in JSON", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, `{"error":{"message":"`)
			repeat(w, "x", 7<<20)
			_, _ = io.WriteString(w, `"}}`)
		}},
		{"a redirect", func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://elsewhere.test/a?key=b")
			w.WriteHeader(http.StatusTemporaryRedirect)
			repeat(w, "x", endless)
		}},
	}
}

// residentPeak returns the peak resident memory of a process in MiB. wait4 would include the memory
// of this process before exec.
func residentPeak(pid int, ended <-chan error) (mib float64, err error) {
	for {
		select {
		case err := <-ended:
			return mib, err
		case <-time.After(5 * time.Millisecond):
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		var kib float64
		if _, err := fmt.Sscan(rest, &kib); err == nil {
			mib = max(mib, kib/1024)
		}
	}
}

var bombs = map[string][]byte{}

// setGzip returns a compressed body that decompresses to 256 MiB, and declares its encoding.
func setGzip(w http.ResponseWriter, text string) []byte {
	w.Header().Set("Content-Encoding", "gzip")
	return bombs[text]
}

func makeBomb(text string) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	repeat(z, text, 256<<20)
	_ = z.Close()
	bombs[text] = b.Bytes()
}

// attacker starts a server with the attack, for all requests or only for streams.
func attacker(a attack, streamsOnly bool) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		question, _ := io.ReadAll(r.Body)
		if streamsOnly && !bytes.Contains(question, []byte(`"stream":true`)) {
			_, _ = io.WriteString(w, completeAnswer(`{"route":"chat","confidence":1,"reason":"x"}`))
			return
		}
		a.answer(w)
	}))
}

// TestHostile measures the memory of a run of realistic size under each attack, in a separate
// process.
func TestHostile(t *testing.T) {
	if !*hostile {
		t.Skip("run it with make hostile")
	}
	makeBomb(`{"choices":[{"message":{"content":"`)
	makeBomb(frame("x"))
	binary := filepath.Join(t.TempDir(), "evalctl")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	for _, a := range attacks() {
		for _, streamsOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, streams only %v", a.name, streamsOnly),
				func(t *testing.T) { underAttack(t, binary, a, streamsOnly) })
		}
	}
}

func underAttack(t *testing.T, binary string, a attack, streamsOnly bool) {
	server := attacker(a, streamsOnly)
	defer server.Close()
	defer server.CloseClientConnections()
	dir := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command(binary, "run", "--target", "toolrouter", "--router", "llm-first", "--base-url",
		server.URL+"/v1", "--model", "m",
		"-j", "16", "--limit", "64", "--out", dir, "-q")
	began := time.Now()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	mib, err := residentPeak(cmd.Process.Pid, ended)
	code := cmd.ProcessState.ExitCode()
	t.Logf("%.0f MiB, %v, exit %d", mib, time.Since(began).Round(time.Millisecond), code)
	if code != exit.Passed && code != exit.Incomplete {
		t.Errorf("%v: %s", err, out.String())
	}
	if mib > maxHostileMiB {
		t.Errorf("%.0f MiB are more than %d", mib, maxHostileMiB)
	}
	n := 0
	for _, err := range journal.ReadRunResults(dir) {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	if n == 0 {
		t.Error("nothing was written")
	}
}

var _ = Describe("a hostile provider", func() {
	for _, a := range attacks() {
		if strings.Contains(a.name, "gzip") || strings.Contains(a.name, "one-byte") ||
			strings.Contains(a.name, "in JSON") || strings.Contains(a.name, "of an error's") {
			continue // these are large, slow or retried: only make hostile runs them
		}
		It("causes a short error and not a large memory use when it sends "+a.name, func() {
			server := attacker(a, false)
			DeferCleanup(server.Close)
			DeferCleanup(server.CloseClientConnections)
			got := evalctl("run", "--target", "toolrouter", "--router", "llm", "--decision-only", "--base-url",
				server.URL+"/v1", "--model", "m",
				"--limit", "1", "--out", newRunDir(), "-q")
			Expect(got.code).To(Equal(exit.Incomplete), got.stdout)
			Expect(len(got.stderr)).To(BeNumerically("<", 2000))
			Expect(got.stderr).To(MatchRegexp(`malformed|server|bad_request|transport|invalid`))
		})
	}

	It("can send answers up to the size in --max-response-bytes, but no larger ones", func() {
		server := attacker(body("blanks", completeAnswer(`{"route":"chat","confidence":1,"reason":"so"}`),
			"\n", 1<<20, ""), false)
		DeferCleanup(server.Close)
		for most, code := range map[string]int{"100": exit.Incomplete, "1000000": exit.Incomplete,
			"8388608": exit.Passed, "67108864": exit.Passed, "0": exit.Passed,
			"-1": exit.InvalidUsage, "67108865": exit.InvalidUsage} {
			got := evalctl("run", "--target", "toolrouter", "--router", "llm", "--decision-only", "--base-url",
				server.URL+"/v1", "--model", "m",
				"--limit", "1", "--out", newRunDir(), "-q", "--max-response-bytes", most)
			Expect(got.code).To(Equal(code), "%s: %s", most, got.stderr)
			if code == exit.Incomplete {
				Expect(got.stderr).To(ContainSubstring("malformed_response: the answer is longer than " +
					most + " bytes"))
			}
			if code == exit.InvalidUsage {
				Expect(got.stderr).To(And(ContainSubstring("--max-response-bytes"),
					MatchRegexp("got "+most+`\b|`+most+" is ")))
			}
		}
	})
})
