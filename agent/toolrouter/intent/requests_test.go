package intent_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter/intent"
)

// goes returns the body of a table: Decide must return this route for each text.
func goes(route intent.RouteSet) func(string) {
	return func(text string) {
		got, rule := intent.Decide(text, all)
		Expect(got).To(Equal(route), "%s: %s", text, rule)
	}
}

var _ = Describe("T4: A realistic message", func() {
	DescribeTable("is recognized as a request for an image, for any first character of the object",
		goes(intent.RouteImageGen), texts(
			"帮我画风铃下的小女孩", "帮我画册页里的山水", "请给我画中秋的月亮和兔子", "画家具店里的懒猫", "画上海外滩的夜景", "傍晚画江边的渔船吧", "静静地画一片雪原",
			"请用水墨风格画武松打虎", "把我的照片画成漫画", "给宝宝画只小恐龙", "能画个生日蛋糕不", "你能不能帮我画饼干城堡", "生成一个读诗的少年", "生成一个唱京剧的花旦",
			"生成密码箱上坐着的猴子", "生成一张海报，标题是夏日狂欢", "生成音乐喷泉的夜景", "可以生成歌剧院前的芭蕾舞者吗", "制作观音像", "制作一张中秋贺卡",
			"创作一组赛博朋克插画", "帮忙绘制敦煌飞天", "畫一匹在草原奔跑的馬", "先别聊了，画只柴犬看看", "不要背景，画一个苹果", "draw a curtain made of flowers",
			"draw a line of ducks crossing the road", "draw a blank canvas on an easel", "draw a straw hat",
			"Please draw a lot of balloons",
			"paint a fence covered in roses", "could you sketch two foxes dancing",
			"I'd like you to draw my dog as a king",
			"make a picture of a bear drinking tea",
			"generate an illustration for my story about a lost robot", "create a poster that says welcome home",
			"Hello! Can you please paint a bowl of cherries?",
			"quickly draw a smiley", "let's draw a pirate ship", "design me a tattoo-style logo with a raven", "帮我画风筝",
			"帮我画皮卡丘", "请画外婆在厨房做饭",
			"画家乡的小河", "生成热带雨林", "制作人物海报", "生成一个唱歌的小女孩", "生成一张海报标题为春天来了", "今天画春天的校园", "画片森林", "制作佛像", "创作一尊铜像",
			"画风车", "画皮卡丘", "画外婆", "画展翅的老鹰", "画质感很强的金属球", "帮我画画家梵高的肖像", "帮我画师傅修车", "帮我画饼铛里的煎饼", "画法式庭院",
			"帮我画动画人物", "帮我画油画风格的海", "请帮我画的认真一点，画一座桥", "生成文艺复兴风格的少女", "生成报纸风格的街景", "生成信息图风格的城市", "生成故事书封面",
			"生成一只在看报告的猫", "生成一位写诗的古人", "生成一个抱着吉他唱歌的男孩", "生成视频博主的卡通形象", "生成数字艺术风格的鲸鱼", "生成歌手在舞台上",
			"生成问题少年的漫画", "能生成一个弹钢琴的女孩吗", "可以生成小说里的女主角吗", "明天是儿童节，画一群孩子放气球", "用铅笔慢慢画一座老房子", "晚上画夜空",
			"认真画小猫", "快速画一个苹果", "直接画外星人入侵", "来画中国龙", "替我画布达拉宫", "为我画上海的弄堂", "给我画面馆老板", "帮我画工人", "帮我画室内的绿植",
			"帮我画笔直的公路", "帮我画报童", "帮我画像素风的小人", "帮我画在海边奔跑的孩子", "帮我画好看的裙子", "帮我画不倒翁", "帮我画过山车", "帮我画得了冠军的运动员",
			"帮我画了不起的盖茨比", "帮我画完美的日落", "帮我画到处是花的田野", "帮我画没有云的天空", "draw a bath full of ducks",
			"draw the curtains of a theatre in red velvet", "draw a crowd", "draw a gun made of flowers",
			"draw blood orange slices", "draw attention-grabbing shoes",
			"draw a parallel universe", "draw a breath of dragon fire", "draw a map of Middle-earth",
			"paint the town hall at dusk", "paint my house in the snow",
			"Draw me a line of penguins", "please draw a wall covered in ivy",
			"create a picture of a class of students",
			"generate an image of a website mascot",
			"create an image with a text bubble", "make a logo for a code school",
			"can you create a cartoon of my boss",
			"I want you to paint a storm", "帮我make一张poster",
			"给我画三个和尚抬水", "给俺画个大苹果", "画我家的猫", "画咱们班的毕业照", "请画蛇添足这个故事的场景", "请画出一片星空", "你来画吧，画一只熊猫", "那就画只猫咪吧",
			"画两只老虎，一只没有耳朵，一只没有尾巴", "帮我画眼睛大大的猫头鹰", "帮我画笔筒和毛笔", "帮我画架在火上的锅", "帮我画本打开的书", "帮我画板凳上的老人",
			"帮我画布满星星的夜空", "帮我画集市上的小贩", "帮我画屏风前的仕女", "帮我画中式婚礼", "帮我画纸灯笼", "帮我画室外篮球场", "帮我画具有未来感的汽车",
			"帮我画技术员修电脑", "帮我画重点中学的校门", "帮我画符合春节气氛的窗花", "帮我画报纸堆", "画院子里的葡萄架", "画工厂里的机器人", "画笔记本电脑前的女孩",
			"画布袋和尚", "画面条摊", "画法国小镇", "画报刊亭", "明早画日出", "能不能给我生成一个在唱歌的鸟", "生成文字为“福”的红色剪纸", "生成标题为开学季的海报",
			"生成一幅写着春字的窗花", "生成列表里第一只猫的样子", "生成短发女孩", "生成歌剧魅影的舞台", "生成语文老师的卡通形象", "生成话剧舞台", "生成题字的扇子",
			"生成一只会写代码的猴子", "可以生成一张会议室的照片吗", "可以生成正在开会的程序员吗", "麻烦生成一下雪山日出", "幫我生成一隻穿西裝的狗", "制作一张开业宣传海报",
			"创作石像鬼", "制作肖像", "Draw a chart-topping singer on stage", "draw someone reading the news",
			"draw the weather gods fighting", "draw a clock showing 3 pm",
			"Can you draw what time looks like", "I would like you to draw a bridge over a river",
			"Draw a sleeping cat, please", "Hey there, draw me something nice",
			"could you make an image of my dream house?", "Generate a picture: a fox in the snow",
			"Create an oil painting of the harbour", "make me a cartoon avatar",
			"傍晚时分画归家的渔船", "周末画全家去野餐", "春天画樱花树", "仔细画一下这个场景：海边日落", "开心地画彩虹", "随手画条鱼", "再帮我画个一样的",
			"我想让你帮我画一张全家福", "有空帮我画个头像呗", "老师好，请画一幅长城", "你会画龙吗，画一条给我看", "创作孔子像", "制作自由女神像", "制作一个兵马俑像",
			"创作一幅国画", "制作一张电影海报", "生成一张歌手海报", "生成一张写有“生日快乐”的蛋糕图片", "生成一张海报，内容是全民阅读", "生成一张题目为《秋思》的画",
			"生成一个读报告的职员", "生成一个听音乐的女孩", "生成一个讲故事的爷爷", "生成写代码的猫", "生成新闻主播的卡通形象", "生成一只会发短信的狗", "生成童话里的城堡",
			"生成词典封面", "生成诗意的江南水乡", "生成语言学家的肖像", "生成歌德的肖像", "生成题材新颖的壁纸", "生成数据线缠绕的怪兽", "生成文件柜旁的老人",
			"生成报告厅的全景", "生成表格里跳舞的小人", "draw a diagonal line of trees", "draw a timeline-free forest",
			"draw a salary man on a train", "draw a support beam",
			"draw strength card from tarot", "can you draw a contract being signed", "draw cards", "draw a fence",
			"please draw: a red balloon", "okay, draw it again",
			"Draw 3 cats", "paint a picture of hope", "make a drawing of my family", "design a birthday card",
			"create a birthday card", "draw my sister painting a fence",
			"create an image of people reading the news", "I want an image of a stormy weather map", "帮我画看新闻的爷爷",
			"帮我画天气预报员", "帮我画搜索引擎机器人",
			"画现在几点的钟", "画一个问今天几号的小孩", "生成下雨天的街道", "生成一个热搜女明星",
		))
	DescribeTable("is recognized as a request for a web search", goes(intent.RouteWebSearch), texts(
		"帮我在B站搜索猫和老鼠", "在美团搜一下附近的烧烤", "麻烦搜索一下明天的航班", "去百度搜索高血压吃什么", "明天南京天气怎么样啊", "后天会下雪吗", "今天有啥新闻",
		"昨晚的体育新闻", "今天都发生了什么事", "最新的疫情资讯", "最近有什么国际新闻没有", "查看实时航班信息", "看看今天的微博热搜", "今日头条有什么内容",
		"知乎热榜第一是什么", "联网查一查这首歌是谁唱的", "上网找一下这本书的评价", "网上搜搜有没有优惠券", "现在的猪肉价格", "现在欧元汇率", "目前北京的房价是多少",
		"2024年11月珠海航展", "2023年7月的台风杜苏芮", "2022年11月世界杯开幕式是谁唱的", "could you please look up flights to Berlin",
		"search for the nearest pharmacy",
		"can you google how old the pope is", "what's the weather going to be like this weekend in Leeds",
		"give me the latest news on the elections",
		"is there any news about the earthquake", "weather forecast for tomorrow please",
		"what are today's top headlines",
		"I want you to search online for cheap laptops", "please check the current price of silver",
		"do you know the weather in Madrid right now",
		"latest football transfer news", "how is the weather in Delhi", "tell me the latest on the Gaza talks",
		"will it snow in Denver this week",
		"帮我look up一下这个单词的来源", "帮我在淘宝搜索连衣裙", "Could you quickly search for hotels in Rome", "打开微博热搜看看", "上网查到北京的火车票多少钱",
		"2025年9月阅兵", "请在谷歌上搜索最近的药店", "麻烦你在拼多多搜一下纸巾", "帮忙上小红书搜索穿搭", "would you mind looking up the score",
		"please do a quick search for train times", "can you maybe search for a good dentist",
		"could you kindly look up this address", "打开知乎热榜", "看看百度热搜",
		"上网查一下去上海的机票", "网上查到深圳的大巴时刻", "2023年8月日本排核污水", "2024年7月巴黎奥运会", "2026年2月冬奥会在哪办", "二〇二五年九月三日阅兵",
		"明天广州下雨吗", "昨天有什么新闻", "今天的天气", "what is the weather today", "weather in London", "is it raining in Seattle",
		"any weather warnings for tomorrow?", "news about Tesla", "today's news", "what's in the news",
		"show me the weather", "how's the weather in Paris",
		"能帮我在京东上搜索一下笔记本电脑吗", "在知网搜索关于碳中和的论文", "用必应搜一下怎么做红烧肉", "请搜索引擎盖维修的店铺", "帮我搜索算法导论的电子书",
		"我想在闲鱼搜二手相机", "可以帮我上网搜索一下吗", "明天上午北京会下雨吗", "昨天国内新闻", "今天北京的天气怎么样", "最近的新闻有哪些", "有什么最新的资讯吗",
		"现在黄金什么价格", "当前的汇率是多少", "打开头条看看", "Please search the internet for cake recipes",
		"Could you look that up online",
		"Can you search up the lyrics", "Would you please search for a vegan restaurant", "Is there any breaking news?",
		"What's the weather?",
		"Tell me tomorrow's weather", "Will it rain tomorrow?", "weather?", "give me the weather forecast for Berlin",
		"帮我在淘宝上面搜索一下连衣裙",
		"在小红书上搜索露营攻略", "到拼多多上搜手机壳", "用谷歌搜索一下这个公司", "打开B站热搜", "可以看一下微博热搜吗", "今天都有哪些新闻", "请问今天天气如何",
		"上网帮我查到最便宜的机票", "联网查到这本书的价格", "2025年10月诺贝尔奖", "2025年11月进博会", "2024年2月超级碗", "2025年9月3日阅兵仪式", "2025年6月高考作文题",
		"2024年12月韩国戒严", "Could you please search for cheap hotels in Rome for me",
		"Can you quickly look up the train times",
		"I'd like you to search for used cars", "search cheap flights", "Give me news about China",
		"I want to know the weather in Rome", "check tomorrow's weather",
		"can you check the news", "what will the weather be tomorrow", "帮我查下今天的新闻", "我想看今天的新闻",
		"我想知道明天的天气", "告诉我最新的国际新闻",
		"I want to see the news", "tell me about the weather in Lima", "need the weather for Oslo tomorrow",
		"hey google the nearest gas station",
	))
	DescribeTable("is recognized as a question about the local time", goes(intent.RouteTimeQuery), texts(
		"现在是几点几分", "请告诉我当前时间", "查询当前日期", "返回当前的星期", "帮我获取一下当前时间戳", "显示今天的日期和星期", "今儿几号", "今天是几月几号星期几",
		"你好，请问现在什么时间了", "几点了现在", "我想问下今天周几", "今天是星期六还是星期天", "后天是星期几", "昨天星期几", "明天是几号呀", "现在是几月",
		"今年是2026年吗", "给我一个时间戳", "我所在的时区是什么", "报一下时间", "現在時間是多少", "能不能告诉我现在几点钟", "现在到几点了", "看下现在时间",
		"今天几号了呢", "现在几点 plz", "今天星期几 please", "tell me what time it is", "what's the time now please",
		"what is the current date and time", "what day of the week is today",
		"can you give me today's date", "is today Friday", "what will the date be tomorrow", "what day was yesterday",
		"get me the current unix time",
		"return the current timestamp", "which timezone am I in", "what month is it now", "do you have the time",
		"could you check the time for me",
		"what's the day today", "查询今天星期几", "获取当前时间", "give me a unix timestamp", "显示当前时间", "返回今天日期",
		"查询当前星期", "查一下现在几点",
		"输出当前时间戳", "请查询今天是几号", "获取今天的日期", "查询现在的时间", "显示星期", "生成当前时间戳", "生成一个时间戳", "generate a timestamp",
		"what's the unix timestamp", "I need a timestamp", "明天星期几", "后天几号", "大后天星期几", "昨天是星期几呢", "现在几点了呢", "当前日期是什么",
		"what's the date", "what date is it today", "time?", "查询今天是星期几", "帮我查一下今天是几号", "请返回当前日期和时间",
		"告诉我今天的日期", "看看今天几号",
		"现在是什么时候", "今天是几月几号呀", "获取现在的时间戳", "获取当前系统时间", "显示现在几点", "请显示当前的日期", "打印当前时间", "现在几点几分了", "今天周几啊",
		"what's today's date", "please tell me the current time", "What day is today?", "Give me the current timestamp",
		"fetch the current date",
		"Could you tell me what day it is today?", "现在时间几点", "今天的星期", "查一下当前的日期", "获取今天星期几", "返回时间戳",
		"查看当前时间", "报告当前时间",
		"请问当前的时间是", "今天是几号？星期几？", "后天是几月几号", "明天周几", "昨天是几月几号", "give me the unix timestamp",
		"what's the current unix timestamp?",
		"return a unix timestamp", "current time please", "what's the weekday today", "what day will it be tomorrow",
		"so what's the date today", "hey, what day is it",
		"现在具体是几点", "请告诉我现在是几点几分",
	))
	DescribeTable("is recognized as chat if it requests none of these", goes(0), texts(
		"画画对孩子有什么好处", "我在画室学了三年素描", "这幅画画得真好", "画风突变是什么意思", "请画家题字要准备什么礼物", "给我讲讲国画的历史", "画龙点睛的故事",
		"帮我生成一段自我介绍", "生成一首周杰伦风格的歌词", "生成一份会议纪要", "可以生成一份简历模板吗", "请生成一个测试用的密码", "生成式人工智能的原理",
		"生成图片的提示词怎么写", "制作视频用什么软件好", "制作一份PPT", "创作一首诗", "我不会画，别笑我", "之前画的图太丑了", "记得上次我们聊画画的事吗",
		"为什么你无法生成图片", "搜索算法有哪些", "今天天气真不错啊", "明天天气要是好就去爬山", "我看了今天的新闻，好难过", "等我消息", "最近有点累",
		"我手机热点没流量了", "实时系统是什么", "现在的年轻人不容易", "2024年3月我入职了新公司", "我明天几点起床好", "会议是几点", "时间都去哪儿了", "时间戳是怎么定义的",
		"unix时间戳转换成日期的代码", "how are images generated by AI", "what does it mean to draw a blank",
		"write a poem about painting", "I drew a picture yesterday",
		"my kid loves drawing", "make a plan for my week", "create a function that returns the current time",
		"the weather has been awful lately",
		"I watched the news and got sad", "my search for meaning", "what time should I wake up",
		"what time does the store usually open", "it's about time",
		"how do timestamps work in SQL", "she lives in a different time zone", "what is the best way to draw hands",
		"纽约时间现在几点", "现在几点了在纽约",
		"现在几点了在伦敦", "现在伦敦时间几点", "东京现在几点", "洛杉矶那边现在几点了", "现在巴黎是几点", "what time is it in Tokyo",
		"what time is it over there in New York", "what time is it supposed to start", "what time is it on Mars",
		"what time is it when the show begins",
		"the weather is lovely", "The weather here is so nice today", "what lovely weather", "nice weather today",
		"this weather makes me sleepy", "I love rainy weather",
		"the news made me cry", "that's great news", "I have some news for you", "no news yet", "明天等我消息", "今天没有他的消息",
		"今天我发了一条动态", "明天给你消息",
		"今天收到好消息了", "昨天的动态你看了吗", "今天天气好热啊", "今天天气很好，心情也好", "明天天气应该不错", "昨天下雨了", "今天新闻里说猪肉涨价了", "画饼图",
		"画流程图", "生成代码", "生成一首歌", "生成一段音乐", "生成一个故事", "生成一份报告", "生成一个随机密码", "你能生成吗", "生成式对抗网络是什么",
		"画家梵高是哪国人", "画面很美", "画展什么时候开始", "国画和油画的区别", "画蛇添足是什么意思", "请画家来讲课要多少钱", "动画专业好就业吗", "二分搜索怎么写",
		"搜索算法有哪几种", "实时数据库有哪些", "手机热点怎么开", "draw a conclusion", "let me draw your attention to this",
		"the lottery draw is tonight",
		"binary search is fast", "会议几点", "会议明天几点开始", "每周几开会", "北京时间和纽约时间差几个小时", "纽约现在几点了",
		"现在纽约时间是几点", "现在伦敦是几点钟", "what time is it in New York now", "what's the time in Tokyo",
		"What time is it there?",
		"what time is it best to post on instagram", "do you know what time it closes", "几点开会", "你几点睡觉", "今天几点下班",
		"the weather was perfect for our wedding", "Lovely weather we're having", "I can't stand this weather",
		"talk about the weather bores me", "good news everyone",
		"I've got news", "我有个好消息要告诉你", "明天再给你消息", "他的动态好搞笑", "昨天发的动态被删了", "天气热得睡不着", "我在画室里画了一天", "老师画的重点你记了吗",
		"你画的真好看", "这张画是谁画的", "生成树协议是什么", "生成函数怎么用", "帮我生成一份合同", "生成一段三十字的文案", "生成一份数据报告", "生成一个动画",
		"制作一个网页", "创作一篇小说", "别画了", "不要给我画图", "不用搜索了", "我不想画画", "请不要搜索，直接回答", "don't draw anything",
		"please don't search the web", "I like to draw cats", "She can draw very well", "how to draw a dragon",
		"the painting is beautiful", "create a todo list",
		"generate some names for my cat", "make me a sandwich recipe", "what is binary search", "the search is over",
		"今天发生的事让我很难过", "我最近很忙",
		"实时聊天怎么实现", "现在的手机都好贵", "2024年3月我在上海", "2025年9月开学", "现在几点了在东京", "现在纽约几点", "悉尼时间现在几点", "现在是纽约时间几点",
		"纽约现在的时间", "国外现在几点", "what time is it supposed to end", "what time is it where you live",
		"what time is it usually dark",
		"weather is such a boring topic", "how do meteorologists predict the weather", "I work in the news industry",
		"the latest thing in my life is a puppy",
		"any advice for dealing with bad news", "明天记得给我发消息", "他今天发了消息给我", "今天朋友圈的动态好多", "今天消息太多了看不过来", "昨天你给我的消息我看到了",
		"今天的天气让我想起了家乡", "今天天气不太好", "昨天天气冷得要命", "今天天气预报说有雨，结果没下", "今天看新闻了吗", "他又在看新闻", "别画了，我累了",
		"I read the news every morning", "I will check the weather before hiking", "she gets her news from TikTok",
		"we were talking about the weather",
		"my dad reads the news at breakfast", "I was watching the news when it happened",
		"they find the weather depressing", "I love drawing and painting",
		"he can paint really well", "my sister will paint her room", "I need to draw up a budget",
		"the artist paints with oil", "we should paint the fence",
		"let's draw a line under this", "let's not draw conclusions", "can you draw any conclusions from this data",
		"please draw attention to the deadline",
		"could you draw a comparison between Go and Rust", "draw a flowchart of the login process",
		"make a table of prices", "create a meal plan", "generate a report",
		"I want a refund", "show me how to cook rice", "give me a recipe for pancakes", "I'd like a coffee", "我妈天天看新闻",
		"我刚看完新闻", "这新闻真假",
		"天气预报准吗", "我最喜欢下雪天", "我爸是画家", "我妹妹会画画", "她在画画", "我昨天画了一只猫", "他画的猫很可爱", "我正在画一幅油画", "我家墙上挂着一幅画",
		"这幅画多少钱", "画室租金多少", "帮我写一个关于画家的故事", "“帮我画一只猫”用英语怎么说", "怎么让AI生成图片", "用什么软件画图好", "生成报表的SQL怎么写",
		"生成一个表格", "生成一份简历", "帮我生成一个微信昵称", "生成一句祝福语", "可以生成一段代码吗", "能不能生成一首诗", "制作蛋糕的步骤", "创作灵感从哪里来",
		"搜索功能怎么实现", "我不想搜索", "百度是哪年成立的", "谷歌的总部在哪里", "上网慢怎么办", "网上购物安全吗", "实时翻译怎么做的", "热点是什么意思", "现在开始吧",
		"现在我该怎么办", "今天好累", "昨天没睡好", "2023年我毕业了", "2024年3月我换了工作", "几点睡觉最好", "一天有几个小时", "一周有几天", "二月有几天",
		"星期一英文怎么说", "时区是怎么划分的", "what is a time zone", "the date went well", "today was a good day", "what a day",
		"tomorrow I have an exam",
	))
	DescribeTable("is recognized as a request for an image if its object begins with characters that elsewhere mean no request, such as 过",
		goes(intent.RouteImageGen), texts(
			"帮我画前线的战士", "给我画后院的秋千", "我想画起伏的山峦", "请画好运锦鲤", "能帮我画着古装的女孩吗", "帮我画十字架", "画过路的商队", "生成成年雄狮", "生成树洞里的松鼠",
			"生成后海酒吧街", "生成歌手王菲", "生成小说男主角", "生成书店老板娘",
		))
	DescribeTable("is recognized as a request for an image if its object begins with characters that elsewhere mean no request (held-out examples)",
		goes(intent.RouteImageGen), texts(
			"给我画得胜归来的将军", "我想画到家的旅人", "帮我画符纸飞舞的道士", "请画室女座", "请画廊下的燕子", "帮我画重点高中的操场", "帮我画着陆的飞船", "生成时装模特",
			"生成热血青年奔跑的场景", "生成元旦晚会", "请生成过江的渡船", "生成作文老师", "生成短信诈骗犯", "能生成很酷的机车吗", "给我画不知名的小花",
		))
	DescribeTable("is recognized as a request for a web search if its object begins with characters that elsewhere mean no request, such as 过",
		goes(intent.RouteWebSearch), texts(
			"搜索技能大赛报名", "帮我搜索功能性饮料", "搜身边的美食", "请搜索历史剧排行",
		))
	DescribeTable("is recognized as a request for a web search if its object begins with characters that elsewhere mean no request (held-out examples)",
		goes(intent.RouteWebSearch), texts(
			"搜索系外行星", "搜集装箱房价格", "帮我搜索广告法全文", "搜索量角器",
		))
	DescribeTable("is recognized as chat if the verb is followed by characters that mean no request, such as 了",
		goes(0), texts(
			"请画重点", "画好了吗", "生成失败怎么办", "生成的图片很糊", "生成速度太慢", "画完了没", "帮我生成一份电影推荐清单", "生成一个公司名字",
		))
	DescribeTable("is recognized as chat if the verb is followed by characters that mean no request (held-out examples)", goes(0), texts(
		"画得怎么样了", "生成好了吗", "生成过程要多久", "画的什么呀", "生成结果保存在哪", "生成能力强吗", "请生成一份合同模板", "画错了",
	))
	DescribeTable("is recognized as a question about the time, whatever the name of the day, such as 明儿 or 昨晚",
		goes(intent.RouteTimeQuery), texts(
			"明早是几号", "明晚是星期几", "昨晚是几号", "昨夜是星期几", "明儿星期几",
		))
	DescribeTable("is recognized as a question about the time, whatever the name of the day (held-out examples)",
		goes(intent.RouteTimeQuery), texts(
			"明儿几号", "明儿周几", "昨晚星期几", "明晚几号", "明早星期几",
		))
	DescribeTable("is recognized as chat if a second clause follows", goes(0), texts(
		"what date is our anniversary dinner", "tell me the time my train leaves",
		"what day is my dentist appointment", "the time we met was magical", "what time is it my shift starts",
		"星期三我上班，星期几你上班", "周几开家长会", "现在几点你们关门", "今年几月我们去旅游", "时间戳是干嘛用的", "礼拜几我们见面",
	))
	DescribeTable("is recognized as chat if a second clause follows (held-out examples)", goes(0), texts(
		"what date is your wedding", "the date i met her was in June", "what time my class begins",
		"what day is our recital", "tell me the date we should leave", "星期几你去健身", "周几交作业", "这个月几号他回来", "今天几点你来接我",
		"时间戳是个啥", "礼拜几他休息",
	))
	DescribeTable("is recognized as a question about the time if a second clause follows",
		goes(intent.RouteTimeQuery), texts(
			"现在几点了我要出门", "今天几号了，我忘了", "what time is it because i'm late", "what time is it, i have to go",
			"今天星期几啊我记不清了",
		))
	DescribeTable("is recognized as a question about the time if a second clause follows (held-out examples)",
		goes(intent.RouteTimeQuery), texts(
			"今天星期几，我要交表", "what day is it, i lost track", "现在几点，我的表停了", "今天几号？我要签字", "what time is it? my phone died",
		))
	DescribeTable("is recognized as a question about the time if it addresses somebody",
		goes(intent.RouteTimeQuery), texts(
			"老板现在几点", "姐几点了", "老铁 今天周几", "bro what day is it", "plz tell me the time", "can u tell me the date",
			"北京时间几点", "急急急，现在几点", "宝贝，几点了", "dude what time is it",
		))
	DescribeTable("is recognized as a question about the time if it addresses somebody (held-out examples)",
		goes(intent.RouteTimeQuery), texts(
			"哥现在几点了", "师傅 今天几号", "阿姨，现在几点", "buddy what time is it", "pls what's the date", "do u have the time",
			"北京时间现在几点了", "兄弟今天星期几", "亲爱的，几点啦", "yo fam what time is it",
		))
	DescribeTable("is recognized as a request for an image if it addresses somebody", goes(intent.RouteImageGen), texts(
		"我要一张熊猫吃竹子的图", "我需要一张雪山的照片", "我想要一张森林的图片", "plz draw a house", "pls paint a sunset",
	))
	DescribeTable("is recognized as a request for an image if it addresses somebody (held-out examples)",
		goes(intent.RouteImageGen), texts(
			"我要一张恐龙的图片", "我想要一张樱花的图", "我需要一张老虎的壁纸", "plz sketch a ship", "u please draw a dog",
		))
	DescribeTable("is recognized as chat if a separate clause names another place", goes(0), texts(
		"现在几点了，悉尼那边", "现在几点，巴西", "我想知道莫斯科时间，现在几点", "what time is it, in Lagos?", "what time is it? in Berlin",
		"今天几号，洛杉矶", "现在是几点？柏林的", "现在几点了，我在迪拜", "现在几点 我人在东京",
	))
	DescribeTable("is recognized as chat if a separate clause names another place (held-out examples)", goes(0), texts(
		"现在几点了？墨西哥那边", "现在几点，埃及", "想知道越南时间，现在几点了", "what time is it, in Cairo", "what time is it? in Peru",
		"今天星期几，夏威夷那边", "what time is it now, in Oslo",
	))
	DescribeTable("is recognized as a question about the local time if a separate clause names a place that does not matter", goes(intent.RouteTimeQuery), texts(
		"我想知道时间，现在几点", "现在几点了，谢谢", "现在几点，快", "现在几点，急", "现在几点了，我在等人",
	))
	DescribeTable("is recognized as a question about the local time if a separate clause names a place that does not matter (held-out examples)",
		goes(intent.RouteTimeQuery), texts(
			"现在几点，在吗", "现在几点了，老师", "今天几号，请问", "what time is it, please", "现在几点了，我在家",
		))
	DescribeTable("is recognized as chat if the object of the verb is no image", goes(0), texts(
		"周末来画室玩吧", "快来画展看看", "i want to paint my kitchen next week", "i need to draw cash from my account",
		"please draw the blinds down", "draw a winner for the raffle", "create a logo style guide",
		"create a banner with css", "生成一份给老师的感谢信", "帮我画一下这段话的重点", "show me the icon guidelines",
	))
	DescribeTable("is recognized as chat if the object of the verb is no image (held-out examples)", goes(0), texts(
		"来画廊逛逛", "来画院报名吧", "i have to paint my garage tomorrow", "can you draw the curtains please",
		"i want to draw some money out", "draw a number between 1 and 9", "show me the poster requirements",
		"create a brand logo policy", "生成一份给领导的检讨书", "帮我画一下课文的重点", "generate an icon in css",
	))
	DescribeTable("is recognized as a request for an image although it resembles another use of the verb",
		goes(intent.RouteImageGen), texts(
			"i want to paint my bedroom as a jungle scene, draw it", "draw the moon", "draw a winner's podium",
			"来画一只猫", "create a logo for a bakery",
		))
	DescribeTable("is recognized as a request for an image although it resembles another use of the verb (held-out examples)",
		goes(intent.RouteImageGen), texts(
			"draw a king with a crown of money", "please paint my dog", "来画个太阳", "create a banner of autumn leaves",
			"draw my garden in spring",
		))
	DescribeTable("is recognized as chat if it only remarks on news or weather", goes(0), texts(
		"热搜太无聊了", "我从来不看热搜", "the latest update ruined my laptop", "any news from your brother",
		"google interviews are tough", "search your soul",
	))
	DescribeTable("is recognized as chat if it only remarks on news or weather (held-out examples)", goes(0), texts(
		"明天天气要是晴就去野餐", "热搜都是买的", "我讨厌看热搜", "the latest patch ruined the game", "any news from your sister",
		"google meetings are boring", "search your memory",
	))
	DescribeTable("is recognized as a request for a web search although it resembles a remark on news or weather",
		goes(intent.RouteWebSearch), texts(
			"今天天气", "昨天的新闻", "微博热搜", "现在的房价", "latest iphone news", "any news on the election", "今天天气适合洗车吗", "明天天气好不好",
			"最近有什么新闻", "现在油价",
		))
	DescribeTable("is recognized as a request for a web search although it resembles a remark on news or weather (held-out examples)",
		goes(intent.RouteWebSearch), texts(
			"明天上海天气", "今日新闻", "知乎热榜", "当前房价", "latest tesla news", "any news about the strike", "明天天气适合爬山吗", "后天会不会下雨",
			"近期新闻", "what's the current gold price",
		))
	It("T3: is recognized as a question about the time if it also requests a search and search is not available",
		func() {
			for _, text := range []string{"搜一下现在几点了", "搜下今天星期几"} {
				got, _ := intent.Decide(text, all&^intent.RouteWebSearch)
				Expect(got).To(Equal(intent.RouteTimeQuery), text)
			}
		})
})

