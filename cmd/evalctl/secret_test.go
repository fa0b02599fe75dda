package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

const (
	echoedKey = "sk-0123456789/ab+cdef=="
	keyEnv    = "EVALCTL_TEST_KEY"
	password  = "passw0rd-of-mine"
)

// quotedAsPython encodes a secret as Python's urllib.parse.quote does, which does not escape
// slashes.
var quotedAsPython = strings.NewReplacer("+", "%2B", "=", "%3D")

// encoded returns a key as basic authentication encodes it.
func encoded(key string) string { return base64.StdEncoding.EncodeToString([]byte("u:" + key)) }

// echo starts a provider whose responses contain everything that it receives, and returns its base
// URL.
func echo(answer func(w http.ResponseWriter, sent string, stream bool)) (base string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		question, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		_, pass, _ := r.BasicAuth()
		key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		sent := key + " " + pass + " " + r.URL.RawQuery
		if bearer {
			sent += " " + quotedAsPython.Replace(key) + " " + encoded(key)
		}
		answer(w, sent, strings.Contains(string(question), `"stream":true`))
	}))
	DeferCleanup(s.Close)
	return s.URL + "/v1"
}

func streamed(w io.Writer, text string) {
	for _, r := range text {
		_, _ = io.WriteString(w, frame(string(r)))
	}
	_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
}

// echoes are different responses that contain what the provider received.
var echoes = map[string]func(w http.ResponseWriter, sent string, stream bool){
	"an answer": func(w http.ResponseWriter, sent string, stream bool) {
		if stream {
			streamed(w, "you sent "+sent+" ok")
			return
		}
		decision, _ := json.Marshal(map[string]any{"route": "chat", "confidence": 1, "reason": sent})
		_, _ = io.WriteString(w, completeAnswer(string(decision)))
	},
	"an error": func(w http.ResponseWriter, sent string, _ bool) {
		w.WriteHeader(http.StatusUnauthorized)
		_ = json.NewEncoder(w).Encode(
			map[string]any{"error": map[string]string{"message": "Incorrect API key: " + sent, "code": sent}})
	},
	"a header": func(w http.ResponseWriter, sent string, _ bool) {
		w.Header().Set("Location", "http://x.test/"+strings.ReplaceAll(sent, " ", "/"))
		w.WriteHeader(http.StatusFound)
	},
	"broken JSON": func(w http.ResponseWriter, sent string,
		_ bool) {
		_, _ = io.WriteString(w, `{"choices":"`+sent+`"`)
	},
}

// leftBy returns the content of all files in a directory.
func leftBy(dir string) string {
	GinkgoHelper()
	files := runFiles(dir)
	Expect(files).NotTo(BeEmpty())
	var all strings.Builder
	for _, f := range files {
		all.WriteString(read(dir, f))
	}
	return all.String()
}

// leaksSecret matches a text that contains one of the test's secrets in any form.
var leaksSecret = Or(ContainSubstring(echoedKey), ContainSubstring("0123456789"), ContainSubstring("cdef%3D"),
	ContainSubstring(encoded(echoedKey)[4:32]), ContainSubstring(password), ContainSubstring("theuser"))

