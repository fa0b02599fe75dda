package scholar_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
)

var _ = Describe("The library of papers", func() {
	It("consists of the .md and .txt files of a directory; other files are ignored", func() {
		l, err := scholar.ReadLibrary(fstest.MapFS{"b.md": {Data: []byte("# 乙\n\n文")}, "a.txt": {Data: []byte("甲")},
			"c.pdf": {Data: []byte("x")}, "d/e.md": {Data: []byte("x")}}, ".")
		Expect(err).NotTo(HaveOccurred())
		Expect(l.IDs()).To(Equal([]string{"a", "b"}))
	})

	DescribeTable("cannot be read from a directory with an invalid file; the error names the file",
		func(files map[string]string, want string) {
			fs := fstest.MapFS{}
			for name, text := range files {
				fs[name] = &fstest.MapFile{Data: []byte(text)}
			}
			_, err := scholar.ReadLibrary(fs, ".")
			Expect(err).To(MatchError(want))
		},
		Entry("a directory without papers", map[string]string{"a.pdf": "x"},
			"holds no paper: no .md or .txt file with text"),
		Entry("a directory whose only paper has an invalid ID", map[string]string{"a#b.md": "x"},
			`holds no paper: no .md or .txt file with text; skipped: a#b.md: `+
				`"a#b" is not a name of a document: it has a control character, # or a comma, or a space at its ends`),
		Entry("a paper that is too large", map[string]string{"a.md": strings.Repeat("a", 8<<20+1)},
			"a.md: has more than 8 MB"),
	)

	It("can be indexed for retrieval, if it is the built-in library", func() {
		_, err := shelf()
		Expect(err).NotTo(HaveOccurred())
	})

	It("X7: can be replaced by a directory, and prompts by files; both change the version of a variant", func() {
		dir := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(dir, "own.md"), []byte("# 自己的\n\n样本 5 个。"), 0o600)).To(Succeed())
		prompt := filepath.Join(GinkgoT().TempDir(), "qa.md")
		Expect(os.WriteFile(prompt, []byte("只说：{{.Context}}"), 0o600)).To(Succeed())
		of := scholar.System()
		versions := map[string]bool{}
		for _, v := range []system.SettingValues{{}, {"papers": dir}, {"qa-prompt": prompt}} {
			opened, err := of.Open(system.Options{SettingValues: of.WithDefaults(v)})
			Expect(err).NotTo(HaveOccurred())
			versions[opened.Version] = true
		}
		Expect(versions).To(HaveLen(3))
		_, err := of.Open(system.Options{SettingValues: of.WithDefaults(system.SettingValues{"papers": prompt})})
		Expect(err).To(MatchError(HavePrefix("papers: ")))
	})
})

