package intent

// searchRows are the ten rule groups of detectWebSearchIntent.
var searchRows = []row{
	// 1: 搜索 as a request, and 搜一下, which is a request by itself
	{rule: "search.1", words: "搜", match: `搜(?:一下|下|搜|一搜|索一下|索下|寻一下|寻看看)`, yes: "这个牌子你搜下", no: "他搜过了"},
	{rule: "search.1", words: "搜", match: `{begin}(?:{soft})*(?:[在到去上用从][^,]{1,8}?)?(?:{soft})*搜(?:[索寻].*|.*)`,
		exclude: []string{`{nosearch}`, `{howto}`, `[用不]了|没反应`},
		yes:     "在淘宝搜索连衣裙", no: "搜索算法的复杂度"},
	{rule: "search.1", words: "搜", match: `{begin}(?:{hail}|{can})*(?:{lead}|{want}|{can}|{well})(?:[在到去上用从][^,]{1,8}?)?(?:{soft})*搜(?:[索寻].*|.*)`,
		exclude: []string{`{nosearch}`}, yes: "帮我在淘宝搜索连衣裙", no: "我想搜集标本"},
	// 2: a day and its news or weather
	{rule: "search.2", words: "今 明 昨 前天 后天", match: `.*{day}.*?(?:{news}|{weather}).*`, exclude: []string{`{remark}`}, yes: "明天北京的天气", no: "今天天气真好"},
	// 3: today, and what happened
	{rule: "search.3", words: "发生 大事 新鲜事", match: `.*今[天日晚早儿].*?(?:发生[了过]?(?:什么|啥|哪些)|[有出]了?[什么啥]+(?:大事|新鲜事)).*`,
		exclude: []string{`不知道发生|猜|什么都|你今天|有没有发生`, `程序|代码`}, yes: "今天发生了什么", no: "今天发生争吵"},
	// 4: latest, and news
	{rule: "search.4", words: "最新 最近 近期 近日 这几天 这两天", match: `.*{latest}.*?(?:{news}|消息|动态|动向|进展).*|(?:最新|最近|近期)(?:进展|情况)`,
		exclude: []string{`[我你他她它们友][的那]?(?:消息|进展|动态|动向)`, `消息[太很好真]多`, `没有?[什么]*(?:消息|进展|动态|动向)`, `[回发收撤]到?消息|消息(?:队列|中间件|提醒|列表|框)`,
			`动态(?:规划|库|图|壁纸|链接|数组|内存|代理|路由|语言|类型|分配|平衡|表情|效果|加载)|[发圈]动态`, `不想看`, `[我你他她它们]最近的?(?:消息|动态)`, `{remark}`}, yes: "最近有什么科技新闻", no: "最近她的消息越来越少"},
	// 5: live data, but not in a software context
	{rule: "search.5", words: "实时 即时", match: `.*(?:实|即)时.*?(?:信息|数据|资讯|行情|路况|汇率|股价|比分|票房|天气|[金油]价).*`,
		exclude: []string{`数据(?:库|结构|流|仓|处理|同步|采集|传输|分析|平台|管道|湖)|信息(?:系统|流|处理)`, `不要|共享|推|同步|采集|传|推送|大屏|看板|渲染|处理|架构|框架|编程|实现|开发|计算|操作系统|通信|通讯`},
		yes:     "实时路况", no: "实时数据库"},
	// 6: trending topics
	{rule: "search.6", words: "头条 热搜 热榜 热点", match: `(?:.*)(?:头条|热搜|热榜|热点).*`,
		exclude: []string{`(?:手机|个人|移动|无线|随身|便携|wifi|wi_fi|蓝牙|开着?|连|连接|打开|开启|关闭|共享)的?热点`, `热点(?:密码|名称|数据|代码|函数|账户|key|区域|开|怎么开|连|共享|关|耗|流量|分享)`, `地幔|wifi|蓝牙`, `头条号|是什么意思|什么叫`, `上了?(?:同城)?热搜(?:了|$)|[买追蹭].{0,4}热[搜点]`, `写.{0,5}[篇段文]`, `别.{0,5}提`, `[太真好]?无聊|不[爱想]看|从来不|讨厌|都是买的`},
		yes:     "打开微博热搜看看", no: "手机热点怎么开"},
	// 7: looking something up online
	{rule: "search.7", words: "联网 上网 网上 全网 网路上 网络上 互联网 百度 谷歌 必应",
		match:   `.{0,4}{net}(?:(?:{soft}|{lead}|{want}|在|去|上|搜索?)*{lookup}|一下|.*?(?:{lead}|{can}).*?{lookup}|.*?[查找]一?[下查]).*`,
		exclude: []string{`^.{0,3}(?:[他她妈爸谁]|老|不让|[早晚]上网|物联)`, `查了|查重`}, yes: "上网查到北京的火车票多少钱", no: "他上网查了查"},
	{rule: "search.7", words: "联网 上网 网上 全网 网路上 网络上 互联网 百度 谷歌 必应", match: `(?:{lead}|{can}).*{net}.*{lookup}`, exclude: []string{`查了|查重`},
		yes: "你能不能上网把来历查清楚", no: "网上买的鞋想退"},
	// 8: a current price, weather or rate
	{rule: "search.8", words: "现在 现时 目前 当前 此刻 此时 眼下 如今 当下 这会 而家", match: `(?:不是?问.*)?{now}.*?(?:{price}|{weather}|外面).*`,
		exclude: []string{`(?:{price}|{weather})(?:[是为在] ?[0-9]|弹性|表)`, `{remark}`, `{price}(?:真|太|也太|这么|那么|很|挺|有点|还行|合理)`, `不是问`}, yes: "现在的黄金价格", no: "现在的价格是20元"},
	// 9: an event in a month
	{rule: "search.9", words: "年", match: `.*{month}(?:[^,]*(?:什么|哪些|谁|哪[几位支家个])|.*{event}).*`, exclude: []string{`[我咱俺他她]`, `(?:星期|周|礼拜)几`}, yes: "2025年9月阅兵", no: "2024年3月入职"},
	{rule: "search.9", words: "年", match: `^{month}(?:[0-9]+[日号])?的?[^,我咱俺他她]{3,}$`,
		exclude: []string{`[入离]职|毕业|出生|结婚|搬家|生日|工资|账单|计划|安排|总结|纪要|日历|[日月周]报|报[告表]|日程|课表|上班|[在去到了学写比]|[周期拜]几`}, yes: "2024年12月韩国戒严", no: "2024年3月的会议纪要"},
	// 10: English.
	{rule: "search.10", words: "search google look browse", match: `(?:no need to )?(?:would you mind (?:searching|looking up)|{ehail}(?:do an? (?:\w+ )?search|search|google|look (?:it |that |this )?up|look online|browse the web))\b.*`,
		exclude: []string{`^(?:ok )?(?:search (?:engine|algorithm|tree|bar|box|function|result|history|quer|term|index|party|warrant|space|is|was|and rescue)|google(?:\.|$| (?:maps?|docs?|sheets|drive|play|cloud|translate|chrome|analytics|ads|schol\w+|colab|forms?|account|pixel|is|was|has|meetings?|interviews?|(?:\w+ )*(?:are|got)|docs)\b)|search (?:your|my) (?:heart|soul|memory|feelings))`,
			`look up to\b`, `(?:ok|okay|hey) google(?:$| i )`, `search (?:for )?(?:the |this |my )?(?:paragraph|text|code|list|string|array|document|essay)\b`, `in this$`, `no need to`},
		yes: "could you quickly search for hotels in Rome", no: "binary search in Go"},
	{rule: "search.10", words: "latest breaking", match: `(?:^(?:{eopen} )*(?:the )?|[^\x00-\x7f]|\b(?:{eask})\b.*?)(?:\w+ )?(?:latest|breaking news).*`,
		exclude: []string{`(?:my|our|his|her|your|their|at the|'s) latest`, `latest \w+ (?:broke|ruined|sucks|killed|bores|made|crashed)\b`, `^(?:the )?latest .* (?:is|was|are)\b|latest (?:date|time|day|commit|tag|draft|branch|joke)`}, yes: "what's the latest on the strike", no: "my latest haircut"},
	{rule: "search.10", words: "news weather headline forecast price rate",
		match:   `^(?:(?:{eopen}) )*(?:(?:the|local|world|tech|sports?|today's|tomorrow's|weekend) )*(?:(?:stock prices?|exchange rates?).*|{etopic})(?: (?:today|tomorrow|tonight|now|in|for|this|at|on|report|update|please|pls|plz|about|forecast|near)\b.*|$)|^(?:current|live|today's) (?:\w+ ){0,3}(?:prices?|rates?|weather|scores?|news|traffic)\b.*`,
		exclude: []string{`\b(?:is|was|are|has|looks|feels|seems|sucks|makes)\b`, `(?:good|bad|no|great|fake) news`}, yes: "weather tomorrow", no: "the weather is lovely"},
	{rule: "search.10", words: "news weather headline forecast price rate",
		match: `(?:^|[^\x00-\x7f]|.* )(?:{eask})(?: [\w',.]+){0,5}? (?:{etopic}|(?:current|live|today's) (?:\w+ ){0,3}(?:prices?|rates?))\b.*`,
		exclude: []string{`what (?:a|lovely|nice|great|awful|terrible|beautiful)\b`, `(?:good|bad|no|great|fake|big|sad) news|news from (?:your|you|my|him|her|them|mom|mum|dad)\b`, `under the|weather the`, `^(?:i (?:[^wn]|was|wa[^n]|went|will|never)|(?:i'll|i've|i'm|we|he|she|they|it|my|our|people|everyone)\b)`,
			`\b(?:joke|poem|story|song|essay|haiku|difference|mean|idioms?|word|sentence|quote|think|believe|you like|feel|love|article|makes?|channel)\b`},
		yes: "what is the weather in Oslo", no: "I love this weather"},
	{rule: "search.10", words: "rain snow", match: `\b(?:will|is|does) it (?:going to |gonna |likely to )?(?:rain|snow)`, yes: "will it rain in Boston tonight", no: "I hate rain"},
}