var _ = Describe("a key that a provider repeats in its responses", Label("concurrent"), func() {
	for name, answer := range echoes {
		It("is in no file and no output of a run if the response is "+name, func() {
			GinkgoT().Setenv(keyEnv, echoedKey)
			dir, reports := newRunDir(), GinkgoT().TempDir()
			got := evalctl("run", "--target", "toolrouter", "--router", "llm-first", "--base-url", echo(answer),
				"--model", "m", "--api-key-env", keyEnv,
				"--limit", "4", "--out", dir, "-v", "--format", "table", "--format", "json="+reports+"/a.json",
				"--format", "markdown="+reports+"/a.md", "--format", "csv")
			Expect(got.code).To(BeElementOf(exit.Passed, exit.Incomplete), got.stderr)
			Expect(leftBy(dir) + leftBy(reports) + got.stdout + got.stderr).NotTo(leaksSecret)
			if name != "broken JSON" { // this form is not repeated in output
				Expect(leftBy(dir)).To(ContainSubstring("[redacted]"))
			}
		})

		It("is in no output of evalctl chat if the response is "+name, func() {
			GinkgoT().Setenv(keyEnv, echoedKey)
			got := runWithInput(GinkgoT().Context(), "你好\n", "chat", "toolrouter", "--allow-simulated", "--base-url",
				echo(answer), "--model", "m", "--api-key-env", keyEnv)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout + got.stderr).NotTo(leaksSecret)
			if name == "an answer" {
				Expect(got.stdout).To(ContainSubstring("you sent [redacted]"))
			}
		})
	}

	It("is in no answer and no log of evalctl serve", func() {
		GinkgoT().Setenv(keyEnv, echoedKey)
		for name, want := range map[string]string{"an answer": "you sent [redacted]", "an error": "event: done"} {
			url := serving("toolrouter", "--allow-simulated", "--base-url", echo(echoes[name]), "--model", "m",
				"--api-key-env", keyEnv)
			_, text := post(url, "toolrouter", `{"text":"你好"}`)
			Expect(joinedStream(text)).To(And(ContainSubstring(want), Not(leaksSecret)))
		}
	})
})

var _ = Describe("the password and the key in a base URL", func() {
	// at returns the base URL with a password and a key in it.
	at := func(base string) string {
		return strings.Replace(base, "//", "//theuser:"+password+"@", 1) + "?api_key=0123456789"
	}

	It("are sent only to the provider", func() {
		for _, how := range [][]string{{"--base-url", "%s"}, {"--base-url=%s"}} {
			args := []string{"run", "--target", "toolrouter", "--router", "llm", "--model", "m", "--limit", "2", "-v"}
			base := echo(echoes["an error"])
			dir := newRunDir()
			for i := range how {
				args = append(args, strings.ReplaceAll(how[i], "%s", at(base)))
			}
			got := evalctl(append(args, "--out", dir)...)
			Expect(got.code).To(Equal(exit.Incomplete))
			Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksSecret)
			Expect(got.stdout).To(ContainSubstring("m at " + strings.Replace(base, "//", "//[redacted]@", 1) +
				"?api_key=[redacted]"))
			Expect(got.stderr).To(ContainSubstring("Incorrect API key: Basic [redacted] [redacted] api_key=[redacted]"))
		}
	})

	It("are in no error message", func() {
		for _, args := range [][]string{
			{"run", "--target", "toolrouter", "--model", "m", "--base-url", "ftp://theuser:" + password + "@h/v1"},
			{"chat", "toolrouter", "--model", "m", "--base-url", "http://theuser:" + password + "@h:port/v1"},
			{"run", fileOf("s.yaml",
				"target: toolrouter\ndataset: toolrouter\nmodels:\n  router: {model: m, base_url: \"//theuser:"+
					password+"@h\"}\nvariants: [{name: a, router: llm}]\n"), "--trust"},
		} {
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stdout + got.stderr).NotTo(ContainSubstring(password))
		}
	})

	It("must be given again when a run is resumed, and may have changed", func() {
		var right atomic.Bool
		base := echo(func(w http.ResponseWriter, sent string, stream bool) {
			if right.Load() && strings.HasSuffix(sent, " new-"+password+" ") {
				echoes["an answer"](w, sent, stream)
				return
			}
			echoes["an error"](w, sent, stream)
		})
		with := func(pass string) string { return strings.Replace(base, "//", "//theuser:"+pass+"@", 1) }
		dir := newRunDir()
		args := []string{"run", "--target", "toolrouter", "--router", "llm", "--model", "m", "--limit", "3",
			"--out", dir, "--base-url"}
		Expect(evalctl(append(args, with(password))...).code).To(Equal(exit.Incomplete))
		keys := keysIn(dir)

		got := evalctl("run", "--resume", dir)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal(
			fmt.Sprintf("evalctl: --resume: the manifest keeps no secrets: give %s again with --base-url\n",
				strings.Replace(base, "//", "//[redacted]@", 1))))
		Expect(evalctl("run", "--resume", dir, "--base-url", "http://theuser:x@elsewhere.test/v1").code).
			To(Equal(exit.InvalidUsage))

		right.Store(true)
		got = evalctl("run", "--resume", dir, "--base-url", with("new-"+password))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(keysIn(dir)).To(ConsistOf(append(keys, keys...)), "the same trials")
		Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksSecret)
	})
})

