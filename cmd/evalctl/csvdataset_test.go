package main

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = Describe("30.6: a dataset that is a CSV file", func() {
	const plain = "text,label\nwhere is my parcel?,delivery\n\"the invoice, it is wrong\",billing\n发票抬头开错了,billing\n"

	labelsOf := func(dir string) (labels []string) {
		for _, r := range resultsOf(dir) {
			labels = append(labels, r.Expected.Primary())
		}
		return labels
	}

	DescribeTable("is run directly, with its columns found by their usual names",
		func(name, text string, more ...string) {
			dir := newRunDir()
			args := []string{"run", "--target", "prompt", "--dataset", fileOf(name, text), "--out", dir}
			got := evalctl(append(args, more...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(labelsOf(dir)).To(ConsistOf("delivery", "billing", "billing"))
		},
		Entry("text and label", "cases.csv", plain),
		Entry("with a byte order mark", "cases.csv", "\ufeff"+plain),
		Entry("with Windows line ends and blank rows at the end", "cases.CSV",
			strings.ReplaceAll(plain, "\n", "\r\n")+",\r\n,\r\n"),
		Entry("in other letter cases, in another order", "cases.csv",
			"Intent,ID,Utterance\ndelivery,1,where is it\nbilling,2,an invoice\nbilling,3,发票\n"),
		Entry("in Chinese", "cases.csv", "标签,文本\ndelivery,快递到哪了\nbilling,开发票\nbilling,发票开错了\n"),
		Entry("with semicolons", "cases.csv", "query;category\nwhere, oh where;delivery\na;billing\nb;billing\n"),
		Entry("with tabs", "cases.tsv", "text\tlabel\nwhere, oh where\tdelivery\na\tbilling\nb\tbilling\n"),
		Entry("with a split", "cases.csv",
			"text,label,split\na,billing,train\nb,delivery,Test\nc,billing,testing\nd,billing,test\n",
			"--split", "test"),
		Entry("with named columns", "cases.csv",
			"body,text,team\na,x,delivery\nb,x,billing\nc,x,billing\n", "--text-column", "body",
			"--label-column", "team"),
	)

	It("is run without a target, and again from the directory of the run", func() {
		path, dir := fileOf("cases.csv", "body,team\na,one\nb,two\n"), newRunDir()
		got := evalctl("run", "--dataset", path, "--text-column", "body", "--label-column", "team", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(string(manifestIn(dir).Suites[0])).To(ContainSubstring(`"text_column": "body"`))
		Expect(evalctl("run", "--resume", dir).code).To(Equal(exit.Passed))
	})

	It("is named in a suite file, with its columns", func() {
		path := fileOf("cases.csv", "body,team\na,one\nb,two\n")
		suite := fileOf("own.yaml", "name: own\ntarget: prompt\ndataset: "+path+
			"\ntext_column: body\nlabel_column: team\nvariants:\n  - name: v\n")
		got := evalctl("run", suite, "--out", newRunDir())
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	DescribeTable("is accepted wherever a dataset file is", func(want string, args ...string) {
		path := fileOf("cases.csv", "body,team,split\nred apple,one,train\ngreen pear,two,train\nred plum,one,test\n"+
			"green fig,two,test\n")
		for i, a := range args {
			args[i] = strings.ReplaceAll(a, "FILE", path)
		}
		got := evalctl(append(args, "--text-column", "body", "--label-column", "team")...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring(want))
	},
		Entry(nil, "4 cases", "dataset", "check", "FILE"),
		Entry(nil, "labels     one 2, two 2", "dataset", "show", "FILE"),
		Entry(nil, "cases.csv:3)", "dataset", "show", "FILE", "csv-train-703c44755591"),
		Entry(nil, "prompt      4 ", "doctor", "--offline", "--target", "prompt", "--dataset", "FILE"),
		Entry(nil, "accuracy", "curve", "--target", "prompt", "--dataset", "FILE", "--train-sizes", "2"),
	)

	DescribeTable("is refused with the columns that it has, or with the row that is wrong",
		func(text, want string, more ...string) {
			path := fileOf("cases.csv", text)
			got := evalctl(append([]string{"dataset", "check", path}, more...)...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stdout).To(Equal(path + want + "\n"))
			got = evalctl(append([]string{"run", "--dataset", path, "--out", newRunDir()}, more...)...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(Equal("evalctl: " + path + want + "\n"))
		},
		Entry("no label", "text,team\na,b\n", `: header: has no column for the label, such as label, intent, `+
			`category, class (it has "text", "team"). Name it with --label-column`),
		Entry("no text", "body,label\na,b\n", `: header: has no column for the text, such as text, query, input, `+
			`question (it has "body", "label"). Name it with --text-column`),
		Entry("a column that is not there", "body,label\na,b\n",
			`: header: has no column "bdy" (it has "body", "label")`,
			"--text-column", "bdy"),
		Entry("one column for both", "text,label\na,b\n",
			`: header: column "label" is both text and label: name both with --text-column and --label-column`,
			"--text-column", "label"),
		Entry("a row without a label", "text,label\na,b\nc,\n", ":3: label is empty"),
		Entry("another split", "text,label,split\na,b,train\nc,d,fold\n", `:3: split "fold" is not train, dev or test`),
		Entry("an empty file", "", ": is empty"),
		Entry("UTF-16", "\xff\xfet\x00", ": is UTF-16, not UTF-8"),
	)

	It("keeps its results paired if a row is inserted, and pairs them with those of a run with numbered ids", func() {
		runOf := func(text string, more ...string) string {
			dir := newRunDir()
			got := evalctl(append([]string{"run", "--target", "prompt", "--dataset", fileOf("cases.csv", text),
				"--out", dir}, more...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			return dir
		}
		numbered := runOf("id,text,label\ncsv-1,where is my parcel,delivery\ncsv-2,the invoice,billing\ncsv-3,发票,billing\n")
		before := runOf("text,label\nwhere is my parcel,delivery\nthe invoice,billing\n发票,billing\n")
		after := runOf("text,label\nhello,delivery\nwhere is my parcel,delivery\nthe invoice,billing\n发票,billing\n")
		named := runOf("text,label,ticket\nwhere is my parcel,delivery,t-1\nthe invoice,billing,t-2\n发票,billing,t-3\n",
			"--id-column", "ticket")
		Expect(read(named, "results.jsonl")).To(And(ContainSubstring(`"t-1"`), ContainSubstring(`"t-3"`)))
		for _, pair := range [][2]string{{before, after}, {numbered, before}, {numbered, after}, {named, before}} {
			got := evalctl("compare", pair[0], pair[1], "--common-cases", "--format", "json")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(ContainSubstring(`"cases": 3`))
			got = evalctl("gate", pair[1], "--baseline", pair[0], "new_failures <= 3 common_cases")
			Expect(got.stdout).To(ContainSubstring("0 new failures of 3\n"), got.stderr)
		}
	})

	It("is the only kind of dataset with columns", func() {
		path := fileOf("cases.jsonl", threeCases)
		got := evalctl("run", "--dataset", path, "--text-column", "body", "--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(
			"is no CSV file (.csv or .tsv), so it has no columns for text, label and id"))
	})
})

var _ = Describe("30.6: evalctl dataset check", func() {
	It("warns about near-duplicates across splits, and exits with 2 only with --strict", func() {
		path := fileOf("cases.jsonl", `{"id":"a","text":"where is my card now","label":"x","split":"train"}
{"id":"b","text":"where is my card now?","label":"x","split":"test"}
{"id":"c","text":"hello","label":"y","split":"test"}
`)
		got := evalctl("dataset", "check", path)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		pair := "a (train) and b (test) are near-duplicates across splits: similarity 1.00\n"
		Expect(got.stdout).To(HavePrefix(pair[:strings.Index(pair, "1.00")]))
		Expect(got.stdout).To(HaveSuffix(
			": 3 cases, no problem; 0 near-duplicates within splits, warning: 1 across (--strict exits with 2)\n"))
		got = evalctl("dataset", "check", "--strict", path)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal("evalctl: dataset " + path + ": 1 near-duplicate across splits\n"))
	})
})
