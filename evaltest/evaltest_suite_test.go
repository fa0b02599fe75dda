package evaltest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/evaltest"
)

func TestEvaltest(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Evaltest")
}

// firstWordAgent is an agent that decides by the first word of a message; «fail» simulates a
// failing provider.
var firstWordAgent = agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
	word, _, _ := strings.Cut(t.Text, " ")
	return agent.Reply{Content: word, Predicted: word, AnsweredBy: word, DecidedBy: "rules"}, nil
})

var both = []string{"yes", "no"}

// suiteOfThree returns a suite with three cases. Whether its agent is right in the third depends on
// its message, last.
func suiteOfThree(last string) evaltest.Suite {
	return evaltest.Suite{Name: "three", Agent: firstWordAgent, Labels: both,
		Cases: []eval.Case{evaltest.Case("a", "yes sir", "yes", "lang:en"), evaltest.Case("b", "no sir", "no"),
			evaltest.Case("c", last, "no", "lang:en")}}
}

// runSuites runs suites into a temporary directory and returns the error of the run.
func runSuites(o evaltest.Options, suites ...evaltest.Suite) (*evaltest.Report, error) {
	GinkgoHelper()
	if o.OutDir == "" {
		o.OutDir = filepath.Join(GinkgoT().TempDir(), "run")
	}
	return o.RunContext(context.Background(), suites...)
}

// mustRun runs suites and fails the test if the run fails.
func mustRun(suites ...evaltest.Suite) *evaltest.Report {
	GinkgoHelper()
	r, err := runSuites(evaltest.Options{}, suites...)
	Expect(err).NotTo(HaveOccurred())
	return r
}

// writeFile writes a text to a file in a temporary directory and returns its path.
func writeFile(name, text string) string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// recorder is a testing.TB that records its calls.
type recorder struct {
	testing.TB
	said   []string
	failed bool
	after  []func()
}

type fatal struct{}

func (r *recorder) Helper()                    {}
func (r *recorder) Name() string               { return "TestOfSomebody" }
func (r *recorder) Context() context.Context   { return context.Background() }
func (r *recorder) Cleanup(f func())           { r.after = append(r.after, f) }
func (r *recorder) Failed() bool               { return r.failed }
func (r *recorder) Logf(f string, args ...any) { r.said = append(r.said, "log") }
func (r *recorder) Error(args ...any)          { r.say(args...) }
func (r *recorder) Fatal(args ...any)          { r.say(args...); panic(fatal{}) }
func (r *recorder) say(args ...any) {
	r.failed, r.said = true, append(r.said, args[0].(error).Error())
}

// run runs suites as the test of a user does, until the test ends.
func (r *recorder) run(o evaltest.Options, suites ...evaltest.Suite) (report *evaltest.Report, ended bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, is := p.(fatal); !is {
				panic(p)
			}
			ended = true
		}
	}()
	return o.Run(r, suites...), false
}
