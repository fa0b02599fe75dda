package suite_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/suite"
)

var _ = Describe("The built-in prices", func() {
	It("have a date and a source; output is not cheaper than input, and cached input is not more expensive", func() {
		rows := suite.BuiltinPrices().Entries()
		Expect(len(rows)).To(BeNumerically(">", 30))
		for _, row := range rows {
			day, err := time.Parse(time.DateOnly, row.Date)
			Expect(err).NotTo(HaveOccurred(), row.Model)
			Expect(day).To(BeTemporally(">", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
			Expect(row.Source).To(ContainSubstring("https://"))
			Expect(row.In).To(BeNumerically(">", 0), row.Model)
			Expect(row.Out == 0 || row.Out > row.In).To(BeTrue(), row.Model)
			Expect(row.CachedIn).To(BeNumerically("<", row.In), row.Model)
		}
	})

	DescribeTable("are found by provider and model name, or by the host of the endpoint",
		func(provider, model, baseURL string, want float64) {
			row, ok := suite.BuiltinPrices().Find(provider, model, baseURL)
			Expect(ok).To(Equal(want > 0))
			Expect(row.In).To(Equal(want))
		},
		Entry("by provider and model name", "openai", "gpt-4o-mini", "https://api.openai.com/v1", 0.15),
		Entry("by a dated alias that the table contains", "openai", "gpt-4o-mini-2024-07-18", "", 0.15),
		Entry("not by a dated name that the table does not contain", "openai", "gpt-4o-mini-2027-01-01", "", 0.0),
		Entry("by the host of an unnamed provider", "generic", "claude-haiku-4-5",
			"https://api.anthropic.com/v1", 1.0),
		Entry("by the host of an endpoint that is compatible with OpenAI", "generic", "gemini-2.5-flash",
			"https://generativelanguage.googleapis.com/v1beta/openai", 0.3),
		Entry("not at another host, where the same model may have any price", "generic", "claude-haiku-4-5",
			"https://example.com/v1", 0.0),
		Entry("not at a local endpoint", "generic", "gpt-4o-mini", "http://127.0.0.1:8000/v1", 0.0),
		Entry("not for another provider", "deepseek", "gpt-4o-mini", "", 0.0),
	)
})

var _ = Describe("The prices in a user's file", func() {
	read := func(text string) (*suite.PriceTable, error) {
		path := filepath.Join(GinkgoT().TempDir(), "own.yaml")
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		return suite.ReadPriceFile(path)
	}

	It("replace the built-in prices of the same models; all others stay", func() {
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

	It("also replace the prices at the hosts that serve the provider's models", func() {
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
		row, ok := suite.BuiltinPrices().Find("generic", "gpt-4o-mini", "https://api.openai.com/v1")
		Expect(ok).To(BeTrue())
		Expect(row.Provider).To(Equal("openai"))
	})

	DescribeTable("are rejected with their position if the file is invalid", func(text, message string) {
		_, err := read(text)
		Expect(err).To(MatchError(And(ContainSubstring("own.yaml: "), ContainSubstring(message))))
	},
		Entry("no provider", "- {models: {m: {in: 1, out: 1}}}", "provider: is missing"),
		Entry("a negative price", "- {provider: p, models: {m: {in: -1, out: 1}}}", "models.m: -1 is not a price"),
		Entry("a price that is not a number", "- {provider: p, models: {m: {in: .nan, out: 1}}}",
			"models.m: NaN is not a price"),
		Entry("two prices for the same model",
			"- {provider: p, models: {m: {in: 1, out: 1}, n: {in: 1, out: 1, aliases: [m]}}}",
			"is listed twice"),
		Entry("an invalid date", "- {provider: p, date: yesterday, models: {}}", `"yesterday" is not a day`),
		Entry("an unknown field", "- {provider: p, prices: {}}", "prices"),
	)
})

func FuzzParsePrices(f *testing.F) {
	f.Add([]byte("- {provider: p, hosts: [h], models: {m: {in: 1, out: 2, aliases: [n]}}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := suite.ParsePrices("fuzz", text)
		if (table == nil) == (err == nil) {
			t.Fatal(table, err)
		}
	})
}
