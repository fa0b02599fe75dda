package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet/broker"
	"evalctl/eval/journal"
)

const literalKey = "argvSecret44Op9"

var leaksLiteral = Or(ContainSubstring(literalKey), ContainSubstring(strings.ToUpper(literalKey)),
	ContainSubstring(literalKey[:12]), ContainSubstring("6172677653"))

// expectPrivate checks that only the owner can read the files of a run.
func expectPrivate(dir string) {
	GinkgoHelper()
	for _, f := range runFiles(dir) {
		info, err := os.Stat(filepath.Join(dir, f))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)), f)
	}
}

var _ = Describe("15.8: a secret in the arguments of a command or in a request", Label("concurrent"), func() {
	const agent = `while read line; do id=${line#*\"id\":\"}; echo "key $1 $2" >&2; echo "{\"id\":\"${id%%\"*}\",\"label\":\"a\",\"text\":\"key $1 $2 %x$(echo $2 | tr a-z A-Z) ${2%???}\"}"; done`
	cases := func() string {
		return fileOf("cases.jsonl",
			`{"id":"one","text":"hi","label":"a"}`+"\n"+`{"id":"two","text":"ho","label":"b"}`+"\n")
	}

	It("is in no file and in no output, and must be given again when the run is resumed", func() {
		dir, page := newRunDir(), filepath.Join(GinkgoT().TempDir(), "page.html")
		behind := []string{"--", "sh", "-c", agent, "agent", "--api-key", literalKey}
		got := evalctl(append([]string{"run", "--target", "exec", "--dataset", cases(), "--out", dir, "-v", "--html",
			page, "--format", "table"}, behind...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		shown := evalctl("show", dir, "one")
		Expect(shown.stdout).To(ContainSubstring("[redacted]"))
		Expect(leftBy(dir) + read(page) + got.stdout + got.stderr + shown.stdout).NotTo(leaksLiteral)
		Expect(read(dir, "manifest.json")).To(ContainSubstring(`\"--api-key\",\"[redacted]\"`))
		expectPrivate(dir)

		got = evalctl("run", "--resume", dir, "--trust")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(And(ContainSubstring("the manifest contains no secrets: give "),
			ContainSubstring("write $VARIABLE"), Not(leaksLiteral)))
		got = evalctl(append([]string{"run", "--resume", dir}, behind...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksLiteral)
	})

	It("can be in an environment variable; the run then stores only its name", func() {
		GinkgoT().Setenv("LITERALS_TEST", literalKey)
		dir := newRunDir()
		got := evalctl("run", "--target", "exec", "--dataset", cases(), "--out", dir, "-v", "--", "sh", "-c",
			strings.ReplaceAll(strings.ReplaceAll(agent, "$$", "$$$$"), "$", "$$"), "agent", "--api-key",
			"$LITERALS_TEST")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout + read(dir, "manifest.json")).To(ContainSubstring("$LITERALS_TEST"))
		Expect(read(dir, "traces.jsonl")).To(ContainSubstring("key --api-key [redacted]"))
		Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksLiteral)

		GinkgoT().Setenv("LITERALS_TEST", "")
		got = evalctl("run", "--target", "exec", "--dataset", cases(), "--out", newRunDir(), "--",
			"cat", "${LITERALS_TEST}")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("command: the environment has no LITERALS_TEST"))
	})

	It("is sent in the request, but masked or not expanded in every output", func() {
		GinkgoT().Setenv("LITERALS_TEST", literalKey+`"2`)
		var sent []string // one request at a time
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			sent = append(sent, string(body))
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"label":"a","text":`+quotedJSON(string(body))+`}`)
		}))
		DeferCleanup(s.Close)
		for request, want := range map[string]string{
			`{"t":{{text}},"auth":{"$ref":"x","client_secret":"` + literalKey + `"}}`: `"client_secret":"` +
				literalKey + `"`,
			`{"t":{{text}},"api_key":"$LITERALS_TEST","n":${LITERALS_TEST},"c":"$$5"}`: `"api_key":"` + literalKey +
				`\"2","n":"` + literalKey + `\"2","c":"$5"`,
		} {
			dir := newRunDir()
			sent = nil
			got := evalctl("run", "--target", "http", "--url", s.URL, "--request", request, "--dataset", cases(),
				"--out", dir, "-v", "-j", "1")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(sent).To(HaveEach(ContainSubstring(want)))
			Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksLiteral)
			Expect(leftBy(dir)).To(ContainSubstring("[redacted]"))

			url := serving("http", "--url", s.URL, "--request", request, "--labels", "a,b")
			_, text := post(url, "http", `{"text":"hi"}`)
			Expect(joinedStream(text)).To(And(ContainSubstring("[redacted]"), Not(leaksLiteral)))
		}
	})

	It("is in no error message and is never sent to a broker", func() {
		b, err := broker.Start(broker.Config{Dir: GinkgoT().TempDir(), Addr: "127.0.0.1:0"})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(b.Close)
		for _, args := range [][]string{
			{"run", "--target", "exec", "--dataset", cases(), "--command", "cat --api-key " + literalKey + " 'open"},
			{"run", fileOf("s.yaml", "target: exec\ndataset: "+cases()+"\nvariants: [{name: a, command: cat --api-key "+
				literalKey+"}]\n")},
			{"run", "--target", "tool-calling", "--dataset", cases(), "--model", "m", "--base-url",
				"http://127.0.0.1:1/v1", "--mcp", "false --token " + literalKey},
			{"run", "--target", "http", "--url", "http://127.0.0.1:1/x", "--request",
				`{"api_key":"` + literalKey + `",{{text}}}`, "--dataset", cases()},
			{"run", "--target", "http", "--url", "http://127.0.0.1:1/x", "--request",
				`{"api_key":"` + literalKey + `"}`, "--dataset", cases(), "--broker", b.URL()},
		} {
			got := evalctl(append(args, "--out", newRunDir())...)
			Expect(got.code).NotTo(Equal(exit.Passed))
			Expect(got.stdout + got.stderr).NotTo(leaksLiteral)
			if slices.Contains(args, "--broker") {
				Expect(got.stderr).To(ContainSubstring(
					"request contains a secret, which would be sent to the broker: write $VARIABLE in its place"))
			}
		}
	})
})

