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

// all opens every route.
const all = intent.BitImageGen | intent.BitTimeQuery | intent.BitWebSearch

type detector func(string) (intent.Rule, bool)

// fires returns a table body that expects rule for every entry's text.
func fires(detect detector, rule intent.Rule) func(string) {
	return func(text string) {
		got, ok := detect(text)
		Expect(got).To(Equal(rule), text)
		Expect(ok).To(BeTrue(), text)
	}
}

// misses returns a table body that expects any rule but this one.
func misses(detect detector, rule intent.Rule) func(string) {
	return func(text string) {
		got, _ := detect(text)
		Expect(got).NotTo(Equal(rule), text)
	}
}

// stops returns a table body that expects the negative rule.
func stops(rule intent.Rule) func(string) {
	return func(text string) {
		got, ok := intent.DetectImageGen(text)
		Expect(got).To(Equal(rule), text)
		Expect(ok).To(BeFalse(), text)
	}
}

// nothing returns a table body for texts without a matching rule.
func nothing(detect detector) func(string) {
	return func(text string) {
		got, ok := detect(text)
		Expect(got).To(BeEmpty(), text)
		Expect(ok).To(BeFalse(), text)
	}
}

// texts creates an entry for every text, named by the text.
func texts(list ...string) []TableEntry {
	entries := make([]TableEntry, len(list))
	for i, text := range list {
		entries[i] = Entry(text, text)
	}
	return entries
}
