package price_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/price"
)

var _ = Describe("The built-in prices", func() {
	It("have a date and a source; output is not cheaper than input, and cached input not dearer", func() {
		rows := price.Builtin().Rows()
		Expect(len(rows)).To(BeNumerically(">", 30))
		for _, row := range rows {
			day, err := time.Parse(time.DateOnly, row.Date)
			Expect(err).NotTo(HaveOccurred(), row.Model)
			Expect(day).To(BeTemporally(">", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
			Expect(row.Source).To(ContainSubstring("https://"))
			Expect(row.In).To(BeNumerically(">", 0), row.Model)
			Expect(row.Out == 0 || row.Out > row.In).To(BeTrue(), row.Model)
			Expect(row.Cached).To(BeNumerically("<", row.In), row.Model)
		}
	})

	DescribeTable("match a provider's model by its full name", func(provider, model, baseURL string, want float64) {
		row, ok := price.Builtin().Find(provider, model, baseURL)
		Expect(ok).To(Equal(want > 0))
		Expect(row.In).To(Equal(want))
	},
		Entry("by its name", "openai", "gpt-4o-mini", "https://api.openai.com/v1", 0.15),
		Entry("by a dated alias in the data", "openai", "gpt-4o-mini-2024-07-18", "", 0.15),
		Entry("not by another dated name", "openai", "gpt-4o-mini-2027-01-01", "", 0.0),
		Entry("by the host if the provider has no name", "generic", "claude-haiku-4-5",
			"https://api.anthropic.com/v1", 1.0),
		Entry("by the host of an OpenAI-compatible endpoint", "generic", "gemini-2.5-flash",
			"https://generativelanguage.googleapis.com/v1beta/openai", 0.3),
		Entry("not by another host, where a model of that name may have any price", "generic", "claude-haiku-4-5",
			"https://example.com/v1", 0.0),
		Entry("not for a local endpoint", "generic", "gpt-4o-mini", "http://127.0.0.1:8000/v1", 0.0),
		Entry("not for another provider", "deepseek", "gpt-4o-mini", "", 0.0),
	)
})

var _ = Describe("A user's own prices", func() {
	read := func(text string) (*price.Table, error) {
		path := filepath.Join(GinkgoT().TempDir(), "own.yaml")
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		return price.Read(path)
	}

	It("replace built-in ones; the others stay", func() {
		t, err := read("- {provider: openai, date: 2026-11-22, models: {gpt-4o-mini: {in: 7, out: 8}, mine: {in: 1, out: 2, image: 3}}}")
		Expect(err).NotTo(HaveOccurred())
		row, _ := t.Find("openai", "gpt-4o-mini", "")
		Expect(row.Price).To(Equal(eval.Price{In: 7, Out: 8}))
		Expect(row.DateText()).To(Equal("prices of 2026-11-22"))
		row, _ = t.Find("openai", "mine", "")
		Expect(row.Image).To(Equal(3.0))
		_, ok := t.Find("openai", "gpt-4o", "")
		Expect(ok).To(BeTrue())
	})

	It("also replace those at the hosts that serve a provider's models under another name", func() {
		for provider, at := range map[string]string{"openai": "https://api.openai.com/v1",
			"anthropic": "https://api.anthropic.com/v1", "moonshot": "https://api.moonshot.ai/v1"} {
			t, err := read("- {provider: " + provider +
				", models: {gpt-4o-mini: {in: 99, out: 99}, mine: {in: 1, out: 2}}}")
			Expect(err).NotTo(HaveOccurred())
			for model, in := range map[string]float64{"gpt-4o-mini": 99, "mine": 1} {
				row, ok := t.Find("generic", model, at)
				Expect(ok).To(BeTrue(), at)
				Expect(row.In).To(Equal(in), at)
			}
		}
		row, ok := price.Builtin().Find("generic", "gpt-4o-mini", "https://api.openai.com/v1")
		Expect(ok).To(BeTrue())
		Expect(row.Provider).To(Equal("openai"))
	})

	DescribeTable("are rejected with their position if invalid", func(text, message string) {
		_, err := read(text)
		Expect(err).To(MatchError(And(ContainSubstring("own.yaml: "), ContainSubstring(message))))
	},
		Entry("no provider", "- {models: {m: {in: 1, out: 1}}}", "provider: is missing"),
		Entry("negative", "- {provider: p, models: {m: {in: -1, out: 1}}}", "models.m: -1 is not a price"),
		Entry("not a number", "- {provider: p, models: {m: {in: .nan, out: 1}}}", "models.m: NaN is not a price"),
		Entry("duplicate", "- {provider: p, models: {m: {in: 1, out: 1}, n: {in: 1, out: 1, aliases: [m]}}}",
			"is listed twice"),
		Entry("not a date", "- {provider: p, date: yesterday, models: {}}", `"yesterday" is not a day`),
		Entry("an unknown field", "- {provider: p, prices: {}}", "prices"),
	)
})

func FuzzParse(f *testing.F) {
	f.Add([]byte("- {provider: p, hosts: [h], models: {m: {in: 1, out: 2, aliases: [n]}}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := price.Parse("fuzz", text)
		if (table == nil) == (err == nil) {
			t.Fatal(table, err)
		}
	})
}
