package intent_test

import (
	. "github.com/onsi/ginkgo/v2"

	"evalctl/agent/toolrouter/intent"
)

var _ = Describe("T4: the rule image.neg1 (记得, 想起 or 回忆 before 画, 图 or 生成)", func() {
	DescribeTable("matches a question about a memory, which requests no image", stops("image.neg1"), texts(
		"你还记得那张图吗", "记得我们画的海边吗", "我想起一幅老画", "回忆一下生成过的头像", "记得帮我画一只兔子",
		"還記得那幅畫嗎", "想起小时候的图画", "回忆我们一起画画的日子", "我记得你会画星空", "好，记得再生成一张照片",
	))
	DescribeTable("does not match other texts that contain these words",
		misses(intent.DetectImageGen, "image.neg1"), texts(
			"记得提醒我开会", "画一本记得从前的相册", "我记得。画一只猫", "想起他就难过", "记得，帮我画一座塔", "图书馆还记得我",
			"回忆录写到哪里了", "生成一张照片，我还记得你", "画一只小狗？记得的话", "记得带上图书证",
		))
})

var _ = Describe("T4: the rule image.neg2 (之前, 上次 or 以前 before 画, 绘 or 生成)", func() {
	DescribeTable("matches a question about an earlier image, which requests no new one", stops("image.neg2"), texts(
		"之前画的那只猫呢", "上次生成的图在哪里", "以前画过水墨吗", "把上次绘制的地图发我", "之前你生成了什么", "上一次画一张要多久",
		"以前畫的山水還在嗎", "之前绘的样子很好", "上次帮我画的狗真可爱", "我以前喜欢画画", "上次生成美少女用了多久",
	))
	DescribeTable("does not match other texts that contain these words",
		misses(intent.DetectImageGen, "image.neg2"), texts(
			"画一张以前的上海", "之前说过了，画一只猫", "上次的动画片很好看", "以前的画家住在哪", "生成一座城市，之前没有过",
			"帮我画一条上次见过的龙", "上次旅行很开心", "以前天天下雨", "之前的图书丢了", "上次？画一匹马",
		))
})

var _ = Describe("T4: the rule image.neg3 (不能, 不会 or 无法 before 画, 绘 or 生成)", func() {
	DescribeTable("matches a statement that something cannot be drawn or generated, which requests no image",
		stops("image.neg3"), texts(
			"我不会画画", "你不能画人物吗", "无法生成图片", "为什么不能生成照片", "我不会绘制地图", "無法畫出來", "他不会画一只手",
			"不能绘一幅山水吗", "软件无法生成封面", "不会给我画吧",
		))
	DescribeTable("does not count 能不能, 会不会, 可不可以 and other clauses as a negation",
		misses(intent.DetectImageGen, "image.neg3"), texts(
			"能不能画一只猫", "会不会画小狗", "可不可以生成一张照片", "画一只不会飞的鸟", "生成一座无法到达的城堡", "不能，画一只猫",
			"能不能帮我绘一幅山水", "我不会，你来画一张", "他无法出席会议", "不会吧，画一只龙",
		))
})

var _ = Describe("T4: the rule image.1 (画 or 绘 and a measure word)", func() {
	DescribeTable("matches a request for an image", fires(intent.DetectImageGen, "image.1"), texts(
		"画一张猫", "绘三幅山水", "画只小鸟", "画幅秋景", "画个月亮", "想让你画十二张贺卡", "绘一座雪山", "画 2 条鱼", "画几朵花", "画我一张像",
		"画一张饼图", "搜一下怎么画一张猫", "畫一隻貓", "繪兩棵樹", "用水彩画一只狐狸", "绘制一幅夜景", "画一下三只羊", "请描绘一幅草原",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectImageGen, "image.1"), texts(
		"画家一张票多少钱", "画了三个小时", "画面一片漆黑", "昨天画了一张", "这幅画一共多少钱", "画条形图", "漫画一本多少钱", "画展门票两张",
		"计画一个假期", "画得一般", "画夕阳风景", "不要画一只猫",
	))
})

var _ = Describe("T4: the rule image.2 (给我画, 帮我画, 请画 or 来画)", func() {
	DescribeTable("matches a request for an image", fires(intent.DetectImageGen, "image.2"), texts(
		"给我画星空", "帮我画小猫", "请画夕阳", "来画龙", "请你再帮我画彩虹", "那你给我画海边吧", "幫我畫風景", "請畫雪景", "麻烦帮我画流程图",
		"请重新画", "帮我画", "给我 画 城堡",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectImageGen, "image.2"), texts(
		"给我画重点", "帮我看看画展信息", "请画家吃饭", "未来画面会更清晰", "原来画在这里", "给我画的那张在哪", "我来画吧", "帮我写画评",
		"申请画室要多久", "请帮我，画得不错", "请不要画人物",
	))
})

var _ = Describe("T4: the rule image.3 (生成 and a word for an image)", func() {
	DescribeTable("matches a request for an image", fires(intent.DetectImageGen, "image.3"), texts(
		"生成一张照片", "生成图片", "帮我生成雪山的图", "可以生成一幅油画吗", "生成一个公司logo", "请生成海边日落的画面", "生成頭像", "一键生成壁纸",
		"AI能生成插画吗", "生成一张流程图", "生成一張圖", "生成 1,000 张图片",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectImageGen, "image.3"), texts(
		"生成图片的代码", "生成海报文案", "图片怎么压缩", "生成图书目录", "生成动画", "图里的字是生成的", "生成式画图是什么", "刚才生成的图片在哪",
		"生成美少女", "生成对抗网络图解", "生成，图片", "生成图文报告", "不要生成图片",
	))
})

