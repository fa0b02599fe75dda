package intent_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter/intent"
)

func TestIntent(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "intent")
}

// all contains every route: none is switched off.
const all = intent.RouteImageGen | intent.RouteTimeQuery | intent.RouteWebSearch

type detector func(string) (intent.Rule, bool)

// fires returns the body of a table: each text must match this rule.
func fires(detect detector, rule intent.Rule) func(string) {
	return func(text string) {
		got, ok := detect(text)
		Expect(got).To(Equal(rule), text)
		Expect(ok).To(BeTrue(), text)
	}
}

// misses returns the body of a table: each text must match another rule or none.
func misses(detect detector, rule intent.Rule) func(string) {
	return func(text string) {
		got, _ := detect(text)
		Expect(got).NotTo(Equal(rule), text)
	}
}

// stops returns the body of a table: each text must match this negative rule.
func stops(rule intent.Rule) func(string) {
	return func(text string) {
		got, ok := intent.DetectImageGen(text)
		Expect(got).To(Equal(rule), text)
		Expect(ok).To(BeFalse(), text)
	}
}

// nothing returns the body of a table: each text must match no rule.
func nothing(detect detector) func(string) {
	return func(text string) {
		got, ok := detect(text)
		Expect(got).To(BeEmpty(), text)
		Expect(ok).To(BeFalse(), text)
	}
}

func texts(list ...string) []TableEntry {
	entries := make([]TableEntry, len(list))
	for i, text := range list {
		entries[i] = Entry(text, text)
	}
	return entries
}
