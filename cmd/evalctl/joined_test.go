package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// trap detects whether a command was run or one of two hosts was contacted.
type trap struct {
	ran  string // a file that commands create
	a, b string // HOST:PORT
	hits *atomic.Int64
}

func newTrap() trap {
	t := trap{ran: filepath.Join(GinkgoT().TempDir(), "ran"), hits: &atomic.Int64{}}
	for _, at := range []*string{&t.a, &t.b} {
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				t.hits.Add(1)
			}
		}
		s.Start()
		DeferCleanup(s.Close)
		*at = s.Listener.Addr().String()
	}
	return t
}

// joined returns values of a setting that hide a command or addresses behind other text, in all
// known forms or only the two simplest.
func (t trap) joined(all bool) (list []string) {
	texts := []string{
		"sh -c 'touch RAN' + http://A/mcp",
		"http://A+http://B",
		"http://A/mcp + touch RAN",
		"HTTP://A/mcp + touch RAN",
		"touch RAN http://A/mcp",
		"touch RAN\nhttp://A/mcp",
		"touch RAN #://",
		"http://A/v1+http://B/v1",
		"http://[redacted]@A/mcp + touch RAN",
		"redis://A+redis://B",
	}
	if !all {
		texts = texts[:2]
	}
	for _, text := range texts {
		list = append(list, strings.NewReplacer("RAN", t.ran, "//A", "//"+t.a, "@A", "@"+t.a, "//B", "//"+t.b).
			Replace(text))
	}
	return list
}

// eachJoined calls f for every setting of every system with each of the hidden values.
func (t trap) eachJoined(f func(of, setting, value string, runs bool)) {
	GinkgoHelper()
	for _, of := range suite.Systems() {
		for _, set := range of.Settings {
			for _, value := range t.joined(set.IsURL || set.IsCommand) {
				f(of.Name, set.Name, value, set.IsCommand)
				Expect(t.ran).NotTo(BeAnExistingFile(), "%s %s: %q", of.Name, set.Name, value)
				Expect(t.hits.Load()).To(BeZero(), "%s %s: %q", of.Name, set.Name, value)
			}
		}
	}
}

// joinedSuite returns a suite file with one case that sets a setting to a value.
func joinedSuite(of, setting, value, dataset string) []byte {
	GinkgoHelper()
	variant := map[string]any{"name": "m", setting: value}
	if of == "http" && setting != "url" {
		variant["url"], variant["turn-timeout"], variant["retries"] = "http://127.0.0.1:1/answer", "1s", "0"
		variant[setting] = value
	}
	b, err := json.Marshal(map[string]any{"name": "theirs", "target": of, "dataset": dataset, "limit": 1,
		"variants": []any{variant}})
	Expect(err).NotTo(HaveOccurred())
	return b
}