var _ = Describe("31.10: A message", func() {
	DescribeTable("requests an image although another clause says that something cannot be drawn or was drawn",
		goes(intent.RouteImageGen), texts(
			"我不会画画，帮我画一只猫", "不会画画，你帮我画一张吧", "上次画的不好看，重新画一张猫", "帮我画一只鹅，我自己不会画", "之前画的太暗，这次画一张亮一点的海边",
			"I'm bad at drawing, so draw me a rabbit", "一座旧灯塔，画一下呗",
		))
	DescribeTable("is answered by the clock in everyday word order", goes(intent.RouteTimeQuery), texts(
		"几号了今天 我睡糊涂了", "周几了今天", "几点了现在 我刚醒", "告诉我现在的时间，精确到秒", "精确到毫秒的当前时间", "已经二十九号了吗",
		"is it tuesday today or wednesday", "are we on monday or friday", "is it still sunday", "is today the 5th or the 6th",
		"tell me the time down to the second",
	))
	DescribeTable("is searched for if it asks for a fact that changes", goes(intent.RouteWebSearch), texts(
		"明天上海下雨不？", "周末成都冷不冷", "我下午要不要带伞", "黄金涨了吗", "一欧元换多少日元", "昨晚国足赢了没", "英超积分榜", "下一班渡轮什么时候", "杭州地铁几点停运",
		"机场高速堵吗", "有什么国际新闻", "下一部《三体》什么时候上映", "明年春节是哪天", "楼下药店关门没有",
		"is it cold in Moscow", "do I need a raincoat tomorrow", "how much is bitcoin worth", "convert 40 pounds to euros",
		"did the Lakers win last night", "who won the derby", "when does the next train to Leeds leave", "is flight BA15 delayed",
		"how's the traffic on the ring road", "has the new album been released yet", "anything new in the news",
		"when is Easter next year", "gold price today",
	))
	DescribeTable("is chat if it only mentions such a fact, or a picture that is no request", goes(0), texts(
		"下雨天在家做什么好", "天气这么热吃什么好", "股票亏了我好难过", "高铁上能带猫吗", "为什么会下雨", "明天下雨的话我就不去了", "新闻稿的格式", "过节给长辈送什么",
		"小明买了3个苹果一共多少钱", "我发烧38度怎么办", "圣诞节的由来", "猜猜今天发生了什么",
		"my train was late again", "how is snow formed", "do you like rain", "I lost the game yesterday",
		"what should I cook for Christmas", "what is a stock option",
		"help me paint my bedroom: which wall colour goes with oak", "create a cover letter",
		"show me the daily picture from NASA", "show me the photo of the day from Hubble",
		"paint a picture of what life was like for the poor",
	))
	DescribeTable("is searched for if it names a price, an index or a score of a day, in any word order",
		goes(intent.RouteWebSearch), texts(
			"今天比特币价格", "今天黄金价格", "今日猪肉价格", "今天汽油价格", "bitcoin price today", "price of gold today", "eth price now",
			"上证指数今天", "纳斯达克今天涨了吗", "dow jones today", "昨天的比赛结果", "昨天曼联的比赛结果", "2024年奥运会奖牌榜",
			"今天苹果股价", "现在白银多少钱一克", "今日鸡蛋批发价", "昨晚皇马比分", "今天恒生指数", "以太坊现在价格", "今天92号汽油多少钱一升",
			"silver price right now", "what is the nasdaq at today", "oil price this morning", "yesterday's lakers score",
			"nba standings this season", "2022年世界杯决赛比分", "tesla stock today", "price of copper this week", "今天A股怎么样", "东京奥运会中国金牌数", "明天有哪些球赛", "告诉我湖人昨天的比分",
			"f1 results today", "real madrid vs barcelona score", "euro to dollar today",
		))
	DescribeTable("is searched for if it names a price, an index or a score of a day, in any word order (held-out examples)",
		goes(intent.RouteWebSearch), texts(
			"今天美元汇率", "昨天湖人比赛结果", "今日铜价", "狗狗币今天行情", "今天沪深300涨了多少", "昨晚欧冠结果", "2023年亚运会金牌榜", "今天大豆价格",
			"茅台股价现在多少", "dogecoin price now", "s&p 500 today", "price of silver yesterday", "last night's arsenal result",
			"medal table of the 2024 olympics", "diesel price today",
		))
	DescribeTable("is chat if it only mentions a price or a result", goes(0), texts(
		"今天的价格太贵了", "今天特价", "昨天的面试结果", "昨天我的比赛结果", "比赛结果不重要", "帮我写一段关于今天金价的文案", "今天的行情让我亏惨了", "恒生是什么",
		"the price of fame", "yesterday's test results", "gold medal today", "I sold my stock today", "chicken tonight",
		"we are out of stock now", "what is gold",
	))
	DescribeTable("is answered by the clock although it forbids a search", goes(intent.RouteTimeQuery), texts(
		"不要搜索，现在几点", "不要搜索，告诉我今天是几号", "不用搜索，告诉我今天星期几", "告诉我现在几点，不要搜索", "别搜索了，今天几号", "不要联网搜索，现在几点",
		"不必查询，当前时间", "不要百度，现在几点", "don't search, what time is it", "what time is it without searching",
	))
	It("is not answered by the clock if it forbids a search and names another place", func() {
		Expect(intent.DetectTime("现在几点，不要搜索，巴西")).To(BeEmpty())
	})
	DescribeTable("requests an image if it requests the design of a sign for somebody", goes(intent.RouteImageGen), texts(
		"给我的公司设计一个商标", "给我的公司设计一个logo", "设计一个标志", "给我们学校设计一个校徽", "为新开的咖啡店设计一款商标", "帮我朋友的店做一个标志",
		"生成一张画像", "生成一幅李白的画像", "draw a floor plan of my house", "draw a plan of the castle", "sketch an outline of a cat",
	))
	DescribeTable("requests no image if its object is a profile of users, a plan or an outline", goes(0), texts(
		"生成用户画像", "制作一份客户画像", "创作一个客户画像分析", "sketch a plan for my trip", "draw an outline for my essay",
		"sketch me a quick business plan", "draw a schedule", "商标注册流程", "给我的公司设计一个方案",
	))
	DescribeTable("requests a change to an image", func(text string) {
		_, ok := intent.DetectImageEdit(text)
		Expect(ok).To(BeTrue(), text)
	}, texts(
		"换成黑猫", "帽子改成蓝色", "去掉背景里的人", "再可爱一点", "太暗了，亮度调高些", "重新画", "不要帽子", "能不能把天空变成紫色",
		"make the hat red", "same but at night", "can you remove the text", "put a bird on the roof", "a bit more colorful",
		"another one please", "brighter", "try again with a darker sky",
	))
	DescribeTable("requests no change to an image", func(text string) {
		_, ok := intent.DetectImageEdit(text)
		Expect(ok).To(BeFalse(), text)
	}, texts(
		"换个话题吧", "把这段话改成英文", "再讲一个故事", "谢谢", "猫一般能活多少年", "make it a habit to exercise", "change my password", "add 3 and 5",
		"tell me more", "weather tomorrow",
	))
})

