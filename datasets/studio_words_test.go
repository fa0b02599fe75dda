package datasets_test

import (
	"context"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/knowledge"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// ambiguous is the name of a style that also has another meaning.
type ambiguous struct {
	text            string   // matches the word and its synonyms
	zh, en          string   // slot values that every case with this style must accept
	entry           string   // ID of the style in the style library
	subjectCases    []string // cases in which the word is the subject
	otherStyleCases []string // cases in which the word is part of another style
}

// check fails if the slot of a turn does not follow the convention of the dataset card for this
// word.
func (a ambiguous) check(w studioTurn) {
	GinkgoHelper()
	switch style := w.Slots["style"]; {
	case slices.Contains(a.subjectCases, w.of.ID):
		Expect(w.Slots["subject"].Primary()).To(Equal(a.zh), w.of.ID)
		Expect(style).To(Equal(eval.OneOf{""}), w.of.ID)
		Expect(w.Styles).To(And(BeEmpty(), Not(BeNil())), w.of.ID)
	case slices.Contains(a.otherStyleCases, w.of.ID):
		Expect(style).NotTo(ContainElement(a.zh), w.of.ID)
		Expect(w.Styles).To(And(Not(BeEmpty()), Not(ContainElement(a.entry))), w.of.ID)
	default:
		Expect(style).To(ContainElements(a.zh, a.en), w.of.ID)
		Expect(w.Slots["subject"]).NotTo(ContainElement(ContainSubstring(a.zh)), w.of.ID)
		Expect(w.Styles).To(Equal([]string{a.entry}), w.of.ID)
	}
}

// alphabetic matches words that are compared as whole words.
var alphabetic = regexp.MustCompile(`^[A-Za-z]+$`)

// slotVerdict returns the verdict of the scorer on a value of a slot.
func slotVerdict(w studioTurn, slot, value string) eval.Verdict {
	GinkgoHelper()
	c := eval.Case{ID: w.of.ID, Turns: []eval.LabeledTurn{w.LabeledTurn}}
	reply := agent.Reply{Slots: map[string]string{slot: value}}
	s, err := scorer.Slot{Name: slot}.Score(context.Background(), c,
		eval.Outcome{Turns: []eval.TurnResult{{Reply: reply}}})
	Expect(err).NotTo(HaveOccurred())
	return s.Verdict
}

var _ = Describe("The slot labels of the built-in dataset studio", Ordered, ContinueOnFailure, func() {
	var list []studioTurn
	var library []knowledge.Style
	BeforeAll(func() {
		var err error
		list = studioTurns(shipped("studio"))
		library, err = knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
	})

	It("S2: accept no word that only begins another word in the text, unless they accept that word too",
		func() {
			looked := 0
			for _, w := range list {
				for name, accepted := range w.Slots {
					for _, word := range accepted {
						if !alphabetic.MatchString(word) {
							continue
						}
						for _, whole := range regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(word)+`\pL+`).
							FindAllString(w.Text, -1) {
							looked++
							Expect(slotVerdict(w, name, whole)).To(Equal(eval.Pass), "%s: %s is the beginning of %s",
								w.of.ID, word, whole)
						}
					}
				}
			}
			Expect(looked).To(BeNumerically(">", 10))
		})

	DescribeTable("S2, S3: treat each ambiguous word consistently, either as a style or as something else",
		func(a ambiguous, turns int) {
			found, word := 0, regexp.MustCompile("(?i)"+a.text)
			for _, w := range list {
				if word.MatchString(w.Text) && w.Action.Primary() != "unknown" {
					found++
					a.check(w)
				}
			}
			Expect(found).To(BeNumerically(">=", turns))
			at := slices.IndexFunc(library, func(s knowledge.Style) bool { return s.ID == a.entry })
			Expect(library[max(at, 0)].Names()).To(ContainElement(a.zh))
		},
		Entry(nil, ambiguous{text: `蜡笔|油画棒|crayon|oil pastel`, zh: "蜡笔", en: "crayon", entry: "crayon",
			subjectCases: []string{"st-zh-065"}}, 4),
		Entry(nil, ambiguous{text: `黑白|单色照|black[ -](?:and|&)[ -]white|\bb ?[&/] ?w\b|monochrom|gr[ea]yscale`, zh: "黑白",
			en:    "black and white",
			entry: "black-white-photo", otherStyleCases: []string{"st-zh-040"}}, 4),
		Entry(nil, ambiguous{text: `机甲|高达|\bmecha?s?\b|gundam`, zh: "机甲", en: "mecha", entry: "mecha",
			subjectCases: []string{"st-critic-020"}}, 3),
	)

	It("S2, S3: expect no style if the word names an object in the image", func() {
		for _, w := range list {
			if w.of.ID == "st-en-078" || w.has("hard-negative:style-word") && w.Action.Primary() == "generate_image" {
				Expect(w.Slots["style"]).To(Equal(eval.OneOf{""}), w.of.ID)
				Expect(w.Styles).To(And(BeEmpty(), Not(BeNil())), w.of.ID)
			}
		}
	})

	It("S3: expect exactly the library entry whose name is the accepted style", func() {
		for _, w := range list {
			named := map[string]bool{}
			for _, s := range library {
				for _, word := range w.Slots["style"] {
					if slices.ContainsFunc(s.Names(), func(n string) bool { return strings.EqualFold(n, word) }) {
						named[s.ID] = true
					}
				}
			}
			if len(named) > 0 && w.Styles != nil {
				Expect(named).To(HaveLen(len(w.Styles)), w.of.ID)
				for _, id := range w.Styles {
					Expect(named).To(HaveKey(id), w.of.ID)
				}
			}
		}
	})

	DescribeTable("S2: accept the values that a reader would accept, and no others",
		func(id, slot string, right, wrong []string) {
			at := slices.IndexFunc(list, func(w studioTurn) bool { return w.of.ID == id && w.Slots[slot] != nil })
			Expect(at).NotTo(Equal(-1))
			for _, value := range right {
				Expect(slotVerdict(list[at], slot, value)).To(Equal(eval.Pass), value)
			}
			for _, value := range wrong {
				Expect(slotVerdict(list[at], slot, value)).To(Equal(eval.Fail), value)
			}
		},
		Entry(nil, "st-zh-004", "subject", strings.Fields("小兔子 剪纸小兔子 红色的小兔"), strings.Fields("龟 剪纸")),
		Entry(nil, "st-zh-010", "subject", strings.Fields("醒狮 狮子 国潮醒狮"), strings.Fields("月饼盒")),
		Entry(nil, "st-zh-043", "subject", strings.Fields("龙 糖画龙 一条琥珀色的龙 龙形糖画"), strings.Fields("恐龙 龙虾 糖画")),
		Entry(nil, "st-zh-049", "style", strings.Fields("鱼拓 拓印"), strings.Fields("水墨")),
		Entry(nil, "st-zh-049", "subject", strings.Fields("真鲷 一尾真鲷 鱼"), strings.Fields("鲸鱼 鳄鱼")),
		Entry(nil, "st-zh-063", "subject", strings.Fields("一条龙 龙 没点睛的龙"), strings.Fields("恐龙 校长")),
		Entry(nil, "st-zh-071", "subject", strings.Fields("女的 一个女的 女人 年轻女孩 美女"), strings.Fields("男的")),
		Entry(nil, "st-zh-072", "subject", strings.Fields("墨绿保温杯 杯子 墨绿的杯子"), strings.Fields("杯垫")),
		Entry(nil, "st-zh-128", "subject", strings.Fields("猫 打瞌睡的猫 一只猫 小猫咪"), strings.Fields("熊猫 猫头鹰 猫爬架")),
		Entry(nil, "st-dlg-007", "subject", strings.Fields("会飞的猪 一头猪 小猪 飞猪"), strings.Fields("豪猪 猪肉铺")),
		Entry(nil, "st-dlg-023", "subject", strings.Fields("鹿头 鹿 小鹿"), strings.Fields("鹿野咖啡馆")),
		Entry(nil, "st-dlg-029", "subject", strings.Fields("水晶高跟鞋 鞋子"), strings.Fields("鞋柜")),
		Entry(nil, "st-fault-013", "subject", strings.Fields("毛毡小羊 小羊 羊"), strings.Fields("山羊胡")),
		Entry(nil, "st-zh-116", "style", []string{"黑白", "黑白照", "black and white"}, []string{"black", "黑色电影"}),
		Entry(nil, "st-dlg-021", "subject", strings.Fields("机甲熊猫 熊猫"), strings.Fields("猫 机甲")),
	)
})