var _ = Describe("T4: the rule image.4 (制作 or 创作 and a word for an image)", func() {
	DescribeTable("matches a request for an image", fires(intent.DetectImageGen, "image.4"), texts(
		"制作一张海报", "创作一幅肖像", "请制作头像", "为我创作水墨画", "制作生日贺卡", "創作一幅海景", "製作圖片", "想制作一张电影封面",
		"帮忙创作雕像的草图", "制作柱状图",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectImageGen, "image.4"), texts(
		"制作蛋糕", "创作一首诗", "制作动画", "制作一个像苹果的蛋糕", "图像制作人是谁", "制作海报文案", "制作图书", "创作的画在哪里", "制作了一张图",
		"头像在哪制作", "制作PPT", "不想制作海报了",
	))
})

var _ = Describe("T4: the rule image.5 (生成 at the beginning and an object that is not a text)", func() {
	DescribeTable("matches a request for an image", fires(intent.DetectImageGen, "image.5"), texts(
		"生成美少女", "请生成雪山", "帮我生成赛博朋克城市", "我想生成一只老虎", "麻烦生成星空下的城堡", "再生成一个机器人", "生成小猫吧", "生成飛龍",
		"你好，请生成森林小屋", "现在生成一片花海", "生成中国风庭院", "生成“雪山”下的小镇",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectImageGen, "image.5"), texts(
		"生成代码", "生成报告", "生成一个", "生成吗", "生成猫", "生成随机密码", "生成一段视频", "生成背景音乐", "怎么生成美少女", "植物生成氧气很快",
		"生成式人工智能", "生成对抗网络", "生成速度太慢", "生成程式碼", "请生成会议纪要", "不要生成美少女", "可以生成雪山吗", "生成祝福语", "生成一首歌", "生成一封感谢信", "生成报表",
		"重新生成一版", "生成毫秒时间戳", "生成雪山的时候",
		"“生成美少女”是什么意思",
	))
})

var _ = Describe("T4: the rule image.6 (可以 or 能, 生成 and an object that is not a text)", func() {
	DescribeTable("matches a request for an image", fires(intent.DetectImageGen, "image.6"), texts(
		"可以生成超绝美少女吗", "你能生成雪山日出吗", "能不能帮我生成赛博城市", "可不可以生成一只老虎", "能否生成森林小屋", "這裡可以生成太空戰士嗎",
		"这个软件能生成古风少年吧", "你可以为我生成水下宫殿", "能够生成蒸汽火车吗", "可以的话生成未来城市",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectImageGen, "image.6"), texts(
		"你能生成吗", "可以生成猫吗", "能生成一下吗", "可以生成会议纪要吗", "能生成随机数列表吗", "人工智能生成技术原理", "这个功能生成速度很快",
		"可以，生成", "生成之后可以修改颜色吗", "能生成三分钟的视频吗", "能生成背景音乐吗",
	))
})

var _ = Describe("T4: the rule image.7 (画 or 绘 as a verb and an object that is not a chart)", func() {
	DescribeTable("matches a request for an image", fires(intent.DetectImageGen, "image.7"), texts(
		"画夕阳风景", "画小猫", "我想画海边", "绘制未来城市", "能画小狗吗", "会画樱花吗", "画出热带雨林", "畫夕陽", "现在画外星人吧", "用铅笔画老人",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectImageGen, "image.7"), texts(
		"画饼图", "画流程图", "绘制思维导图", "画猫", "画家生平", "画面太暗", "画蛇添足的意思", "动画推荐", "油画保养", "国画大师有谁", "怎么画眼睛",
		"我喜欢画风景", "画得真好", "画不出来", "玻璃画保存方法", "不要画背景", "我画水彩很多年", "畫流程圖", "绘本推荐", "绘制了三天", "画爱心的代码", "画个重点", "画就算了吧",
		"画素描的时候总画歪", "《画江山》好看吗",
	))
})

var _ = Describe("T4: the rule image.8 (English)", func() {
	DescribeTable("matches a request for an image", fires(intent.DetectImageGen, "image.8"), texts(
		"draw me a cat", "Paint a sunset", "generate an image of a fox", "Create a logo for my bakery",
		"make a black and white photo",
		"could you draw a castle", "PLEASE MAKE A POSTER", "ｄｒａｗ ａ ｄｏｇ", "then paint mountains",
		"I want you to draw an owl",
		"can't you draw me a horse", "generate two wallpapers", "design an app icon", "Hi! Draw a lighthouse",
		"yo draw a dragon", "I need to create a logo", "use AI to generate an image of a fox",
		`my 27" screen, draw me a cat`,
	))
	DescribeTable("does not match texts that only look similar", nothing(intent.DetectImageGen), texts(
		"draw a conclusion", "draw a hasty conclusion", "draw attention to the risk", "the match ended in a draw",
		"make sure the picture is attached",
		"how do I draw a cat", "I can't draw a cat", "don't paint a house", "create a docker image",
		"generate image captions", "drawing is fun",
		"create a function that loads an image", "he withdraws money", "paint", "draw on experience",
		"draw a flowchart", "make a plan",
		"repaint images", "I drew a cat", "what should I draw", "paint the town red", "create a mental picture",
		"a script to generate images", "we had to paint a portrait", `is "draw a cat" a good prompt`,
	))
})
