package studio_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
)

var _ = DescribeTable("S2: The planner's invalid answer is searched for the name of an action or for keywords",
	func(raw, action string) {
		got, confidence := studio.ReadKeywords(raw)
		Expect(got).To(Equal(action))
		if action == studio.ActionUnknown {
			Expect(confidence).To(BeZero())
		} else {
			Expect(confidence).To(Equal(0.6))
		}
	},
	Entry("an action name counts", `意图是 inpainting`, "inpainting"),
	Entry("an action name in capitals counts", `ACTION: GENERATE_IMAGE`, "generate_image"),
	Entry("an action name takes precedence over keywords", `要生成新图吗？不，是 adjust_parameters`, "adjust_parameters"),
	Entry("the first of several action names counts", `generate_image，也可能是 inpainting`, "generate_image"),
	Entry("a negated action name does not count", `不是 generate_image，是 inpainting`, "inpainting"),
	Entry("an action name that is negated in English does not count", `this is not generate_image but inpainting`,
		"inpainting"),
	Entry("the name unknown takes precedence over keywords", `{"action":"unknown","reasoning":"用户可能想生成图片"}`, "unknown"),
	Entry("keywords for a new image count", `用户想画一只猫`, "generate_image"),
	Entry("keywords for a change of an area count", `用户希望修改图片左上角`, "inpainting"),
	Entry("keywords for a change of parameters count", `需要调节亮度`, "adjust_parameters"),
	Entry("English keywords count", `The user asks me to draw a cat.`, "generate_image"),
	Entry("the first of several keywords counts", `调整参数之后重新生成`, "adjust_parameters"),
	Entry("a negation character within a verb is no negation", `已识别到局部重绘`, "inpainting"),
	Entry("a list of the actions that the model copied from the prompt does not count",
		`{"action":"generate_image|inpainting|adjust_parameters|unknown"}`, "unknown"),
	Entry("a list of v1's actions that the model copied from the prompt does not count",
		`action: generate_image | inpainting | parameter_adjustment`,
		"unknown"),
	Entry("an action name after a copied list counts", `generate_image|inpainting|unknown → inpainting`, "inpainting"),
	Entry("a negating verb counts as a negation", `这不属于局部重绘`, "unknown"),
	Entry("a negating verb that is some words before the action counts as a negation", `不属于任何意义上的局部重绘`, "unknown"),
	Entry("the words neither … nor negate two actions", `This is neither inpainting nor generate_image.`, "unknown"),
	Entry("the words neither … nor … nor negate three actions",
		`neither inpainting nor adjust_parameters nor generate_image`, "unknown"),
	Entry("a negated list of actions does not count, but the action after it does", `既不是局部重绘，也不是调整参数，而是生成新图`,
		"generate_image"),
	Entry("a negation of something other than the action is ignored", `There is no mask, so generate it.`,
		"generate_image"),
	Entry(nil, `no mask here so draw a cat`, "generate_image"),
	Entry("the action after \"rather than\" does not count", `inpainting rather than generate_image`, "inpainting"),
	Entry("the action after \"instead of\" does not count", `instead of inpainting, adjust_parameters`,
		"adjust_parameters"),
	Entry("a negated keyword does not count", `用户没有要生成图片`, "unknown"),
	Entry("a negation in another clause is ignored", `不清楚，大概是生成图片`, "generate_image"),
	Entry("an action in the reasoning before the answer does not count", `<think>generate_image?</think>应该是 inpainting`,
		"inpainting"),
	Entry("an action in reasoning that never ends does not count", `<think>大概是 generate_image`, "unknown"),
	Entry("an empty answer results in unknown", ``, "unknown"),
	Entry("small talk results in unknown", `你好呀`, "unknown"),
	Entry("invalid UTF-8 results in unknown", "\xff\xfe\x80", "unknown"),
)

func FuzzReadKeywords(f *testing.F) {
	for _, seed := range []string{"", "不是 generate_image，是 inpainting", "</think>画一只", "\xff not draw", "İ调整"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		action, confidence := studio.ReadKeywords(raw)
		if (action == studio.ActionUnknown) != (confidence == 0) {
			t.Errorf("%q: %s with %v", raw, action, confidence)
		}
	})
}
