package journal_test

import (
	"bytes"
	"encoding/json"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
)

var _ = DescribeTable("LineKey returns the trial key in a line",
	func(line, want string) { Expect(journal.LineKey([]byte(line))).To(Equal(want)) },
	Entry("a line as a run writes it, even if it is incomplete", `{"key":"abc","suite":`, "abc"),
	Entry("a key after other fields", `{"suite":"s","key":"abc"}`, "abc"),
	Entry("a key with an escaped quote", `{"key":"a\"c"}`, `a"c`),
	Entry("a key with non-ASCII characters", `{"key":"画"}`, "画"),
	Entry("no key, if the line is not an object", `["key"]`, ""),
	Entry("no key, if the line is empty", "\n", ""),
)

var _ = Describe("A single journal line", func() {
	It("is decoded as strictly as in a file", func() {
		b, err := json.Marshal(full("a"))
		Expect(err).NotTo(HaveOccurred())
		r, err := journal.DecodeResult(b)
		Expect(err).NotTo(HaveOccurred())
		want := full("a")
		want.Outcome = eval.Outcome{}
		Expect(r).To(Equal(want))
		_, err = journal.DecodeResult([]byte(`{"key":"a","confidence":7}`))
		Expect(err).To(MatchError(ContainSubstring("confidence is 7")))
		_, err = journal.DecodeTrace([]byte(`{"key":"a","extra":7}`))
		Expect(err).To(HaveOccurred())
		_, err = journal.DecodeTrace([]byte(`{"suite":"a"}`))
		Expect(err).To(MatchError("has no key"))
	})
})

// FuzzKeyIn checks that LineKey returns the same key as decoding the line, unless the line has two
// keys.
func FuzzKeyIn(f *testing.F) {
	for _, line := range []string{`{"key":"a"}`, `{"key":"\u0061"}`, `{"suite":"x","key":"a"}`, `{"key":"a","key":"b"}`,
		`{"key":`, `{"KEY":"a"}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		key := journal.LineKey(line)
		trace, err := journal.DecodeTrace(line)
		if err != nil || trace.Key == key {
			return
		}
		if bytes.Count(bytes.ToLower(line), []byte(`"key"`)) < 2 && !bytes.ContainsRune(line, '\\') {
			t.Fatalf("%q has the key %q, not %q", line, trace.Key, key)
		}
	})
}
