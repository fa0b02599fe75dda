package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

var _ = Describe("a suite file from an untrusted source", func() {
	var base, host string
	BeforeEach(func() {
		GinkgoT().Setenv("EVALCTL_TEST_KEY", "the-key")
		base = serveModel(passThrough)
		host = strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/v1")
	})
	suite := func(more string) string {
		return fileOf("s.yaml", "name: theirs\ntarget: toolrouter\ndataset: toolrouter\nlimit: 3\n"+
			strings.ReplaceAll(more, "URL", base))
	}
	const (
		byModels  = "variants: [{name: m, router: llm}]\ndecision_only: true\nmodels: {router: {model: x, base_url: URL, api_key_env: EVALCTL_TEST_KEY}}\n"
		byVariant = "variants: [{name: m, router: llm, model: x, base_url: URL, api_key_env: EVALCTL_TEST_KEY}]\ndecision_only: true\n"
		keyless   = "variants: [{name: m, router: llm, prompt: PROMPT, model: x, base_url: URL}]\ndecision_only: true\n"
	)

	DescribeTable("sends no key that it names unless --trust is given, which prints the host that receives the key,",
		func(text string) {
			path := suite(text)
			refuses("suite theirs: sends EVALCTL_TEST_KEY to "+host+". To allow this, add --trust", "run", path)
			dir := newRunDir()
			got := evalctl("run", path, "--trust", "--out", dir)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stderr).To(ContainSubstring("keys: EVALCTL_TEST_KEY to " + host + "\n"))

			Expect(os.Truncate(filepath.Join(dir, journal.ResultsFile), 0)).To(Succeed())
			Expect(evalctl("run", "--resume", dir).stderr).
				To(Equal("evalctl: --resume: suite theirs: sends EVALCTL_TEST_KEY to " + host +
					". To allow this, add --trust\n"))
			Expect(evalctl("run", "--resume", dir, "--trust").code).To(Equal(exit.Passed))
		},
		Entry("if a model names the key", byModels),
		Entry("if a variant names the key", byVariant),
	)

	It("runs no command that it names, even if a cassette replaces endpoints", func() {
		ran := filepath.Join(newRunDir(), "ran")
		cases := fileOf("cases.jsonl", `{"id":"a","text":"hi","label":"x"}`+"\n")
		path := fileOf("s.yaml",
			"name: theirs\ntarget: tool-calling\ndataset: "+cases+"\nvariants: [{name: m, model: x, base_url: "+base+
				", mcp: 'touch "+ran+"'}]\n")
		tape := fileOf("tape.jsonl",
			`{"cassette_version":2,"started":"2026-11-20T12:00:00Z","created_by":"evalctl"}`+"\n")
		for _, more := range [][]string{nil, {"--replay", tape}} {
			got := evalctl(append([]string{"run", path}, more...)...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(And(ContainSubstring("runs touch "+ran), ContainSubstring("add --trust")))
			Expect(ran).NotTo(BeAnExistingFile())
		}
	})

	It("may use the endpoint that the flags name", func() {
		flags := []string{"--model", "x", "--base-url", base, "--api-key-env", "EVALCTL_TEST_KEY"}
		for _, text := range []string{byModels, byVariant,
			"variants: [{name: m, router: llm}]\ndecision_only: true\n"} {
			got := evalctl(append([]string{"run", suite(text), "--out", newRunDir()}, flags...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
		other := strings.ReplaceAll(byModels, "URL", "http://127.0.0.1:1/v1")
		refuses("suite theirs: sends EVALCTL_TEST_KEY to 127.0.0.1:1. To allow this, add --trust",
			append([]string{"run", suite(other)}, flags...)...)
	})

	It("sends no file from outside its directory to an endpoint that it names", func() {
		secret := fileOf("secret", "Route it, as json.")
		for _, name := range []string{secret, "link.md"} {
			path := suite(strings.ReplaceAll(keyless, "PROMPT", name))
			link := filepath.Join(filepath.Dir(path), "link.md")
			Expect(os.Symlink(secret, link)).To(Succeed())
			shown := secret
			if name != secret {
				shown = link
			}
			refuses("suite theirs: reads "+shown+" for an endpoint of its own. To allow this, add --trust", "run", path)
		}
		path := suite(strings.ReplaceAll(keyless, "PROMPT", "own.md"))
		write(filepath.Join(filepath.Dir(path), "own.md"), "Route it, as json.")
		got := evalctl("run", path, "--out", newRunDir())
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		papers := newRunDir()
		for setting, address := range map[string]string{"summary-cache": "redis://127.0.0.1:1",
			"allowed-base-urls": base} {
			outside := fileOf("s.yaml",
				"name: theirs\ntarget: scholar\ndataset: scholar\nlimit: 1\nvariants: [{name: m, papers: "+papers+", "+
					setting+": '"+address+"'}]\n")
			refuses("suite theirs: reads "+papers+" for an endpoint of its own. To allow this, add --trust",
				"run", outside)
		}
		Expect(evalctl("run", suite("variants: [{name: m, router: llm, prompt: "+secret+"}]\n"), "--out", newRunDir()).
			code).To(Equal(exit.Passed), "nothing leaves the machine")
	})
})

var _ = Describe("15.1: --trust", func() {
	const key = "EVALCTL_TEST_KEY"
	var t trap
	var cases, tape string
	BeforeEach(func() {
		GinkgoT().Setenv(key, "the-key-0123456789")
		t, cases = newTrap(), fileOf("cases.jsonl", `{"id":"a","text":"hi","label":"x"}`+"\n")
		tape = fileOf("tape.jsonl",
			`{"cassette_version":2,"started":"2026-11-20T12:00:00Z","created_by":"evalctl"}`+"\n")
	})
	suiteOf := func(target, variant string) string { // the suite is in the directory of its cases
		return write(filepath.Join(filepath.Dir(cases), "s.yaml"),
			"name: theirs\ntarget: "+target+"\ndataset: cases.jsonl\nlabels: [x, y]\nvariants: [{name: m, "+
				variant+"}]\n")
	}

	It("is required with --replay for each command and endpoint that the cassette does not replace", func() {
		theirs := "model: x, base_url: 'http://" + t.a + "/v1', mcp: 'http://" + t.b + "/mcp'"
		secret := fileOf("secret", "Call a tool.")
		refuses("suite theirs: reads "+secret+" for an endpoint of its own. To allow this, add --trust",
			"run", suiteOf("tool-calling", theirs+", prompt: "+secret), "--replay", tape)
		Expect(t.hits.Load()).To(BeZero())
		got := evalctl("run", suiteOf("tool-calling", theirs), "--replay", tape, "--out", newRunDir(), "-q")
		Expect(t.hits.Load()).NotTo(BeZero(), "the server of tools is contacted")
		Expect(got.stderr).To(HavePrefix("hosts that the suite file names: " + t.b + "\n"))
		Expect(got.stderr).NotTo(ContainSubstring(t.a), "the cassette answers for the model")
	})

	It("is also required to resume a run, which prints the hosts, but not for files, whose hashes are stored", func() {
		base := serveModel(passThrough)
		prompt := fileOf("p.md", "Route it, as json.")
		path := fileOf("s.yaml",
			"name: theirs\ntarget: toolrouter\ndataset: toolrouter\nlimit: 2\nvariants: [{name: m, router: llm, prompt: "+prompt+", model: x, base_url: '"+base+"'}]\n")
		dir := newRunDir()
		Expect(evalctl("run", path, "--out", dir, "-q", "--trust").code).To(Equal(exit.Passed))
		Expect(os.Truncate(filepath.Join(dir, journal.ResultsFile), 0)).To(Succeed())
		got := evalctl("run", "--resume", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(ContainSubstring("hosts that the run's manifest names: " +
			strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/v1")))
		Expect(os.Truncate(filepath.Join(dir, journal.ResultsFile), 0)).To(Succeed())
		write(prompt, "Route it otherwise, as json.")
		Expect(evalctl("run", "--resume", dir, "-q").stderr).
			To(ContainSubstring("prompts of theirs/m have changed since the run began"))
	})

	It("is required with --only-failing for the suites of the earlier run with the changes by the flags", func() {
		dir := newRunDir()
		Expect(evalctl("run", "--target", "http", "--url", "http://"+t.a+"/x", "--retries", "0", "--dataset", cases,
			"--labels", "x,y", "--out", dir, "-q").code).To(Equal(exit.Incomplete))
		before := t.hits.Load()
		got := evalctl("run", "--only-failing", dir, "--header", "Authorization=$"+key, "--out", newRunDir())
		Expect(got.stderr).To(ContainSubstring("sends " + key + " to " + t.a))
		Expect(t.hits.Load()).To(Equal(before))
	})

	It("appears in the command to resume a run only if the user gave it", func() {
		args := []string{"run", "--target", "toolrouter", "--router", "llm", "--model", "m", "--base-url",
			serveModel(passThrough), "--api-key-env", key,
			"--limit", "3", "--max-requests", "1", "-q", "--out"}
		dir := newRunDir()
		hint := "continue with evalctl run --resume " + dir + " --max-requests 2"
		Expect(evalctl(append(args, dir)...).stderr).
			To(MatchRegexp(hint + ` \(it sends ` + key + ` to 127.0.0.1:\d+. To allow this, add --trust\)\n$`))
		dir = newRunDir()
		Expect(evalctl(append(args, dir, "--trust")...).stderr).
			To(HaveSuffix("continue with evalctl run --resume " + dir + " --max-requests 2 --trust\n"))
		got := evalctl("run", "--help-all")
		Expect(got.stdout).To(MatchRegexp(`--trust .*run commands`))
	})
})

var _ = DescribeTable("15.1: a worker's --allow-endpoint permits an address if scheme, host and port match",
	func(allowed, address string, covers bool) {
		f := workerFlags{allow: []string{allowed}}
		f.limits.given = func(string) bool { return false }
		err := f.checkTrust(suite.Suite{Name: "s", Target: "http",
			Variants: suite.Variants{{Settings: map[string]string{"url": address}}}})
		Expect(err == nil).To(Equal(covers), "%v", err)
		Expect(f.check("nats://127.0.0.1:1")).To(Succeed())
	},
	Entry(nil, "h.test", "http://h.test/x", true),
	Entry(nil, "h.test", "https://H.test.:8443/x", true),
	Entry(nil, "h.test", "http://h.test.evil/x", false),
	Entry(nil, "h.test", "http://h.test@evil/x", false),
	Entry(nil, "h.test:8443", "https://h.test:8443/x", true),
	Entry(nil, "h.test:8443", "https://h.test/x", false),
	Entry(nil, "h.test:443", "https://h.test/x", true),
	Entry(nil, "h.test:443", "http://h.test/x", false),
	Entry(nil, "h.test:443", "http://h.test:443/x", true),
	Entry(nil, "https://h.test", "https://h.test:8443/x", true),
	Entry(nil, "https://h.test", "http://h.test/x", false),
	Entry(nil, "https://h.test:443/", "https://h.test/x", true),
	Entry(nil, "[::1]", "http://[::1]:8000/x", true),
	Entry(nil, "::1", "http://[0:0::1]:8000/x", true),
	Entry(nil, "[::1]:8000", "http://[::1]:8000/x", true),
	Entry(nil, "[::1]:8000", "http://[::1]:8001/x", false),
	Entry(nil, "http://[::1]:8000", "http://[::1]:8000/x", true),
	Entry(nil, "::1", "http://[::2]/x", false),
	Entry(nil, "127.0.0.1", "http://[::ffff:127.0.0.1]:80/x", true),
)

var _ = It("15.1: a worker refuses an invalid --allow-endpoint", func() {
	for _, bad := range []string{"h:", "h:0", "h:x", "h:70000", "://h", "http://", "h/path", "me@h", "[::1", "[h]",
		"::1:x", "http://h?x", "$HOST"} {
		Expect((&workerFlags{allow: []string{bad}}).check("nats://127.0.0.1:1")).
			To(MatchError(ContainSubstring("--allow-endpoint: ")), bad)
	}
})

var _ = It("evalctl does not insert environment variables into prompts", func() {
	GinkgoT().Setenv("EVALCTL_TEST_SECRET", "s3cr3t")
	var mu sync.Mutex
	var bodies strings.Builder
	base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		body, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		bodies.Write(body)
		Expect(err).NotTo(HaveOccurred())
		http.Error(w, "{}", http.StatusUnauthorized)
	})
	for _, text := range []string{"json $EVALCTL_TEST_SECRET ${EVALCTL_TEST_SECRET} %EVALCTL_TEST_SECRET%",
		"json {{.EVALCTL_TEST_SECRET}}", `json {{env "EVALCTL_TEST_SECRET"}}`, "json {{EVALCTL_TEST_SECRET}}"} {
		dir := newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "llm", "--prompt", fileOf("p.md", text), "--model",
			"m", "--base-url", base, "--limit", "1", "--out", dir)
		Expect(got.code).NotTo(Equal(exit.Passed))
		Expect(got.stdout + got.stderr).NotTo(ContainSubstring("s3cr3t"))
	}
	mu.Lock()
	defer mu.Unlock()
	Expect(bodies.String()).To(ContainSubstring("$EVALCTL_TEST_SECRET ${EVALCTL_TEST_SECRET}"), "as it stands")
	Expect(bodies.String()).NotTo(ContainSubstring("s3cr3t"))
})
