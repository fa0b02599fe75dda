package importer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
		Entry("30.6: the folder of the corpora of Braun et al.", "braun2017", "braun2017", "braun2017",
			importer.Options{}),
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
			ItemsPath: "data.rows", TextPath: "/input/text", LabelPath: "gold.intents", IDPath: "key",
			SplitPath: "part"}),
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

var _ = DescribeTable("30.6: a JSON document without a list of objects is reported with the lists that it has deeper",
	func(document, items, want string) {
		out := run("json", source("a.json", document), importer.Options{ItemsPath: items})
		Expect(out.err).To(MatchError(HaveSuffix("a.json: " + want)))
	},
	Entry(nil, `{"data":{"items":[{"text":"a","label":"b"}]}}`, "",
		`is an object: write --items-path "data.items"`),
	Entry(nil, `{"n":[1],"data":{"tags":["x"],"train":[{}],"test":[{}]},"v":{"more":{"rows":[{}]}}}`, "",
		`is an object: write --items-path "data.train" or "data.test" or "v.more.rows"`),
	Entry("names with dots", `{"v1.0":{"rows":[{}]}}`, "",
		`is an object: write --items-path "/v1.0/rows"`),
	Entry("no list anywhere", `{"data":{"items":{}}}`, "",
		`is an object. It has no list of objects`),
	Entry("a path to an object", `{"data":{"items":[{}]}}`, "data",
		`"data" is an object, not a list: write --items-path "data.items"`),
	Entry("a path with an error", `{"meta":{},"data":{"items":[{}]}}`, "data.itmes",
		`has no "data.itmes": write --items-path "data.items"`),
	Entry("nothing found at a path", `{"data":{}}`, "data.items",
		`has no "data.items". It has no list of objects`),
)

var _ = DescribeTable("30.6: an inserted case changes the ID of no other case, and all IDs are different",
	func(format, name, list, item, separator string, o importer.Options) {
		idsOf := func(texts ...string) []string {
			var items []string
			for _, text := range texts {
				items = append(items, fmt.Sprintf(item, text))
			}
			out := run(format, source(name, fmt.Sprintf(list, strings.Join(items, separator))), o)
			Expect(out.err).NotTo(HaveOccurred())
			Expect(out.rejected).To(BeEmpty())
			return idField.FindAllString(out.cases.String(), -1)
		}
		before := idsOf("a", "b", "a", "c")
		Expect(idsOf("new", "a", "b", "a", "c")[1:]).To(Equal(before))
		Expect(idsOf("c", "a", "a", "b")).To(Equal([]string{before[3], before[0], before[2], before[1]}))
		slices.Sort(before)
		Expect(slices.Compact(before)).To(HaveLen(4))
	},
	Entry(nil, "csv", "a.csv", "text,label\n%s\n", "%s,x", "\n", importer.Options{Text: "text", Label: "label"}),
	Entry(nil, "json", "a.json", "[%s]", `{"text":%q,"label":"x"}`, ",", importer.Options{}),
	Entry(nil, "json", "a.jsonl", "%s\n", `{"text":%q,"label":"x"}`, "\n", importer.Options{}),
	Entry(nil, "promptfoo", "a.json", "[%s]", `{"vars":{"text":%q},"assert":[{"type":"equals","value":"x"}]}`, ",",
		importer.Options{}),
	Entry(nil, "openai-evals", "a.jsonl", "%s\n", `{"input":%q,"ideal":"x"}`, "\n", importer.Options{}),
)
