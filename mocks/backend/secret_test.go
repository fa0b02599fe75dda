package backend_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

var _ = It("L6: a password in the address of a store, given as a setting, is redacted in all output", func() {
	s := suiteWithRouter("behavior: labeled")
	s.Variants = suite.Variants{{Name: "llm",
		Settings: map[string]string{"router": "llm", "prompt": "redis://me:correct-horse@127.0.0.1:6379/0"}}}
	known := &secret.Set{}
	_, err := backend.New(backend.Config{Suite: s, Secrets: known})
	Expect(err).NotTo(HaveOccurred())
	Expect(known.Redact("prompt redis://me:correct-horse@127.0.0.1:6379/0")).
		To(Equal("prompt redis://me:[redacted]@127.0.0.1:6379/0"))
})
