package suite_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

func TestSuite(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "suite")
}

// small is a suite with one variant.
const small = `name: mine
target: toolrouter
dataset: toolrouter
variants:
  - name: llm-first
    router: llm-first
`

// parse returns the suite for a text that must be valid.
func parse(text string) suite.Suite {
	GinkgoHelper()
	s, err := suite.Parse("mine.yaml", []byte(text))
	Expect(err).NotTo(HaveOccurred())
	return s
}

// write writes a text to a file in a new directory and returns its path.
func write(name, text string) string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// simulated returns a ConnectFunc that gives every trial its own simulated components. Their only
// label is chat.
func simulated(faults map[string]string) suite.ConnectFunc {
	return func(t eval.Trial, _ suite.Variant) (func(string) system.Endpoint, error) {
		cfg := mocks.Config{Seed: t.TrialSeed(), Model: &model.SimulatedRouter{Seed: t.TrialSeed(), Accuracy: 0.7,
			CorrectLabel: func(string) (string, bool) { return "chat", true },
			Labels:       []string{"image_gen", "web_search", "time_query", "chat"}},
			Latency: map[string]latency.Latency{"router": latency.LogNormal(6e8, 0.4),
				"chat": latency.PerToken(4e8, 2e7)}}
		if spec := faults[t.Condition.Fault]; spec != "" {
			var err error
			if cfg.Faults, err = fault.Parse(spec, nil); err != nil {
				return nil, err
			}
		}
		server, err := mocks.New(cfg)
		if err != nil {
			return nil, err
		}
		web := &http.Client{Transport: transport.Transport{Handler: server}}
		return func(string) system.Endpoint {
			return system.Endpoint{Provider: "openai", Model: "simulated", APIKey: "simulated", HTTP: web}
		}, nil
	}
}

// conditionsOf returns the conditions of a suite without data from a dataset.
func conditionsOf(s suite.Suite, connect suite.ConnectFunc) ([]*eval.Condition, error) {
	return s.Conditions(connect, suite.DatasetInfo{})
}

// set changes a setting of the suite's first variant.
func set(s *suite.Suite, name, value string) { s.Variants[0].Settings[name] = value }
