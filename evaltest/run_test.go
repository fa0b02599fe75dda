package evaltest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/evaltest"
)

const desk = `name: desk
target: prompt
dataset: cases.jsonl
labels: [refund, delivery]
variants: [{name: short}]
`

// writeSuite writes a suite file and a file with its cases, and returns the path of the suite.
func writeSuite(suite string) string {
	GinkgoHelper()
	path := writeFile("suite.yaml", suite)
	cases := `{"id":"a","text":"退款","label":"refund"}` + "\n" + `{"id":"b","text":"my parcel","label":"delivery"}` +
		"\n"
	Expect(os.WriteFile(filepath.Join(filepath.Dir(path), "cases.jsonl"), []byte(cases), 0o600)).To(Succeed())
	return path
}

var _ = Describe("A run in a Go test", func() {
	It("runs a shipped suite by name with chosen settings and a sample, as the command evalctl run does", func() {
		r := mustRun(evaltest.Suite{From: "toolrouter", Variants: map[string][]string{"router": {"rules", "llm"}},
			Faults: []string{}, Split: "dev", Sample: 20})
		Expect(r.Summary.Suites).To(HaveLen(1))
		s := r.Summary.Suites[0]
		Expect(s.Cases).To(BeEquivalentTo(20))
		Expect(s.Clock).To(Equal("simulated"))
		Expect(s.Conditions).To(HaveLen(2))
		Expect([]string{s.Conditions[0].Variant, s.Conditions[1].Variant}).To(ConsistOf("rules", "llm"))
		Expect(filepath.Join(r.Dir, "results.jsonl")).To(BeARegularFile(), "evalctl show and report read it")
	})

	It("combines a suite file, a shipped system with cases in Go and your own prompts, and a custom agent in one run",
		func() {
			prompt := writeFile("mine.md", "Sort it: {{labels}}. Answer as JSON with label and confidence.")
			r := mustRun(evaltest.Suite{From: writeSuite(desk)},
				evaltest.Suite{Target: "prompt", Name: "go", Prompts: []string{prompt},
					Cases: []eval.Case{evaltest.Case("1", "退款", "钱"), evaltest.Case("2", "parcel", "货")}},
				suiteOfThree("no"))
			Expect(r.Summary.Suites).To(HaveLen(3))
			Expect(r.Summary.Suites[1].Conditions[0].Variant).To(Equal("prompt=mine.md"))
			for _, name := range []string{"desk", "go", "three"} {
				Expect(r).To(evaltest.HaveMetric("route.accuracy{suite="+name+"}", 1.0))
			}
		})

	It("runs the variants of a custom system, and reports its panic as an agent error", func() {
		of := system.System{Name: "loud", Contract: system.Contract{LabelField: "label", Labels: both},
			Settings: []system.Setting{{Name: "voice", Values: []string{"calm", "loud"}, Default: "calm"}},
			Open: func(o system.Options) (system.LoadedVariant, error) {
				return system.LoadedVariant{NewAgent: func(uint64, func(string) system.Endpoint) (agent.Agent, error) {
					if o.SettingValues["voice"] == "loud" {
						return agent.Func(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply,
							error) {
							panic("too loud")
						}), nil
					}
					return firstWordAgent, nil
				}}, nil
			}}
		_, err := runSuites(evaltest.Options{},
			evaltest.Suite{System: &of, Variants: map[string][]string{"voice": {"calm", "loud"}},
				Cases: suiteOfThree("no").Cases})
		Expect(err).To(MatchError(
			And(HavePrefix("evaltest: incomplete: suite loud, variant loud, fault none: no answer in 3 of 3 trials"),
				HaveSuffix("(errors: 3 agent)"))))
	})

	It("returns different kinds of errors for a failing provider, an invalid configuration and a failed gate", func() {
		down := agent.Func(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{}, &llm.Error{Kind: llm.KindServerError, Err: errors.New("502")}
		})
		s := suiteOfThree("no")
		s.Agent = down
		kindOf := func(err error) evaltest.ErrorKind {
			var e *evaltest.Error
			Expect(errors.As(err, &e)).To(BeTrue(), "%v", err)
			return e.Kind
		}
		_, err := runSuites(evaltest.Options{}, s)
		Expect(kindOf(err)).To(Equal(evaltest.ProviderFailed))
		Expect(err).To(MatchError(HaveSuffix("(errors: 3 provider)")))
		_, err = runSuites(evaltest.Options{Gates: []string{"route.accuracy >= 90%"}}, suiteOfThree("yes"))
		Expect(kindOf(err)).To(Equal(evaltest.GateNotPassed))
		Expect(err).To(MatchError(HavePrefix("evaltest: gate: route.accuracy >= 0.9 (fail) — 66.7 %")))
		_, err = runSuites(evaltest.Options{}, evaltest.Suite{From: "toolroute"})
		Expect(kindOf(err)).To(Equal(evaltest.InvalidConfig))
	})

	It("contacts an endpoint only if that is allowed, redacts its key, and distinguishes a request that the endpoint refuses from a wrong answer",
		func() {
			GinkgoT().Setenv("DESK_KEY", "sk-0123456789abcdef")
			answers := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				Expect(r.Header.Get("Authorization")).To(Equal("Bearer sk-0123456789abcdef"))
				fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"{\"label\":\"refund\",\"confidence\":1}"},"finish_reason":"stop"}]}`)
			})
			refuses := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprint(w, `{"error":{"message":"no such key: sk-0123456789abcdef","type":"invalid_request_error"}}`)
			})
			at := func(h http.Handler) evaltest.Suite {
				s := httptest.NewServer(h)
				DeferCleanup(s.Close)
				return evaltest.Suite{From: writeSuite(desk + "models: {model: {model: m, base_url: \"" + s.URL +
					"\", api_key_env: DESK_KEY}}\n")}
			}
			r, err := runSuites(evaltest.Options{AllowNetwork: true}, at(answers))
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Summary.Suites[0].Clock).To(Equal("real"))
			Expect(r).To(evaltest.HaveMetric("route.accuracy", 0.5))
			_, err = runSuites(evaltest.Options{AllowNetwork: true}, at(refuses))
			Expect(err).To(MatchError(And(HavePrefix("evaltest: provider: suite desk"),
				HaveSuffix("(errors: 2 provider)"))))
			Expect(err.Error()).NotTo(ContainSubstring("sk-0123456789"))
		})

	It("can run at the same time as another run", func() {
		var group sync.WaitGroup
		errs := make([]error, 4)
		for i := range errs {
			out := filepath.Join(GinkgoT().TempDir(), fmt.Sprint(i))
			group.Go(func() {
				_, errs[i] = evaltest.Options{OutDir: out}.RunContext(context.Background(), suiteOfThree("no"))
			})
		}
		group.Wait()
		Expect(errs).To(HaveEach(BeNil()))
	})

	It("returns an error for two suites with the same name", func() {
		_, err := runSuites(evaltest.Options{}, suiteOfThree("no"), suiteOfThree("yes"))
		Expect(err).To(MatchError("evaltest: configuration: suite three: is named twice"))
	})

	It("does not write to the summary page of a CI job", func() {
		page := writeFile("summary.md", "")
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", page)
		mustRun(suiteOfThree("no"))
		Expect(os.ReadFile(page)).To(BeEmpty())
	})

	DescribeTable("returns a one-line error that names the position of invalid input",
		func(o evaltest.Options, suite func() evaltest.Suite, want string) {
			_, err := runSuites(o, suite())
			Expect(err).To(MatchError(And(HavePrefix("evaltest: configuration: "), ContainSubstring(want))))
			Expect(err.Error()).NotTo(ContainSubstring("\n"))
		},
		Entry("a suite that does not exist", evaltest.Options{},
			func() evaltest.Suite { return evaltest.Suite{From: "toolroute"} },
			`did you mean the shipped suite "toolrouter"?`),
		Entry("an error in a suite file", evaltest.Options{},
			func() evaltest.Suite { return evaltest.Suite{From: writeSuite(desk + "epochs: -1\n")} },
			`suite.yaml:6:9: epochs: -1 is negative`),
		Entry("an invalid case in a file", evaltest.Options{}, func() evaltest.Suite {
			return evaltest.Suite{Target: "prompt",
				Dataset: writeFile("c.jsonl", `{"id":"a","text":"x","label":"y"}`+"\n{}\n")}
		}, "c.jsonl:2:"),
		Entry("an invalid case in Go", evaltest.Options{}, func() evaltest.Suite {
			return evaltest.Suite{Agent: firstWordAgent, Labels: both,
				Cases: []eval.Case{evaltest.Case("a", "yes", "yes"), evaltest.Case("b", "x", "maybe")}}
		}, "Cases[1]: turns[0].expect.label: unknown label maybe (known: yes, no)"),
		Entry("a suite without an evaluated system", evaltest.Options{},
			func() evaltest.Suite { return evaltest.Suite{Name: "x"} },
			"a suite requires one of From, Target, Agent and System"),
		Entry("a suite with two evaluated systems", evaltest.Options{},
			func() evaltest.Suite { return evaltest.Suite{From: "prompt", Agent: firstWordAgent} },
			"a suite requires one of"),
		Entry("an agent with the name of a shipped system", evaltest.Options{}, func() evaltest.Suite {
			s := suiteOfThree("no")
			s.Name = "prompt"
			return s
		}, `target: "prompt" is the name of another system`),
		Entry("an unknown setting", evaltest.Options{}, func() evaltest.Suite {
			return evaltest.Suite{From: "toolrouter", Variants: map[string][]string{"roter": {"x"}}}
		}, `suite toolrouter: Variants: roter: unknown setting "roter", did you mean "router"?`),
		Entry("a prompt file that does not exist", evaltest.Options{},
			func() evaltest.Suite { return evaltest.Suite{From: "prompt", Prompts: []string{"no.md"}} },
			"no.md: no such file"),
		Entry("a gate with an unknown metric", evaltest.Options{Gates: []string{"route.acuracy >= 1"}},
			func() evaltest.Suite { return suiteOfThree("no") },
			`Gates: "route.acuracy >= 1", column 1: unknown metric`),
		Entry("a gate that requires a baseline, without one",
			evaltest.Options{Gates: []string{"drop(route.accuracy) <= 1pp"}},
			func() evaltest.Suite { return suiteOfThree("no") }, "Baseline: is missing"),
		Entry("an output directory that already contains a run", evaltest.Options{OutDir: "testdata"},
			func() evaltest.Suite {
				dir := GinkgoT().TempDir()
				GinkgoT().Chdir(dir)
				Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
				Expect(os.WriteFile("testdata/results.jsonl", []byte("x"), 0o600)).To(Succeed())
				return suiteOfThree("no")
			}, "Out: "),
		Entry("an endpoint without AllowNetwork", evaltest.Options{}, func() evaltest.Suite {
			return evaltest.Suite{From: writeSuite(desk +
				"models: {model: {model: m, base_url: \"http://127.0.0.1:1/v1\"}}\n")}
		}, "suite desk: reaches http://127.0.0.1:1/v1: to allow this, set AllowNetwork"),
		Entry("15.9: a command without AllowNetwork", evaltest.Options{}, func() evaltest.Suite {
			return evaltest.Suite{From: writeSuite(
				"name: desk\ntarget: exec\ndataset: cases.jsonl\nvariants: [{name: a, command: cat --api-key Zq8vT3mK1xW7}]\n")}
		}, "suite desk: runs cat --api-key [redacted], which can reach anything: to allow that, set AllowNetwork"),
	)
})

var _ = Describe("A test with an evaluation", func() {
	It("ends if the configuration is invalid, and continues if a gate fails", func() {
		var t recorder
		_, ended := t.run(evaltest.Options{}, evaltest.Suite{From: "toolroute"})
		Expect(ended).To(BeTrue())
		Expect(t.said).To(ConsistOf(HavePrefix("evaltest: configuration: suite toolroute")))

		t = recorder{}
		r, ended := t.run(evaltest.Options{Gates: []string{"route.accuracy >= 90%"}}, suiteOfThree("yes"))
		Expect(ended).To(BeFalse())
		Expect(t.failed).To(BeTrue())
		Expect(t.said).To(ConsistOf(HavePrefix("evaltest: gate: route.accuracy >= 0.9 (fail)")))
		Expect(r.Summary.Gates).To(HaveLen(1))
	})

	It("retains the directory of the run only if it fails", func() {
		for _, fails := range []bool{false, true} {
			t := recorder{failed: fails}
			r, _ := t.run(evaltest.Options{}, suiteOfThree("no"))
			Expect(r.Dir).To(BeADirectory())
			DeferCleanup(os.RemoveAll, r.Dir)
			for _, f := range t.after {
				f()
			}
			if fails {
				Expect(r.Dir).To(BeADirectory())
			} else {
				Expect(r.Dir).NotTo(BeAnExistingFile())
			}
		}
	})
})