var _ = Describe("15.8: $VARIABLE in an address", func() {
	const variable, value = "ADDRESS_TEST_KEY", "Zq8v/T3mK1x&W7nB5c+9d"
	var sent atomic.Value // content that the server received
	var server *httptest.Server
	var set string
	BeforeEach(func() {
		GinkgoT().Setenv(variable, value)
		sent.Store("")
		server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, password, _ := r.BasicAuth()
			sent.Store(r.URL.Query().Get("key") + password)
			echo, _ := json.Marshal("you sent " + r.URL.RequestURI() + " " + r.Header.Get("Authorization") +
				" " + value[4:17])
			if strings.HasPrefix(r.URL.Path, "/mcp") {
				http.Error(w, string(echo), http.StatusUnauthorized)
				return
			}
			answer, _ := json.Marshal(map[string]any{"label": "x", "text": "you sent " + value})
			if r.URL.Path == "/v1/chat/completions" {
				answer = []byte(completeAnswer(`{"label":"x","confidence":1,"reason":` + string(echo) + `}`))
			}
			_, _ = w.Write(answer)
		}))
		DeferCleanup(server.Close)
		set = fileOf("cases.jsonl", `{"id":"a","text":"hi","label":"x"}`+"\n"+`{"id":"b","text":"ho","label":"y"}`+"\n")
	})
	shown := Or(ContainSubstring(value), ContainSubstring(url.QueryEscape(value)), ContainSubstring(value[4:17]))

	It("is expanded for requests, masked in output and stored unexpanded, in --url and --base-url", func() {
		host := strings.TrimPrefix(server.URL, "http://")
		for address, args := range map[string][]string{
			server.URL + "/x?key=$" + variable: {"--target", "http", "--url",
				server.URL + "/x?key=$" + variable},
			"http://me:$" + variable + "@" + host + "/v1": {"--target", "prompt", "--labels", "x,y", "--model", "m",
				"--base-url", "http://me:$" + variable + "@" + host + "/v1"},
		} {
			sent.Store("")
			dir := newRunDir()
			got := evalctl(append([]string{"run", "--dataset", set, "--out", dir, "-v", "--max-missing", "1"},
				args...)...)
			Expect(got.code).NotTo(Equal(exit.InvalidUsage), got.stderr)
			Expect(sent.Load()).To(Equal(value), got.stderr)
			Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(shown)
			Expect(manifestIn(dir).Suites).To(ConsistOf(ContainSubstring(address)))
			Expect(os.Truncate(filepath.Join(dir, journal.ResultsFile), 0)).To(Succeed())
			Expect(evalctl("run", "--resume", dir).stderr).To(ContainSubstring("sends " + variable + " to " + host))
			Expect(evalctl("run", "--resume", dir, "--trust", "-q").code).To(Equal(got.code), "nothing is given again")
		}
	})

	It("is expanded in the address of an MCP server, and masked in the server's responses", func() {
		got := evalctl("run", "--target", "tool-calling", "--dataset", set, "--model", "m", "--base-url",
			"http://127.0.0.1:1/v1", "--mcp", server.URL+"/mcp?key=$"+variable, "--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(sent.Load()).To(Equal(value), got.stderr)
		Expect(got.stdout + got.stderr).NotTo(shown)
	})

	It("requires that the variable is set and, in a suite file, --trust; it cannot be the host", func() {
		path := write(filepath.Join(filepath.Dir(set), "s.yaml"),
			"name: theirs\ntarget: tool-calling\ndataset: cases.jsonl\nvariants: [{name: m, mcp: '"+server.URL+
				"/mcp?key=$"+variable+"'}]\n")
		tape := fileOf("tape.jsonl",
			`{"cassette_version":2,"started":"2026-11-20T12:00:00Z","created_by":"evalctl"}`+"\n")
		for _, more := range [][]string{nil, {"--replay", tape}} {
			refuses("suite theirs: sends "+variable+" to "+strings.TrimPrefix(server.URL, "http://")+
				". To allow this, add --trust", append([]string{"run", path}, more...)...)
		}
		Expect(sent.Load()).To(BeEmpty())
		for _, args := range [][]string{{"--target", "http", "--url", server.URL + "/x?key=$ADDRESS_TEST_NONE"},
			{"--target", "prompt", "--labels", "x,y", "--model", "m", "--base-url",
				server.URL + "/v1?key=$ADDRESS_TEST_NONE"}} {
			got := evalctl(append([]string{"run", "--dataset", set, "--out", newRunDir()}, args...)...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(ContainSubstring(
				"the environment has no ADDRESS_TEST_NONE (write $$ for a dollar sign)"))
		}
		Expect(evalctl("run", "--target", "http", "--url", "http://$"+variable+"/x", "--dataset", set, "--out",
			newRunDir()).code).To(Equal(exit.InvalidUsage))
	})
})