func keysIn(dir string) (keys []string) {
	GinkgoHelper()
	for r, err := range journal.ReadRunResults(dir) {
		Expect(err).NotTo(HaveOccurred())
		keys = append(keys, r.Key)
	}
	return keys
}

var _ = It("a run can be resumed with another API key", func() {
	GinkgoT().Setenv(keyEnv, "old-"+echoedKey)
	base := echo(func(w http.ResponseWriter, sent string, stream bool) {
		if strings.HasPrefix(sent, "new-") {
			echoes["an answer"](w, sent, stream)
			return
		}
		echoes["an error"](w, sent, stream)
	})
	dir := newRunDir()
	Expect(evalctl("run", "--target", "toolrouter", "--router", "llm", "--model", "m", "--limit", "3", "--out", dir,
		"--base-url", base, "--api-key-env", keyEnv).code).
		To(Equal(exit.Incomplete))
	GinkgoT().Setenv(keyEnv, "new-"+echoedKey)
	got := evalctl("run", "--resume", dir, "--trust")
	Expect(got.code).To(Equal(exit.Passed), got.stderr)
	Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksSecret)
})

// joinedStream returns a stream followed by the text that its chunks form together.
func joinedStream(stream string) string {
	text := stream
	for line := range strings.Lines(stream) {
		var piece struct {
			Text string `json:"text"`
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if ok && json.Unmarshal([]byte(data), &piece) == nil {
			text += piece.Text
		}
	}
	return text
}

const steering = "\x1b[2J\x1b]0;owned\a\u009b31m\u202e\r"

// controlsTerminal matches control characters that could manipulate a terminal.
var controlsTerminal = MatchRegexp(`[\x00-\x08\x0b-\x1f\x7f]|[\x{80}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)

var _ = Describe("escape sequences that would control a terminal", func() {
	It("in a model's answer are removed from conversations, errors, tables and timelines", func() {
		for _, answer := range []func(w http.ResponseWriter, sent string, stream bool){
			func(w http.ResponseWriter, sent string, stream bool) {
				echoes["an answer"](w, steering+" hello", stream)
			},
			func(w http.ResponseWriter, sent string, stream bool) {
				echoes["an error"](w, steering+" hello", stream)
			},
		} {
			base := echo(answer)
			got := runWithInput(GinkgoT().Context(), "你好\n", "chat", "toolrouter", "--allow-simulated", "--base-url",
				base, "--model", "m")
			Expect(got.stdout).To(ContainSubstring("hello"))
			Expect(got.stdout + got.stderr).NotTo(controlsTerminal)
			dir := newRunDir()
			got = evalctl("run", "--target", "toolrouter", "--router", "llm", "--base-url", base, "--model", "m",
				"--dataset", fileOf("cases.jsonl", threeCases), "--out", dir, "-v")
			Expect(got.code).To(BeElementOf(exit.Passed, exit.Incomplete), got.stderr)
			Expect(got.stdout + got.stderr).NotTo(controlsTerminal)
			got = evalctl("show", dir, "a")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout + got.stderr).NotTo(controlsTerminal)
		}
	})

	It("in a file are removed from all output", func() {
		quoted := strings.ReplaceAll(quotedJSON(steering), `"`, "")
		cases := fileOf("cases.jsonl",
			`{"id":"a`+quoted+`","text":"hello `+quoted+`\u001b]0;x\u0007","label":"chat","tags":["x`+quoted+`"]}`+"\n")
		for _, args := range [][]string{{"dataset", "show", cases}, {"dataset", "show", cases, "a" + steering},
			{"dataset", "check", cases},
			{"dataset", "show", "no" + steering}, {"run", "--target", "x" + steering}, {"--" + steering}, {steering}} {
			got := evalctl(args...)
			Expect(got.stdout+got.stderr).NotTo(Or(BeEmpty(), controlsTerminal), "%q", args)
		}
	})
})