var _ = Describe("15.1: without --trust, a suite setting with a command or addresses hidden in its value runs nothing and contacts no host",
	func() {
		var t trap
		var cases string
		var oneCase map[string]string
		BeforeEach(func() {
			t, oneCase = newTrap(), map[string]string{}
			cases = fileOf("cases.jsonl",
				`{"id":"a","text":"hi","label":"x"}`+"\n"+`{"id":"b","text":"ho","label":"y"}`+"\n")
		})
		dataset := func(of string) string { // a shipped dataset would be read and checked completely
			at, ok := suite.FindSystem(of)
			Expect(ok).To(BeTrue())
			if at.Contract.HasDatasetLabels() {
				return cases
			}
			if oneCase[of] == "" {
				files, err := filepath.Glob(filepath.Join("..", "..", "datasets", of, "*.jsonl"))
				Expect(err).NotTo(HaveOccurred())
				first, _, _ := strings.Cut(read(files[0]), "\n")
				oneCase[of] = fileOf("case.jsonl", first+"\n")
			}
			return oneCase[of]
		}
		// the suite is in the directory of its dataset, so that it can read it
		suiteAt := func(of, setting, value string) string {
			set := dataset(of)
			return write(filepath.Join(filepath.Dir(set), "s.yaml"), string(joinedSuite(of, setting, value, set)))
		}

		It("in evalctl run and doctor", func() {
			t.eachJoined(func(of, setting, value string, _ bool) {
				path := suiteAt(of, setting, value)
				evalctl("run", path, "--out", newRunDir(), "-q")
				evalctl("doctor", path, "--timeout", "1s")
			})
			for _, of := range []string{"tool-calling", "exec"} {
				value := map[string]string{"tool-calling": "mcp", "exec": "command"}[of]
				got := evalctl("doctor", "--target", of, "--dataset", cases, "--"+value, "touch "+t.ran)
				Expect(t.ran).NotTo(BeAnExistingFile(), "doctor runs no command, whoever names it: %s", got.stdout)
			}
		})

		It("in a run that is resumed", func() {
			t.eachJoined(func(of, setting, value string, _ bool) {
				dir := GinkgoT().TempDir()
				Expect(manifestOf(joinedSuite(of, setting, value, dataset(of))).Write(dir)).To(Succeed())
				write(filepath.Join(dir, journal.ResultsFile), "")
				Expect(evalctl("run", "--resume", dir, "-q").code).NotTo(Equal(exit.Passed))
			})
		})

		It("in a worker that allows only the first host", func() {
			t.eachJoined(func(of, setting, value string, _ bool) {
				m, err := json.Marshal(manifestOf(joinedSuite(of, setting, value, dataset(of))))
				Expect(err).NotTo(HaveOccurred())
				set := dataset(of)
				at := map[string]string{set: set, value: value}
				f := workerFlags{allow: []string{t.a}, secrets: &secret.Set{}}
				f.Quiet, f.limits.given = true, func(string) bool { return false }
				_, err = f.plan(context.Background(), fleet.RunSpec{Manifest: m}, at, func(string) {})
				Expect(err).To(HaveOccurred())
			})
			theirs, err := suite.Parse("s",
				joinedSuite("scholar", "allowed-base-urls", "http://"+t.a+"/v1+http://"+t.b+"/v1", "scholar"))
			Expect(err).NotTo(HaveOccurred())
			refused := (&workerFlags{allow: []string{t.a}}).checkTrust(theirs)
			Expect(refused).To(MatchError(ContainSubstring("contacts " + t.b + ".")))
			Expect((&workerFlags{allow: []string{t.a, t.b}}).checkTrust(theirs)).To(Succeed())
		})

		It("in chat and serve, where only the user's flags name commands", func() {
			t.eachJoined(func(of, setting, value string, runs bool) {
				if runs {
					return
				}
				flags := []string{"--" + setting + "=" + value}
				if at, _ := suite.FindSystem(of); at.Contract.HasDatasetLabels() {
					flags = append(flags, "--labels", "x,y")
				}
				runWithInput(context.Background(), "", append([]string{"chat", of, "--allow-simulated"}, flags...)...)
				ctx, stop := context.WithTimeout(context.Background(), 0)
				defer stop()
				runInContext(ctx, append([]string{"serve", of, "--addr", "127.0.0.1:0", "--allow-simulated"},
					flags...)...)
			})
			bases := "http://" + t.a + "/v1+http://" + t.b + "/v1"
			got := runWithInput(context.Background(),
				"/set openai_api_base "+bases+"\n/set openai_api_key a-key\nhello\n",
				"chat", "scholar", "--allow-simulated", "--allowed-base-urls", bases)
			Expect(got.stdout).To(ContainSubstring("! /set: openai_api_base: is not an http URL"))
			Expect(t.hits.Load()).To(BeZero())
		})

		It("but does both with --trust, which shows that this test would notice it", func() {
			path := suiteAt("tool-calling", "mcp", t.joined(true)[2])
			got := evalctl("run", path, "--out", newRunDir())
			Expect(got.stderr).To(ContainSubstring("runs touch " + t.ran + ". To allow this, add --trust"))
			evalctl("run", path, "--out", newRunDir(), "--trust")
			Expect(t.hits.Load()).NotTo(BeZero())
			path = suiteAt("tool-calling", "mcp", t.joined(true)[0])
			evalctl("run", path, "--out", newRunDir(), "--trust")
			Expect(t.ran).To(BeAnExistingFile())
		})

		It("and evalctl run lists every host in such a value, even with -q", func() {
			bases := "http://" + t.a + "/v1+http://" + t.b + "/v1"
			path := suiteAt("scholar", "allowed-base-urls", bases)
			got := evalctl("run", path, "--out", newRunDir(), "-q")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			for _, host := range []string{t.a, t.b} {
				Expect(got.stderr).To(MatchRegexp("hosts that the suite file names: .*" + host))
			}
		})
	})

// manifestOf returns the manifest of a run with one suite, as a third party could write it.
func manifestOf(text []byte) journal.Manifest {
	GinkgoHelper()
	identity, err := build.Identity()
	Expect(err).NotTo(HaveOccurred())
	m, err := journal.Manifest{
		Version: identity, Status: journal.StatusRunning, Started: time.Now(), Clock: "real", Seed: 1,
		Suites: []json.RawMessage{text}, Datasets: []journal.DatasetInfo{{Name: "d", Hash: "h", Cases: 1}},
	}.WithHash()
	Expect(err).NotTo(HaveOccurred())
	return m
}

var _ = It("15.1: a suite that sets the working directory of the command in a flag requires --trust", func() {
	dir := GinkgoT().TempDir()
	write(filepath.Join(dir, "cases.jsonl"), `{"id":"a","text":"hi","label":"x"}`+"\n")
	path := write(filepath.Join(dir, "s.yaml"),
		"name: s\ntarget: exec\ndataset: cases.jsonl\nlabels: [x, y]\nvariants: [{name: a, workdir: .}]\n")
	got := evalctl("run", path, "--command", "python3 agent.py", "--out", newRunDir())
	Expect(got.code).To(Equal(exit.InvalidUsage))
	Expect(got.stderr).To(ContainSubstring("add --trust"))
})
