package backend_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

var _ = Describe("A component of an external service", func() {
	of := system.System{Name: "stranger", Contract: system.Contract{LabelField: "label", Labels: []string{"a", "b"}},
		Components: []system.Component{{Name: "them", Role: system.RoleRouter,
			URL: func(v system.SettingValues) string { return v["at"] }}},
		Settings: []system.Setting{{Name: "at"}},
	}
	suiteOf := func(v suite.Variant) suite.Suite {
		return suite.Suite{Name: "s", Target: "stranger", CustomSystem: &of, Variants: suite.Variants{v}}
	}
	made := func(cfg backend.Config) *backend.Backend {
		GinkgoHelper()
		b, err := backend.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		return b
	}
	there := suite.Variant{Name: "v", Settings: map[string]string{"at": "http://user:hunter2hunter2@127.0.0.1:9/x"}}

	It("counts as real, in notes and for the circuit breaker, if the settings contain its address; otherwise it is simulated",
		func() {
			b := made(backend.Config{Suite: suiteOf(there)})
			Expect(b.HasRealEndpoint()).To(BeTrue())
			Expect(suiteOf(there).DescribeEndpoint(there, "them")).To(Equal("them at http://[redacted]@127.0.0.1:9/x"))
			Expect(b.ModelNotes()).To(Equal(
				[]eval.ModelInfo{{Component: "them", Kind: "real", Note: "at http://[redacted]@127.0.0.1:9/x",
					Latency: eval.LatencyMeasured}}))
			nowhere := suite.Variant{Name: "v"}
			Expect(made(backend.Config{Suite: suiteOf(nowhere)}).HasRealEndpoint()).To(BeFalse())
		})

	It("is called at its configured address, through all middleware", func() {
		var to []string
		via := func(c backend.Call, next http.RoundTripper) http.RoundTripper {
			to = append(to, c.Component+" "+c.Model.BaseURL)
			return next
		}
		b := made(backend.Config{Suite: suiteOf(there), HTTP: http.DefaultClient,
			Middleware: []backend.Middleware{via}})
		link, err := b.Connect(eval.Trial{Condition: &eval.Condition{Fault: eval.NoFault}}, there)
		Expect(err).NotTo(HaveOccurred())
		Expect(link("them").BaseURL).To(Equal(there.Settings["at"]))
		Expect(to).To(Equal([]string{"them " + there.Settings["at"]}))
	})

	It("rejects faults, because they cannot be injected into a real endpoint", func() {
		s := suiteOf(there)
		s.Faults = []string{"them:timeout"}
		_, err := backend.New(backend.Config{Suite: s})
		Expect(err).To(MatchError(ContainSubstring("is a real endpoint")))
	})
})