var _ = It("evalctl report writes JSON to a pipe byte for byte as to a file", func() {
	dir := newRunDir()
	got := evalctl("run", "toolrouter", "--limit", "3", "--format", "json", "--out", dir)
	Expect(got.code).To(Equal(exit.Passed), got.stderr)
	path := filepath.Join(GinkgoT().TempDir(), "a.json")
	Expect(evalctl("run", "toolrouter", "--limit", "3", "--format", "json="+path, "--out", newRunDir()).code).
		To(Equal(exit.Passed))
	Expect(got.stdout).To(Equal(read(path)))
})

var _ = Describe("an address with a password in a setting", func() {
	const short, long = "redis://me:pw-7@127.0.0.1:1/0", "redis://me:" + password + "@127.0.0.1:1/0"
	playing := func(dir, address string, more ...string) cliResult {
		return evalctl(append([]string{"run", "--target", "scholar", "--limit", "2", "--summary-cache", address,
			"--out", dir, "-v"}, more...)...)
	}

	It("is in no file and no output of a run, for a long and a short password", func() {
		for _, address := range []string{short, long,
			"memory," + long + "," + strings.Replace(short, ":1/", ":2/", 1)} {
			dir, summary := newRunDir(), fileOf("summary.md", "")
			GinkgoT().Setenv("GITHUB_STEP_SUMMARY", summary)
			got := playing(dir, address, "--format", "table", "--format", "json", "--format", "csv")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(ContainSubstring("summary-cache=redis://[redacted]@127.0.0.1:1/0"))
			texts := []string{got.stdout, got.stderr, read(filepath.Dir(summary), filepath.Base(summary))}
			for _, name := range journal.FileNames() {
				texts = append(texts, read(dir, name))
			}
			for _, text := range texts {
				Expect(text).NotTo(Or(ContainSubstring(password), ContainSubstring("pw-7")))
			}
		}
	})

	It("must be given again when the run is resumed, like a password in --base-url", func() {
		whole := newRunDir()
		Expect(playing(whole, long).code).To(Equal(exit.Passed))
		results := read(whole, journal.ResultsFile)
		dir := killedCopy(whole, strings.IndexByte(results, '\n')+1, len(read(whole, journal.TracesFile)))
		resumed := func(more ...string) cliResult {
			return evalctl(append([]string{"run", "--resume", dir},
				more...)...)
		}
		for _, bad := range [][]string{nil, {"--summary-cache", "redis://me:other-words@127.0.0.1:2/0"}} {
			got := resumed(bad...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(ContainSubstring("give redis://[redacted]@127.0.0.1:1/0 again with --summary-cache"))
		}
		Expect(resumed("--summary-cache", "memory").stderr).To(ContainSubstring("leave out --summary-cache"))
		got := resumed("--summary-cache", long)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(read(dir, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
		plain := newRunDir()
		Expect(playing(plain, "memory").code).To(Equal(exit.Passed))
		Expect(evalctl("run", "--resume", plain, "--summary-cache", long).stderr).
			To(ContainSubstring("leave out --summary-cache"))
	})
})