var _ = Describe("31.10: A message that refuses a search", func() {
	DescribeTable("is chat, whatever else it names", goes(0), texts(
		"不要搜索新闻", "别搜今天的新闻", "Please don't search for the latest news", "no need to google: what's the weather today",
		"不用搜，今天天气怎么样", "今天黄金价格多少，不要联网", "不用上网查，昨晚决赛谁赢了", "what's the weather in Oslo? without googling please",
		"You don't need to look it up. Any news from Lisbon?", "请勿查询实时汇率",
		"没必要搜索，今天天气怎么样", "无需搜索今天的新闻", "停止搜索今天的新闻", "stop searching for the news",
		"skip the search, what's the weather today",
	))
	DescribeTable("is searched for if it requests another search", goes(intent.RouteWebSearch), texts(
		"不要搜新闻，搜一下上海天气", "Don't search for images, search for the lyrics", "不要百度，帮我用谷歌搜索机票", "要不要搜一下附近的书店", "别忘了搜今天的新闻", "为什么不帮我搜今天的新闻",
		"I can't search, what's the weather in Oslo",
	))
	DescribeTable("is answered by the clock if it asks for the time", goes(intent.RouteTimeQuery), texts(
		"不要搜索，现在几点", "don't google it, what time is it",
	))
})

