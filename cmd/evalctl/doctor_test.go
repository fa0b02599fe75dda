package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/alicebob/miniredis/v2"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/cmd/evalctl/doctor"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/mocks"
)

// diagnosed is the JSON output of evalctl doctor.
type diagnosed struct {
	OK     bool             `json:"ok"`
	Checks []doctor.Finding `json:"checks"`
	Costs  []struct {
		Suite      string   `json:"suite"`
		Cases      int64    `json:"cases"`
		Conditions int64    `json:"conditions"`
		Trials     int64    `json:"trials"`
		Calls      int64    `json:"calls"`
		TokensIn   int64    `json:"tokens_in"`
		TokensOut  int64    `json:"tokens_out"`
		USD        *float64 `json:"usd"`
		Seconds    float64  `json:"seconds"`
		Parallel   int      `json:"parallel"`
	} `json:"costs"`
}

func (d diagnosed) of(check string) (list []doctor.Finding) {
	for _, f := range d.Checks {
		if f.Check == check {
			list = append(list, f)
		}
	}
	return list
}

var _ = Describe("evalctl doctor", func() {
	const secretKey = "sk-never-shown-0123456789"
	BeforeEach(func() {
		GinkgoT().Chdir(GinkgoT().TempDir())
		for _, p := range llm.Providers() {
			if p.KeyEnv != "" {
				GinkgoT().Setenv(p.KeyEnv, "") // no request leaves the machine
			}
		}
	})

	diagnose := func(code int, args ...string) (d diagnosed) {
		GinkgoHelper()
		got := evalctl(append([]string{"doctor", "--format", "json"}, args...)...)
		Expect(got.code).To(Equal(code), got.stdout+got.stderr)
		Expect(got.stdout + got.stderr).NotTo(ContainSubstring("never-shown"))
		Expect(json.Unmarshal([]byte(got.stdout), &d)).To(Succeed())
		Expect(d.OK).To(Equal(code == exit.Passed))
		return d
	}
	endpoint := func() string {
		s, err := mocks.New(mocks.Config{APIKey: secretKey})
		Expect(err).NotTo(HaveOccurred())
		server := httptest.NewServer(s)
		DeferCleanup(server.Close)
		return server.URL + "/v1"
	}

	It("prints a line for each check, and an estimate of the run", func() {
		got := evalctl("doctor", "prompt")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		for _, line := range []string{`✓ build +evalctl .*, go1\.`, `– terminal  none`, `✓ locale +C\.UTF-8`,
			`[✓!] disk +\. has \d+ [GM]iB left`, `! key +OPENAI_API_KEY of openai is set but empty`} {
			Expect(got.stdout).To(MatchRegexp(`(?m)^` + line))
		}
		Expect(got.stdout).To(MatchRegexp(
			`\n +suite  cases  conditions  trials  calls  tokens in  tokens out   USD  at -j 16\n +prompt    542           2   1,084  [\d,]+ +[\d.]+ M +\d+ k +[\d.]+ +[\d.]+ s\n$`))
	})

	It("uses ASCII symbols in a locale without UTF-8", func() {
		GinkgoT().Setenv("LC_ALL", "C")
		Expect(evalctl("doctor", "prompt", "--offline").stdout).
			To(And(MatchRegexp(`(?m)^! locale +C is not UTF-8`), MatchRegexp(`(?m)^\+ build`)))
	})

	It("calls the endpoint that a run would use, with its key, and never shows the key", func() {
		GinkgoT().Setenv("MY_KEY", secretKey)
		d := diagnose(exit.Passed, "prompt", "--base-url", endpoint(), "--model", "any", "--api-key-env",
			"MY_KEY", "--sample", "10")
		Expect(d.of("endpoint")).To(HaveExactElements(HaveField("Message", ContainSubstring(" answers"))))
		Expect(d.of("clock")).To(HaveExactElements(HaveField("Status", doctor.StatusOK)))
		Expect(d.of("key")[0]).To(
			Equal(doctor.Finding{Check: "key", Status: doctor.StatusOK, Message: "MY_KEY is set"}))
	})

	It("fails if the key is refused, contains blanks or is missing, and still completes the other checks", func() {
		at := endpoint()
		GinkgoT().Setenv("MY_KEY", "sk-never-shown-and-wrong")
		d := diagnose(exit.InvalidUsage, "prompt", "--base-url", at, "--model", "any", "--api-key-env", "MY_KEY")
		Expect(d.of("endpoint")[0].Message).To(HaveSuffix("refuses MY_KEY (401)"))
		Expect(d.Costs).To(HaveLen(1))
		GinkgoT().Setenv("MY_KEY", secretKey+"\n")
		Expect(diagnose(exit.InvalidUsage, "prompt", "--base-url", at, "--model", "any", "--api-key-env", "MY_KEY").
			of("key")[0].Message).To(Equal("MY_KEY starts or ends with white space"))
		d = diagnose(exit.InvalidUsage, "prompt", "--model", "deepseek:deepseek-v4-flash")
		Expect(d.of("suite")).To(BeEmpty())
		Expect(d.of("endpoint")).
			To(HaveExactElements(HaveField("Message",
				"https://api.deepseek.com is not checked: it requires DEEPSEEK_API_KEY")))
		Expect(d.Costs).To(HaveLen(1), "a lacking key hides no cost")
		Expect(d.of("key")[0]).To(HaveField("Status", doctor.StatusFailed))
		Expect(evalctl("doctor", "prompt", "--model", "deepseek:deepseek-v4-flash").stderr).
			To(MatchRegexp(`^evalctl: doctor: 1 of \d+ checks failed\n$`))
	})

	It("accepts a command line of run unchanged, with reports and gates", func() {
		_, ran := os.Stat("runs")
		for _, offline := range [][]string{nil, {"--offline"}} {
			d := diagnose(exit.InvalidUsage,
				append(offline, "prompt", "--model", "any", "--base-url", "http://127.0.0.1:1/v1", "--api-key-env",
					"NO_SUCH_KEY", "--sample", "10",
					"--out", "runs/x", "--format", "table", "--format", "html=x.html", "--html", "y.html", "--gate",
					"route.accuracy >= 90%", "--baseline", "runs/none",
					"--undecided", "fail", "-q", "-v", "--circuit-breaker", "3", "--max-missing", "1%",
					"--clock", "real")...)
			Expect(d.Costs).To(HaveExactElements(And(HaveField("Trials", int64(20)), HaveField("Suite", "prompt"))))
			Expect(d.of("key")[0]).To(
				Equal(doctor.Finding{Check: "key", Status: doctor.StatusFailed, Message: "NO_SUCH_KEY is not set"}))
		}
		_, now := os.Stat("runs")
		Expect(now).To(Equal(ran), "nothing is written")
		Expect(evalctl("doctor", "--help").stdout).NotTo(ContainSubstring("--baseline"))
	})

	It("makes no network requests with --offline", func() {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
		DeferCleanup(server.Close)
		d := diagnose(exit.Passed, "prompt", "--offline", "--base-url", server.URL, "--model", "any")
		Expect(d.of("endpoint")).To(HaveExactElements(HaveField("Status", doctor.StatusSkipped)))
		Expect(asked).To(BeZero())
	})

	It("checks the providers whose keys are set if no suite is given", func() {
		GinkgoT().Setenv("DEEPSEEK_API_KEY", secretKey)
		d := diagnose(exit.Passed, "--offline", "--limit", "1", "--router", "rules")
		Expect(d.of("endpoint")).
			To(HaveExactElements(HaveField("Message", "https://api.deepseek.com is not checked: --offline")))
		Expect(diagnose(exit.Passed, "prompt", "--offline", "--limit", "1").of("endpoint")).To(BeEmpty())
	})

	It("requires --trust before it sends a key that a suite names", func() {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
		DeferCleanup(server.Close)
		GinkgoT().Setenv("MY_KEY", secretKey)
		file := write("theirs.yaml",
			fmt.Sprintf("name: theirs\ntarget: prompt\ndataset: prompt\nmodels:\n  model: {model: m, base_url: %q, api_key_env: MY_KEY}\nvariants: [{name: a}]\n", server.URL))
		Expect(diagnose(exit.InvalidUsage, file).of("suite")[0].Message).To(ContainSubstring("--trust"))
		Expect(asked).To(BeZero())
		diagnose(exit.Passed, file, "--trust")
		Expect(asked).To(Equal(1))
	})

	It("checks a shared cache, and reports without its password that it is unavailable", func() {
		server := miniredis.NewMiniRedis()
		Expect(server.Start()).To(Succeed())
		DeferCleanup(server.Close)
		d := diagnose(exit.Passed, "scholar", "--limit", "5", "--summary-cache", "redis://"+server.Addr())
		Expect(d.of("cache")).To(HaveExactElements(HaveField("Status", doctor.StatusOK)))
		d = diagnose(exit.InvalidUsage, "scholar", "--limit", "5", "--summary-cache",
			"redis://me:never-shown@127.0.0.1:1/0")
		Expect(d.of("cache")).To(HaveExactElements(HaveField("Status", doctor.StatusFailed)))
	})

	It("estimates the calls and tokens that the run really uses", func() {
		said := diagnose(exit.Passed, "prompt", "--sample", "100", "-j", "4").Costs[0]
		Expect(said.Cases).To(Equal(int64(100)))
		Expect(said.Trials).To(Equal(said.Conditions * 100))
		dir := newRunDir()
		Expect(evalctl("run", "prompt", "--sample", "100", "--out", dir, "-q").code).To(Equal(exit.Passed))
		var calls, in, usd, ms float64
		for _, c := range summaryOf(dir).Suites[0].Conditions {
			if c.BaselineModel || c.Fault != eval.NoFault {
				continue
			}
			calls += *c.Metrics["calls.mean"].Value * 100
			in += *c.Metrics["tokens.in_total"].Value
			usd += *c.Metrics["cost.total_usd"].Value
			ms += *c.Metrics["episode.mean"].Value * 100
		}
		Expect(float64(said.Calls)).To(BeNumerically("~", calls, calls/5))
		Expect(float64(said.TokensIn)).To(BeNumerically("~", in, in/5))
		Expect(*said.USD).To(BeNumerically("~", usd, usd/5))
		Expect(said.Seconds * 4).To(BeNumerically("~", ms/1000, ms/4000))
		Expect(diagnose(exit.Passed, "prompt", "--sample", "100", "-j", "4").Costs[0]).
			To(Equal(said), "it is the same each time")
	})

	It("reports that a price is unknown, and counts epochs", func() {
		once := diagnose(exit.Passed, "toolrouter", "--router", "llm", "--limit", "10").Costs[0]
		Expect(once.USD).To(BeNil())
		thrice := diagnose(exit.Passed, "toolrouter", "--router", "llm", "--limit", "10", "--epochs", "3").Costs[0]
		Expect(thrice.Trials).To(Equal(3 * once.Trials))
		Expect(diagnose(exit.Passed, "toolrouter", "--router", "llm", "--limit", "10", "--fault", "router:timeout").
			Costs[0].Trials).To(Equal(2*once.Trials), "a requested fault costs as much again")
		Expect(evalctl("doctor", "toolrouter", "--router", "llm", "--limit", "10").stdout).
			To(HaveSuffix("\n  no price: the suite does not state a price for every model and service\n"))
	})

	It("leaves no files behind", func() {
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", "summary.md")
		diagnose(exit.Passed, "prompt", "--limit", "3")
		Expect("summary.md").NotTo(BeAnExistingFile())
		Expect("runs").NotTo(BeADirectory())
	})

	It("refuses invalid arguments in one line", func() {
		Expect(evalctl("doctor", "--timeout", "0s").stderr).To(Equal("evalctl: --timeout: 0s is not positive\n"))
		Expect(strings.Count(evalctl("doctor", "promt").stdout, "✗ suite")).To(Equal(1))
	})

	It("28.5: refuses an unknown format", func() {
		for _, format := range []string{"nonsense", "table,nonsense"} {
			got := evalctl("doctor", "--offline", "--format", format)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stdout).To(BeEmpty())
			Expect(got.stderr).To(Equal("evalctl: --format: unknown format \"nonsense\" (known: table, json)\n"))
		}
		Expect(evalctl("doctor", "--offline", "--format", "json").stdout).To(HavePrefix("{"))
		Expect(evalctl("doctor", "--offline", "--format", "table").stdout).NotTo(HavePrefix("{"))
	})

	It("28.5: refuses zero parallel trials, as evalctl worker does", func() {
		for _, args := range [][]string{{"doctor", "-j", "0"}, {"worker", "nats://127.0.0.1:1", "-j", "0"}} {
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(Equal("evalctl: --parallel: must be at least 1, got 0\n"))
		}
	})
})
