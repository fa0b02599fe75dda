package importer_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets/importer"
)

// tickets contains options for the formats that require some.
var tickets = importer.Options{Text: "body", Label: "team", ID: "key", Split: "part", Delimiter: ";"}

var _ = Describe("An importer", func() {
	DescribeTable("writes cases that package datasets accepts, and reports the rows that it rejects",
		func(golden, format, path string, o importer.Options) {
			out := run(format, filepath.Join("testdata", filepath.FromSlash(path)), o)
			Expect(out.err).NotTo(HaveOccurred())
			d := out.load()
			Expect(d.Cases).To(Equal(out.sum.Cases))
			Expect(d.Splits).To(Equal(out.sum.Splits))

			file := filepath.Join("testdata", "golden", golden+".txt")
			if *update {
				Expect(os.WriteFile(file, []byte(out.String()), 0o644)).To(Succeed())
			}
			want, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			Expect(out.String()).To(Equal(string(want)))
		},
		func(golden, _, _ string, _ importer.Options) string { return golden },
		Entry(nil, "clinc150", "clinc150", "clinc150/data_full.json", importer.Options{}),
		Entry(nil, "banking77", "banking77", "banking77", importer.Options{}),
		Entry(nil, "banking77-file", "banking77", "banking77/train_10.csv", importer.Options{}),
		Entry(nil, "hwu64", "hwu64", "hwu64/annotated.csv", importer.Options{}),
		Entry("30.6: the folder of a fold of HWU64", "hwu64-fold", "hwu64", "hwu64/KFold_1", importer.Options{}),
		Entry("30.6: a file of a fold of HWU64", "hwu64-foldfile", "hwu64", "hwu64/KFold_1/testset/csv/alarm_set.csv",
			importer.Options{}),
		Entry("30.6: a corpus of Braun et al.", "braun2017-file", "braun2017", "braun2017/BakeryCorpus.json",
			importer.Options{}),
		Entry("30.6: the folder of the corpora of Braun et al.", "braun2017", "braun2017", "braun2017", importer.Options{}),
		Entry(nil, "massive", "massive", "massive", importer.Options{}),
		Entry(nil, "massive-locale", "massive", "massive", importer.Options{Locale: "de-DE"}),
		Entry(nil, "massive-file", "massive", "massive/data/zh-CN.jsonl", importer.Options{}),
		Entry(nil, "snips", "snips", "snips", importer.Options{}),
		Entry(nil, "snips-intent", "snips", "snips/GetWeather", importer.Options{}),
		Entry(nil, "snips-file", "snips", "snips/PlayMusic/train_PlayMusic.json", importer.Options{}),
		Entry(nil, "bfcl", "bfcl", "bfcl", importer.Options{}),
		Entry(nil, "bfcl-file", "bfcl", "bfcl/BFCL_v4_irrelevance.json", importer.Options{}),
		Entry(nil, "promptfoo-yaml", "promptfoo", "promptfoo/tests.yaml", importer.Options{}),
		Entry(nil, "promptfoo-config", "promptfoo", "promptfoo/promptfooconfig.yaml", importer.Options{}),
		Entry(nil, "promptfoo-json", "promptfoo", "promptfoo/tests.json", importer.Options{}),
		Entry(nil, "promptfoo-csv", "promptfoo", "promptfoo/tests.csv", importer.Options{}),
		Entry(nil, "promptfoo-text", "promptfoo", "promptfoo/tests.yaml", importer.Options{Text: "city"}),
		Entry("30.6: a JSON document, with paths", "json-paths", "json", "json/nested.json", importer.Options{
			ItemsPath: "data.rows", TextPath: "/input/text", LabelPath: "gold.intents", IDPath: "key", SplitPath: "part"}),
		Entry("30.6: a JSON document with a list for each split", "json-splits", "json", "json/splits.json",
			importer.Options{}),
		Entry("30.6: JSON Lines", "json-lines", "json", "json/lines.jsonl", importer.Options{}),
		Entry(nil, "openai-evals", "openai-evals", "openai-evals/samples.jsonl", importer.Options{}),
		Entry(nil, "csv", "csv", "csv/tickets.csv", tickets),
	)
})

var _ = Describe("30.6: SNIPS", func() {
	It("has its published test set in the files validate_INTENT.json", func() {
		out := run("snips", filepath.Join("testdata", "snips"), importer.Options{})
		Expect(out.sum.Splits).To(Equal(map[string]int64{"train": 3, "test": 1}))
	})
})
