package toolrouter_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
)

// seen returns the URL of the image that a text refers to after this conversation; "": none.
func seen(text string, history ...agent.Message) string {
	GinkgoHelper()
	s := viewer(route("chat", 0.9))
	_, err := s.play(agent.Turn{Text: text, History: history})
	Expect(err).NotTo(HaveOccurred())
	for _, url := range []string{drawn, photo, photo2} {
		if len(s.bodies[dashScope]) > 0 && strings.Contains(s.bodies[dashScope][0], url) {
			return url
		}
	}
	Expect(s.server.Calls("vision")).To(BeZero())
	return ""
}

func texts(list string) []string { return strings.Split(strings.TrimSpace(list), "\n") }

var _ = Describe("A reference to an earlier image", func() {
	made := agent.Message{Role: "assistant", Content: "好了", GeneratedImageURL: drawn}
	sent := agent.Message{Role: "user", Content: "你好", Images: []string{photo}}

	It("T10: is recognized in Chinese", func() {
		for _, text := range texts(`
描述刚生成图片
描述一下刚生成的图片
描述剛生成的圖片
最後一張圖裡有什麼
刚刚画的猫是什么品种
剛剛畫的貓是什麼品種
刚刚生成的那只猫是什么品种
我刚让你画的猫是什么品种
刚才那张图里有什么
帮我数数刚才图里有几个人
刚才画里的老人手里拿着什么
上一张图
描述上一张图
上一幅画用了什么风格
前一张图是什么意思
上面那张图讲了什么
最近一张图里有几个人
你刚画的是什么
你刚才画了什么
你画的猫怎么有六条腿
你画的这是啥
你给我画的那只狗是什么颜色的
你刚画好的头像是男是女
你刚才画的夕阳，太阳在左边还是右边
你生成的海报上写的什么字
你做的公司年会海报上有几个人
你刚生成的插画属于哪种画风
看看你刚画的，几个手指头
给刚画的图写首诗
把你刚画的那幅讲给我爷爷听
重新描述一下刚才那张图
有什么可以改进的地方吗，你刚画的那张
方才那幅山水画题的什么字
翻译一下你刚画的海报上的字
搜一下刚才那张图里的塔
你刚画的那张能拿去出版吗
describe 一下你刚画的图
这张图里有几个人
图里有几个人
画里的女孩在看什么
这是画的什么动物
描述一下图片
帮我看看那张pic里有啥
刚才的作品点评一下
刚那张描述下
看下刚才画得怎么样
最后生成的那张照片里是谁
对了这张图里有几只鸟
介绍一下图片的内容
请介绍一下这幅画`) {
			Expect(seen(text, made)).To(Equal(drawn), text)
		}
	})

	It("T10: is recognized in English", func() {
		for _, text := range texts(`
what did you just draw?
What have you drawn for me?
so what exactly did you draw there?
Describe what you just drew.
the image you generated
describe the image you generated
generate a caption for the image you made
what's written on the poster you designed, in the picture you made?
what breed is the cat you drew?
the cat you drew, what breed is it?
who is in the photo you created for me
tell me about the picture you've just made
Explain the picture you’ve just drawn
why does the guy you painted have six fingers?
is there a moon in the picture that was just generated?
describe the just-generated image
What's happening in the previous picture?
what's in your last image?
could you describe your last picture again in French?
describe your latest drawing
how many people are in this picture?
what is this a picture of?
please describe what u drew
did you just draw a cat or a dog?
Describe the picture`) {
			Expect(seen(text, made)).To(Equal(drawn), text)
		}
	})

	It("T10: is not recognized in requests for new images, or in texts about images by others, other things or other days", func() {
		for _, text := range texts(`
画一张刚出生的小猫
帮我画一只刚出生的小猫，什么品种都行
画一幅刚刚下过雪的山村
生成一张刚下过雨的街道怎么样
照你刚画的风格画一张狗好吗
参考上一张图的构图，生成夕阳下的海边可以吗
重新画一张，刚才那张不行，好吗
给刚才那张图加个月亮行吗
我想要一幅春天的花园，画面中有几只蝴蝶
你刚画的那张图真好看
你会画什么图
你画得了水墨画吗
你是怎么生成图片的
我刚画的画哪里不好
妈妈刚画的花是什么花
小明刚刚画的是什么
刚才上课老师画的图是什么意思
谁画的蒙娜丽莎
《格尔尼卡》这幅画是受什么事触动
刚才画的妆怎么卸
刚刚画面卡住了怎么办
刚才去图书馆看了什么书
最近的画展有哪些
上一张专辑叫什么
刚才那张发票是多少钱
地图里怎么搜公交
你刚写的诗是什么意思
你刚生成的代码是什么意思
刚生成的报告讲了什么
你做的计划里第三条是什么
你刚画的流程图第三步是什么
昨天你给我画的是什么
介绍图灵机
解释图神经网络
分析图像识别的难点
介绍图像处理的基本方法
介绍照片的拍摄技巧
介绍海报设计的流程
分析画龙点睛的寓意
解释照片墙是什么
怎么识别图片里的字
识别图片里的文字用什么软件
图里面怎么加文字
海报上的字一般用什么字体
这张图片怎么用css居中
这照片墙怎么布置
蒙娜丽莎这幅画是谁画的
梵高的星空这幅画在哪
上次的海报设计费多少钱
你画的大饼什么时候兑现
刚画完画手疼怎么办
把这段话翻译成英文:刚才那张图里有什么
what can you draw?
can you draw a dog in the style of the last image?
draw me another one like the last picture, ok?
please generate a new image like the one you drew, can you?
Can you find me the painting titled Across the Line?
what did you just say?
what did my son draw?
the picture I drew is bad, why?
what is the picture of Dorian Gray about?
the last picture of Einstein: when was it taken?
Did you draw any conclusion?
do you get the picture?
how did you generate the report
how do I center the image in css
how do i resize the image with python
where is the photo app on iphone
what does the image element do
the picture on my wall fell, how do i rehang it
the photo you mentioned, who took it?
your first drawing lesson, what should it be about?
did you paint your house?
have you painted before?`) {
			Expect(seen(text, made)).To(BeEmpty(), text)
		}
	})

	DescribeTable("T10: selects the newest image of the author that the text names, or of any author if it names none",
		func(text, afterPhoto, afterDrawing string) {
			Expect(seen(text, made, sent)).To(Equal(afterPhoto), "after a photo")
			Expect(seen(text, sent, made)).To(Equal(afterDrawing), "after a drawing")
		},
		Entry(nil, "你刚画的是什么", drawn, drawn),
		Entry(nil, "what's in the image you generated?", drawn, drawn),
		Entry(nil, "我发的那张照片里是什么花", photo, photo),
		Entry(nil, "what flower is in the photo I sent?", photo, photo),
		Entry(nil, "刚才那张图里有什么", photo, drawn),
		Entry(nil, "上一张图里有什么", photo, drawn),
		Entry(nil, "这张图里有几个人", photo, drawn),
		Entry(nil, "what is in the last picture?", photo, drawn),
	)

	It("T10: is not necessary in a question directly after the image", func() {
		cat := agent.Message{Role: "user", Content: "画一只猫 (a cat, partly)"}
		for _, text := range texts("描述一下\n那只猫是什么颜色的\n这个猫什么品种呀\n它在干嘛\n这是什么品种的猫\n" +
			"what breed is the cat\ndescribe it\nCaption this.") {
			Expect(seen(text, cat, made)).To(Equal(drawn), text)
			Expect(seen(text)).To(BeEmpty(), text)
			Expect(seen(text, cat, made, agent.Message{Role: "user", Content: "谢谢"})).To(BeEmpty(), text)
		}
		Expect(seen("这是谁", agent.Message{Role: "user", Images: []string{photo}},
			agent.Message{Role: "assistant", Content: "哦"})).To(Equal(photo))
		for _, text := range texts("它好可爱\n那只狗叫什么\n这个问题怎么解决\n这个画家是谁\n描述一下量子力学\n给那只猫加个帽子\n" +
			"what time is it\nwhat is the art of war\nwhat is the capital of france\nthe cat is lovely") {
			Expect(seen(text, cat, made)).To(BeEmpty(), text)
		}
	})

	It("T10: is not searched for in a long text, because that would be slow", func() {
		Expect(seen(strings.Repeat("好。", 1000)+"描述刚生成图片", made)).To(Equal(drawn))
		Expect(seen(strings.Repeat("好。", 2000)+"描述刚生成图片", made)).To(BeEmpty())
	})

	It("T10: is ignored if the turn contains an image", func() {
		s := viewer(route("chat", 0.9))
		_, err := s.play(agent.Turn{Text: "刚才那张图里有什么", Images: []string{photo2}, History: []agent.Message{made}})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.bodies[dashScope][0]).To(And(ContainSubstring(photo2), Not(ContainSubstring(drawn))))
	})

	It("T10: is answered with a request to send the image again if the newest image has expired; an older image is not used",
		func() {
			lost := agent.Message{Role: "user", Content: "这是我家", ImagesExpired: true}
			for text, want := range map[string]string{
				"刚才那张图里有什么":                    "请再发一次",
				"what is in the photo I sent?": "send it again",
				"这张图里有几个人":                     "请再发一次",
			} {
				s := viewer(route("chat", 0.9))
				reply, err := s.play(agent.Turn{Text: text, History: []agent.Message{made, lost}})
				Expect(err).NotTo(HaveOccurred())
				Expect(reply.Content).To(ContainSubstring(want), text)
				Expect(s.of(trace.KindRoute)).To(Equal([]string{"route chat (image_expired)"}))
			}
			Expect(seen("你刚画的是什么", made, lost)).To(Equal(drawn), "who names the agent means its own")
		})

	It("T10: also selects an image stored as a data URL; its data are not sent again as text", func() {
		data := "data:image/png;base64,AAAA"
		s := viewer(route("chat", 0.9))
		_, err := s.play(agent.Turn{Text: "刚才那张图里有什么",
			History: []agent.Message{made, {Role: "user", Images: []string{data}}}})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.bodies[dashScope][0]).To(ContainSubstring(data))
		sent := s.messages(deepSeek, 1)
		Expect(sent).NotTo(ContainElement(HaveField("Content", BeElementOf("", nil))))
	})

	It("T10: is ignored if it is ambiguous and the conversation has no image", func() {
		for _, text := range texts("图里怎么插入公式\n这张图怎么画\nwhat is the image format?\n我发的照片怎么没显示" +
			"\ndid you paint your house?\n上次的海报设计费多少钱\n你画的大饼什么时候兑现\n刚画完画手疼怎么办") {
			Expect(seen(text)).To(BeEmpty(), text)
		}
	})

	It("T10: is answered with the information that there is no image if it is unambiguous and the conversation has none", func() {
		for _, text := range texts("描述刚生成图片\n刚刚画的猫是什么品种\nwhat did you just draw?\n上一张图里有什么") {
			s := viewer(route("image_gen", 0.9))
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Content).To(Or(ContainSubstring("还没有生成过图片"), ContainSubstring("No picture has been made")),
				text)
			Expect(s.server.Log()).To(BeEmpty(), text)
		}
	})
})

