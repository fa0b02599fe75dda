package studio_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
)

var _ = DescribeTable("S2: keywords in a raw answer", func(raw, action string) {
	got, confidence := studio.ReadKeywords(raw)
	Expect(got).To(Equal(action))
	if action == studio.Unknown {
		Expect(confidence).To(BeZero())
	} else {
		Expect(confidence).To(Equal(0.6))
	}
},
	Entry("an action's name", `意图是 inpainting`, "inpainting"),
	Entry("in capitals", `ACTION: GENERATE_IMAGE`, "generate_image"),
	Entry("a name before keywords", `要生成新图吗？不，是 adjust_parameters`, "adjust_parameters"),
	Entry("the first name", `generate_image，也可能是 inpainting`, "generate_image"),
	Entry("a negated name", `不是 generate_image，是 inpainting`, "inpainting"),
	Entry("a negated name, in English", `this is not generate_image but inpainting`, "inpainting"),
	Entry("unknown by name", `{"action":"unknown","reasoning":"用户可能想生成图片"}`, "unknown"),
	Entry("keywords for a new image", `用户想画一只猫`, "generate_image"),
	Entry("keywords for a region", `用户希望修改图片左上角`, "inpainting"),
	Entry("keywords for parameters", `需要调节亮度`, "adjust_parameters"),
	Entry("English keywords", `The user asks me to draw a cat.`, "generate_image"),
	Entry("the first keyword", `调整参数之后重新生成`, "adjust_parameters"),
	Entry("a verb that contains a negation character", `已识别到局部重绘`, "inpainting"),
	Entry("an echo of the prompt", `{"action":"generate_image|inpainting|adjust_parameters|unknown"}`, "unknown"),
	Entry("an echo of v1's prompt", `action: generate_image | inpainting | parameter_adjustment`, "unknown"),
	Entry("an answer after an echo", `generate_image|inpainting|unknown → inpainting`, "inpainting"),
	Entry("a verb as negation", `这不属于局部重绘`, "unknown"),
	Entry("a verb as negation, at a distance", `不属于任何意义上的局部重绘`, "unknown"),
	Entry("neither of two", `This is neither inpainting nor generate_image.`, "unknown"),
	Entry("neither of three", `neither inpainting nor adjust_parameters nor generate_image`, "unknown"),
	Entry("a negated list", `既不是局部重绘，也不是调整参数，而是生成新图`, "generate_image"),
	Entry("a negation of something else", `There is no mask, so generate it.`, "generate_image"),
	Entry(nil, `no mask here so draw a cat`, "generate_image"),
	Entry("one instead of another", `inpainting rather than generate_image`, "inpainting"),
	Entry("one instead of another, mentioned first", `instead of inpainting, adjust_parameters`, "adjust_parameters"),
	Entry("a negated keyword", `用户没有要生成图片`, "unknown"),
	Entry("a negation in another clause", `不清楚，大概是生成图片`, "generate_image"),
	Entry("reasoning", `<think>generate_image?</think>应该是 inpainting`, "inpainting"),
	Entry("reasoning without an end", `<think>大概是 generate_image`, "unknown"),
	Entry("empty", ``, "unknown"),
	Entry("small talk", `你好呀`, "unknown"),
	Entry("invalid UTF-8", "\xff\xfe\x80", "unknown"),
)

func FuzzReadKeywords(f *testing.F) {
	for _, seed := range []string{"", "不是 generate_image，是 inpainting", "</think>画一只", "\xff not draw", "İ调整"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		action, confidence := studio.ReadKeywords(raw)
		if (action == studio.Unknown) != (confidence == 0) {
			t.Errorf("%q: %s with %v", raw, action, confidence)
		}
	})
}