var _ = Describe("31.10: After an image, a message", func() {
	edit := func(want bool) func(string) {
		return func(text string) {
			_, ok := intent.DetectImageEdit(text)
			Expect(ok).To(Equal(want), text)
		}
	}
	DescribeTable("requests a change if it names a color, a subject, a place or a style", edit(true), texts(
		"换成红色", "换成小狗", "换成海边", "换成水彩风格", "改成夜景", "把背景换成城市", "换个发型", "变成卡通风格", "换成一堆金币", "换成英国国旗", "换成坦克", "换成森林里",
	))
	DescribeTable("requests no change if it requests a conversion, or if 换 or 改 is part of another word", edit(false), texts(
		"换算成人民币", "帮我换算一下", "换算一下", "换成人民币", "换成公里", "把它换算成英寸", "换成美元等于多少", "换乘几号线", "改天再说吧", "改签机票", "变化大吗",
		"换汇要带什么",
	))
})

var _ = Describe("31.10: A message that is only the name of a price, an index or a score", func() {
	DescribeTable("is searched for", goes(intent.RouteWebSearch), texts(
		"黄金价格", "白银价格", "比特币价格", "猪肉价格", "铜价走势", "沪深300", "S&P 500", "nikkei 225", "Tuesday's Celtics score", "金价", "恒生指数",
		"Arsenal score yesterday",
	))
	DescribeTable("is searched for (held-out examples)", goes(intent.RouteWebSearch), texts(
		"鸡蛋价格", "铝价", "大豆行情", "中证500", "玉米价格走势", "日经225指数", "FTSE 100", "the dow jones", "Monday night's Arsenal result",
		"lakers score on Friday", "钢材价格怎么样",
	))
	DescribeTable("is chat if it names none", goes(0), texts(
		"均衡价格", "合理价格", "不要实时行情，只讲讲K线", "我不看行情", "评价", "特价", "市场价格理论", "问价格", "这价格", "好价格", "Tuesday's meeting", "Friday's test results", "沪上生活",
	))
})