var _ = Describe("31.9: A message directly after a generated image", func() {
	made := agent.Message{Role: "assistant", Content: "好了", GeneratedImageURL: drawn}
	request := agent.Message{Role: "user", Content: "画一只戴帽子的猫坐在花园里 (a cat with a hat in a garden)"}
	play := func(text string, history ...agent.Message) (agent.Reply, int) {
		GinkgoHelper()
		s := viewer(route("chat", 0.9))
		s.config.Mode = toolrouter.ModeRules
		reply, err := s.play(agent.Turn{Text: text, History: history})
		Expect(err).NotTo(HaveOccurred())
		return reply, s.server.Calls("vision")
	}
	DescribeTable("is answered with a look at the image if only the image can answer it; the reply says so",
		func(text string) {
			reply, looks := play(text, request, made)
			Expect(looks).To(Equal(1))
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
			Expect(reply.Attributes).To(HaveKeyWithValue("vision", "yes"))
			reply, looks = play(text)
			Expect(looks).To(BeZero())
			Expect(reply.Attributes).To(HaveKeyWithValue("vision", "no"))
		},
		Entry(nil, "what breed is the cat"), Entry(nil, "what color is the hat?"), Entry(nil, "猫的眼睛是什么颜色的"),
		Entry(nil, "它戴的帽子好看吗"), Entry(nil, "看着不错，这是什么风格？"), Entry(nil, "背景是哪里"), Entry(nil, "左边那个是谁"),
		Entry(nil, "有几棵树"), Entry(nil, "is she smiling"), Entry(nil, "why are there two moons"),
		Entry(nil, "how many people are there"), Entry(nil, "does it have a tail"),
	)
	DescribeTable("is answered without a look at the image if it is about something else",
		func(text string) {
			reply, looks := play(text, request, made)
			Expect(looks).To(BeZero())
			Expect(reply.Attributes).To(HaveKeyWithValue("vision", "no"))
		},
		Entry(nil, "谢谢"), Entry(nil, "你喜欢什么颜色"), Entry(nil, "猫一般能活多少年"), Entry(nil, "讲个笑话"),
		Entry(nil, "what do cats eat"), Entry(nil, "what is your favorite color"), Entry(nil, "is it tuesday today"),
	)
	DescribeTable("31.10: is a request for another image if it asks for a change",
		func(text string) {
			reply, _ := play(text, request, made)
			Expect(reply.Predicted).To(Equal(toolrouter.RouteImageGen))
			Expect(reply.Rule).To(Equal("image.edit"))
			reply, _ = play(text)
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat), "there is no image")
			reply, _ = play(text, agent.Message{Role: "user", Content: "你好", Images: []string{photo}},
				agent.Message{Role: "assistant", Content: "好"})
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat), "the image is not by the agent")
		},
		Entry(nil, "换成黑猫"), Entry(nil, "make the hat red"), Entry(nil, "same but at night"), Entry(nil, "再可爱一点"),
	)
	DescribeTable("31.10: is a request for another image also after questions about the image",
		func(text string) {
			answer := agent.Message{Role: "assistant", Content: "橘猫"}
			asked := []agent.Message{request, made, {Role: "user", Content: "这是什么品种"}, answer}
			reply, _ := play(text, asked...)
			Expect(reply.Rule).To(Equal("image.edit"))
			asked = append(asked, agent.Message{Role: "user", Content: "what color is the hat?"}, answer)
			reply, _ = play(text, asked...)
			Expect(reply.Rule).To(Equal("image.edit"))
			asked = append(asked, agent.Message{Role: "user", Content: "讲个笑话"}, answer)
			reply, _ = play(text, asked...)
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat), "the conversation went on to something else")
		},
		Entry(nil, "再来一张"), Entry(nil, "背景改成海边"), Entry(nil, "now in watercolor"), Entry(nil, "换成白猫"),
	)
	It("31.9: is answered with a look at the image if the messages in between were questions about it", func() {
		_, looks := play("它的尾巴是什么颜色", request, made, agent.Message{Role: "user", Content: "这是什么品种"},
			agent.Message{Role: "assistant", Content: "橘猫"})
		Expect(looks).To(Equal(1))
	})
	It("31.10: requests no image if image generation is off", func() {
		s := viewer(route("chat", 0.9))
		s.config.Mode = toolrouter.ModeRules
		reply, err := s.play(agent.Turn{Text: "换成黑猫", History: []agent.Message{request, made},
			Options: options("image_gen", "false")})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
	})
})
