package studio_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
)

var _ = Describe("S8: A request to change an area without a mask", func() {
	It("is recognized with and without an image", func() {
		for _, text := range []string{
			"修改这里", "把这里换成一只狗", "这里改成红色", "改一下这个地方", "去掉这块", "这个部位修一下", "这一块擦掉", "此处替换为大海",
			"把我圈出来那块的电线杆擦掉，补成天空", "圈起来的这块地方调亮一点", "涂了的那部分重画", "手指多了一根……喏就这里，去掉",
			"那边的路人删掉", "这个区域的颜色换成蓝色", "帮我修一下图里这处划痕", "把选中的区域改成雪地", "这个地方太暗，调亮",
			"Change this part please", "can u fix this bit here, looks smudged",
			"The area I highlighted should be brick instead of plaster.",
			"remove the pole here", "please edit this area", "make this part red", "Replace that region with water",
			"erase this spot",
			"could you turn the selected area into grass", "I want to change the highlighted part", "fix here",
			"Get rid of the person in this corner",
			"this section needs to be darker", "edit the marked bits", "Repaint the circled area in blue",
		} {
			Expect(studio.RefersToArea(text, "")).To(BeTrue(), text)
			Expect(studio.RefersToArea(text, canvas)).To(BeTrue(), text)
		}
	})

	It("is recognized in a request to add something if there is an image, and otherwise not", func() {
		for _, text := range []string{"在这里画一只猫", "这里加一盏灯", "把猫放在这里", "这块变成草地", "put a moose here",
			"add a tree in this spot", "Draw a door here"} {
			Expect(studio.RefersToArea(text, "")).To(BeFalse(), text)
			Expect(studio.RefersToArea(text, canvas)).To(BeTrue(), text)
		}
	})

	It("is not recognized in texts that refer to no area, with and without an image", func() {
		for _, text := range []string{
			"画一个这样的地方", "这里的天气真好", "这里改建成了一座图书馆", "这里是哪里", "修改密码，谢谢你在这里", "这里是漠河，想要一张泼水成冰",
			"调整一下亮度", "这张图换成水彩风格", "把这只猫换成狗", "我们这边要修改一下海报", "我这里想换个头像", "这里变成了一片废墟",
			"今天先到这里，改天再画", "海报上写“修改这里”", "这里曾经改造过三次", "这里是一座修道院", "换个主题再来一张", "整体再亮一点", "那边的风景真美",
			"说到这里，换个话题吧", "去那里旅游", "这里去走走", "画片海，换成日出",
			"make this brighter", "I live here", "make it darker", "change the style to watercolor",
			"this place is lovely", "a poster that says \"change here for the airport\"",
			"people fix bikes here, watercolour", "draw a nice place", "remove the background",
			"turn this into a painting", "this part of town is quiet",
			"add more contrast", "a picture of this area in spring", "thanks, that part is perfect",
			"replace the sky with stars",
		} {
			Expect(studio.RefersToArea(text, "")).To(BeFalse(), text)
			Expect(studio.RefersToArea(text, canvas)).To(BeFalse(), text)
		}
	})
})