var _ = Describe("The declaration of the scholar", func() {
	It("has a setting for each prompt, which rejects a file with an unknown field", func() {
		of, n := scholar.System(), 0
		bad := filepath.Join(GinkgoT().TempDir(), "bad.md")
		Expect(os.WriteFile(bad, []byte("{{.Secret}}"), 0o600)).To(Succeed())
		for _, set := range of.Settings {
			if strings.HasSuffix(set.Name, "prompt") {
				n++
				Expect(set.Check(bad)).To(MatchError(ContainSubstring("Secret")))
			}
		}
		Expect(n).To(Equal(15)) // thirteen prompts of the specification, one for compression and one for grading
	})

	DescribeTable("maps the ID of a piece of a section to the ID of the section, which a case can expect as evidence",
		func(found, want string) {
			c := scholar.System().Contract
			Expect(c.CanonicalID(found)).To(Equal(want))
			Expect(c.ValueChecks["evidence"]([]string{want})).To(Succeed())
		},
		Entry("the ID of a section, which is unchanged", "zh-03#4", "zh-03#4"),
		Entry("the ID of a piece", "zh-03#4.2", "zh-03#4"),
		Entry("the ID of a piece with two digits", "zh-03#14.12", "zh-03#14"),
		Entry("the ID of a piece of a document with dots in its name", "v1.2.md#4.2", "v1.2.md#4"),
		Entry("the ID of a section of a document with dots in its name", "v1.2.md#4", "v1.2.md#4"),
		Entry("the ID of a piece of the text before the first heading", "a#0.2", "a#0"),
	)

	DescribeTable("rejects a case whose evidence is not the ID of a section", func(id string) {
		Expect(scholar.System().Contract.ValueChecks["evidence"]([]string{id})).
			To(MatchError(ContainSubstring("is not a passage such as zh-03#2")))
	},
		Entry("the ID of a piece", "zh-03#4.2"), Entry("the ID of a document", "zh-03"),
		Entry("an ID with a word instead of the section number", "zh-03#x"),
		Entry("two IDs in one text", "zh-03#1,zh-03#2"),
	)

	DescribeTable("has a heuristic that recognizes the intent of a message",
		func(text, want string) { Expect(scholar.GuessIntent(text)).To(Equal(want)) },
		Entry(nil, "你好", simple), Entry(nil, "what can you do", simple), Entry(nil, "谢谢", simple),
		Entry(nil, "总结一下", summary), Entry(nil, "这篇论文讲了什么", summary), Entry(nil, "tl;dr", summary),
		Entry(nil, "写一篇文献综述", review), Entry(nil, "write a literature review", review),
		Entry(nil, "评审这篇论文", critique), Entry(nil, "有什么缺陷", critique),
		Entry(nil, "would you accept this paper", critique),
		Entry(nil, "使用了什么数据集", qa), Entry(nil, "what learning rate did they use", qa),
		Entry(nil, "ok，谢了", simple), Entry(nil, "收到，感谢", simple), Entry(nil, "好的辛苦啦", simple),
		Entry(nil, "great, thank you so much", simple), Entry(nil, "nice, thx", simple),
		Entry(nil, "帮我写封邮件给导师", simple), Entry(nil, "写一封投稿信", simple), Entry(nil, "怎么写好一篇论文的摘要", simple),
		Entry(nil, "如何写英文摘要", simple), Entry(nil, "how do i write a good abstract", simple),
		Entry(nil, "hey there", simple),
		Entry(nil, "综述", review), Entry(nil, "这几篇综述一下", review), Entry(nil, "综述它们", review),
		Entry(nil, "survey these papers", review), Entry(nil, "survey the three studies for me", review),
		Entry(nil, "把这几篇的研究进展梳理一下", review), Entry(nil, "synthesize these into one text", review),
		Entry(nil, "give me the state of the art", review),
		Entry(nil, "给点意见", critique), Entry(nil, "提几条修改意见", critique), Entry(nil, "打个分", critique),
		Entry(nil, "这篇能打几分", critique), Entry(nil, "实验设计严谨吗", critique), Entry(nil, "论证有漏洞吗", critique),
		Entry(nil, "审一下这篇", critique), Entry(nil, "rate this paper", critique),
		Entry(nil, "is the evaluation rigorous", critique), Entry(nil, "any shortcomings?", critique),
		Entry(nil, "poke holes in the argument", critique),
		Entry(nil, "划一下重点", summary), Entry(nil, "重点是啥", summary), Entry(nil, "来个简介", summary),
		Entry(nil, "浓缩成三句话", summary), Entry(nil, "作者想说明啥", summary), Entry(nil, "提炼一下", summary),
		Entry(nil, "一句话说清楚", summary), Entry(nil, "给我讲讲这篇的中心思想", summary), Entry(nil, "elevator pitch please", summary),
		Entry(nil, "boil this down", summary), Entry(nil, "the takeaways", summary),
		Entry(nil, "in two sentences", summary),
		Entry(nil, "摘要里的准确率是多少", qa), Entry(nil, "综述部分引了谁", qa), Entry(nil, "how many patients were in the study", qa),
		Entry(nil, "样本来自哪里", qa), Entry(nil, "which baseline came second", qa), Entry(nil, "训练用了几块显卡", qa),
	)

	DescribeTable("has a grader that returns which facts an answer states, and validates the model's answer",
		func(answer string, want []bool, fails string) {
			s := newStage(qa)
			if answer != "" {
				s.withReplies("grader", answer)
			}
			s.open()
			of := scholar.System()
			opened, err := of.Open(system.Options{SettingValues: of.WithDefaults(nil)})
			Expect(err).NotTo(HaveOccurred())
			grade, err := opened.NewGrader(1, s.link)
			Expect(err).NotTo(HaveOccurred())
			Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
				got, err := grade(ctx, [][]string{{"91.3%", "91.3 %"}, {"ResNet"}}, "准确率 91.3%。")
				if fails != "" {
					Expect(err).To(MatchError(ContainSubstring(fails)))
					return nil
				}
				Expect(got).To(Equal(want))
				return err
			})).To(Succeed())
		},
		Entry("the answer of a simulated model", "", []bool{true, false}, ""),
		Entry("an answer in prose", `好的 {"stated":[false,true]}`, []bool{false, true}, ""),
		Entry("an answer with too few verdicts", `{"stated":[true]}`, nil, "has 1 verdicts of 2 facts"),
		Entry("an answer that is not JSON", `都对`, nil, "malformed_json"),
	)
})
