package intent

import "evalctl/agent/toolrouter/nearday"

// classes are the word classes: {name} in a pattern matches any of these words. Words are separated
// by spaces; _ is a space within a word.
var classes = map[string]string{
	// Words before the verb of a request.
	"begin": `^(?:[^,]*,)?`,
	"soft": `嗯 哈喽 哈啰 你好 您好 嘿 嗨 好的? 好吧 那么? 这次 这回 现在 今[天晚早年日] 明[天晚早] 周末 早上 上午 中午 下午 傍晚 晚上 时分 [春夏秋冬][天日季] 然后 接着 最后 另外 顺便 快点? 赶紧 立刻 立即 马上 直接 先 就 再 也 还
		重新 继续 随便 一键 自动 开始 只 都 ok okay hi hey hello`,
	"lead":    `请 帮我 给我 替我 为我 帮忙 帮俺 给俺 [帮给替为]我们 [帮给替]咱们? 帮帮忙 麻烦 劳烦 劳驾 拜托 来`,
	"want":    `我?想要?看?你? 我?要 我?需要 求 我?希望(?:有|能)? 让 叫 你 您 [让请叫][你您] 要不要 去 用ai 帮 给 一下 试着 尝试 不如 来`,
	"can":     `可以 能 能够 能不能 可不可以? 能否 可否 会 会不会 可以的话`,
	"well":    `(?:好好|认真|仔细|慢慢|快速|简单|精心|用心|随意|细细|静静|偷偷|悄悄|尽快|大胆|自由)[地的]?`,
	"hail":    `{soft} {lead} {want} {well} [^,画生]{1,6}地`,
	"between": `{soft} 请 帮我 给我 我?想 我?要 你 您 帮 可以 给 用 去 在 到 上 网上 联网 上网 吧`,
	"means":   `(?:[用以拿给帮为替让把将按照]|照着|按照|根据|参考|结合|凭)[^,]{1,20}?`,
	"dont":    `(?:^|[^特级区分个识类性告离辨差鉴派])别 (?:^|[^要用想会能])不(?:要|用|想|必|需要|许|准|该|是(?:让|叫|要)你) 请勿 勿 甭 禁止 没(?:让|叫|要|请)你 谁(?:让|叫|要)你`,
	"cannot":  `don't do_not dont never cannot can't can_not couldn't won't unable_to not`,
	"verb":    `画 绘 生成 制作 创作 设计 联网 上网 搜 查 \b(?:draw|paint|sketch|generate|create|make|search|google|look_up|browse)`,
	"howto":   `[什哪][么个款些](?:软件|工具|网站|app|ai|模型|平台) 怎么 怎样 如何 为什么 为何 学习 学会 学画 学着 教我 教你 教人 喜欢 热爱 爱 擅长 正在 经常 总是 从小`,
	"end":     `(?:吗 吧 么 嘛 了 呢 啊 呀 哦 啦 哈 呗 哟 嘞 喽 的 一下 可以 行 好 你 您 不 谢谢你?)*$`,

	// Words in requests for images.
	"some":    `[0-9一二两三四五六七八九十百几多数半]+`,
	"count":   `[张幅副只个条朵棵座匹头位名件群片套组辆艘架栋幢间双对款枚颗份些种株根尊扇把面轮道束团堆排粒滴块瓶杯碗盘盏顶枝支本页格部台版]`,
	"sole":    `[张幅副只个条朵棵座匹件群套辆艘栋幢双款枚颗些株根尊扇把轮束团堆排块瓶杯碗盘盏枝支片]`,
	"make":    `生成 制作 创作`,
	"caption": `[标主]?题[目为是叫写]+ 上?[面里]?写[着上有一] [名字叫][为做是] 文字[为是] 内容[为是] 字样`,
	"pic": `图(?:片|像|案|标|画)? 插画 画[面作卷]? 照片? 相片 写真 素描 线稿 涂鸦 [头肖人塑雕影佛石铜神蜡]像 海报 壁纸 封面 桌面 表情包? 贴纸 明信片 贺卡 请柬 邀请函 名片 徽[标章] [班校院会队厂店国]徽 商标 标志 手抄报 插图 logo
		banner [风夜雪海街全]景 场[景面] 景[象色观]`,
	"nopic": `书 灵 谱 层 文 解 论 数据 神经 形 腾 注册 侵权 权 法 局 着 位 性`,
	"chart": `
		(?:饼状?|[柱条]形|[柱树]状|折线|曲线|散点|直方|雷达|热力|箱线|漏斗|[流过]程|架构|[时序]序|序列|类|用例|状态|活动|泳道|e_?r|甘特|拓扑|结构|关系|鱼骨|脑|导|原理|电路|框|示意|平面|三视|剖面|原型|网络|[趋走]势|分布|统计|数据|对比|韦恩|k线)图
		图[表纸] uml mermaid k线 知识图谱 时间[轴线] 坐标[系轴] 数轴 [^水]曲线 抛物线 辅助线 函数图像? 决策树 二叉树 受力分析 表格`,
	"text": `{profile} 代码 命令 仓库 程序 程式码? 脚本 函数 算法 接口 正则(?:表达式)? 用例 注释 变量 [表订]单 配置 模[板型] 组件 网[页站址] 页面 sql json xml yaml html css csv api 文[本字章案档稿件] 报[告表] 纪要
		会议[记通][录知] 摘要 列表 清单 目录 [大提]纲 标[题签] 段落 句子 词语 内容 信息 总结 概要 小说 诗[歌词]? 古诗 作文 散文 论文 剧本 [台歌]词 对联 笔记(?:[^本]|$) 日[记志] 评论 [邮信]件 简历 稿子?
		方案 计划书? 策略 建议 步骤 教[程案] 说明书? 介绍 描述 提示词 口号 广告[词语] [周日月年]报 合同 协议 条款 题目 试[题卷] 练习题 问题 答案 回复 对白 翻译 名字? 昵称 用户名 [菜食]谱 行程 攻略 课件 ppt
		word excel pdf markdown prompt 绝句 律诗 议程 发言 祝福语? 朋友圈 笑话 谜语 段子 知识点 案例 例子 读后感 数据集?库? 时间戳 密码 随机数 数[字列组] 序列号? 编号 二维码 条形码 [验激邀][证活请]码 哈希
		[密公私]钥 令牌 短?链接 签名 证书 矩阵 向量 统计 账[号单] 发票 uuid guid token url 音[频乐效] 歌曲 曲子 乐谱 旋律 铃声 语音 声音 配音 mp3 方法 技巧 短?视频 [影短]片 电影 动画片? mp4 故事 沉淀 反应
		× [划程间格课]表 表格 模拟卷 维生素.? 二氧化碳 氧气`,
	"profile": `(?:用户|客户|顾客|人群|受众|消费者|买家|会员|粉丝|玩家|读者|观众|学生|学习者|员工|人才|岗位|企业|市场|群体)的?画像(?:分析|标签|体系|模型|系统|平台)?`,
	"atend":   `(?:{text}|[歌首句话语词题稿诗])(?:[0-9]+[条个篇份])?{end}`,
	// Signs that a word such as 画 is not the verb of a request: the message ends, or the word is
	// part of a noun or statement.
	"says": `{end}$ 是 怎 什么 啥 哪 吗 很 太 真 挺 多[久少] 几[点岁号] 如何 为[什啥] 有 要 需 和 与 会 能 不 没 就 越 [这那] 保存 原理 生平 .*(?:是[哪谁什]|什么|怎么|怎样|如何|哪[里个些国]|多少|意思|要不要|吗$)`,
	"noun": `(?:[家展廊册稿材技坛派舫院框卷意师室笔布板质风法工纸报皮具架本集轴屏眉中里押符上面作]|外[音面])(?:{says}|了|对|的[^士]) 片$ 片[的怎多是收] 饼(?:{end}$|的) 蛇添足 龙点睛 地为牢 虎[不类] 地图的 画?{end}$ 风突变 评`,
	"told": `的[^士确] 得(?:[真很太挺好怎比越像再]|不[好错行]|这么|那么|有点|一般) 了(?:[^不凡]|$) [好错完成](?:{end}$|[了没吗后的]) 过(?:{some}|什么|的|{end}$|.*[吗没]$) 着(?:玩|画|呢|{end}$) [到起](?:[了哪一什来]|{end}$)
		没(?:画|{end}$) 不(?:[画好了出完来成]|{end}$) 就(?:画|算|不|行|好|可以) (?:什么|[啥谁])[^的]*$ 在[^的]*[上里中哪][^的]*$ 之?[前后](?:{says}|[我你先再]) 面感(?:[强好弱的]|{end}$)`,
	"idiom": `(?:一?[个下])*(?:.*的)?(?:重点|大?饼|等号|句号|红线|押|符|十字|[淡浓]?妆|眼线)(?:{says}|啊|呗) 大?饼的`,
	"visit": `[请来]画[家师室廊院展舫](?:{says}|[吃来题上做到给帮讲教去看找坐玩逛学报参集见们吧])`,

	"formed":    `的[^士确] 了(?:[^不凡]|$) 不[了出好来成] 得[很太真比] [很太][慢快差糊] 对抗网络 式(?:人工|ai|模型|{says}|的) 树协议 (?:过程?|完|好|出来?|失败|成功|速度|结果|效果|质量|时间|方式|原理|能力|功能|错误|器|树|函数|元|模型|物|率|热|中|时|[之以]?[前后])(?:{says}|了|的[^0-9]{0,6}$)`,
	"about":     `失败 报错 [太很]慢 多久 多少钱 收费 怎么 为什么 因为 侵权 版权 原理 是什么 有什么 在哪 哪[个里些几] 区别 教程 用什么 软件 推荐 老是 总是?[画歪] 练习 办法 [好很太]难 难不难 叫什么 叫啥`,
	"editother": `话题? 英[文语] 中文 密码 代码 文[章案字件] 故事 笑话 诗 标题 句 词 题目 [讲说聊问查搜想听唱] 解释 怎么 为什么 什么 为啥 哪 多少 名字 计划 邮件 简历 工作 手机 [他我]们?(?:的|今|想|改|换|要|加) 朋友圈 心情 衣服是 主意`,
	"notedit":   `换[算汇乘届班岗药季言位] 换[成为]?(?:.*等于|(?:多少|几)?(?:{unit}|{currency}){end}$) 改[天日期签编革进善良口] 变[化更量压速] [兑折]换`,
	"unit":      `[公英海]里 [公英]?[斤尺寸吨亩磅] 公顷 [厘毫千]?米 [千毫]?克 [摄华]氏度? [美英公]制 .{1,2}进制 单位 平方.* 小时 分钟 字节`,
	"nodraw":    `{visit} {profile} 绘[画本] {chart}(?:[^的]*|的?{end})$ 的{atend}$ 的时候 画{idiom} {about} {code}`,
	"code":      `mermaid plantuml 语法 \b(?:ascii|css|html|svg|canvas)\b 代码[^的]*$`,

	// Words in English requests.
	"easks": `please kindly (?:can|could|would|will|can't|couldn't)_(?:you|ya) (?:i'd_(?:like|love)|i_would_(?:like|love)|i_want|i_need|we_need|want|need)(?:_you)?_to help_me(?:_to)? let's lets let_us
		use_ai_to go_ahead_and how_about_you don't_forget_to try_to`,
	"eopen": `please kindly and then also just ok okay hey yo hi hello well now so quickly quick maybe next first here but siri alexa for_me again perhaps possibly lol`,
	"ehail": `(?:\b{easks}_|^|,|[^\x00-\x7f,])(?:{eopen}_)*`,
	"edraw": `(?:draw|paint|sketch|doodle)`,
	"emake": `generate create make produce render design illustrate (?:would_you_mind_)?(?:making|creating|generating) draw paint sketch`,
	"epic":  `(?:picture|pic|image|photo|photograph|illustration|logo|poster|wallpaper|drawing|painting|sketch|portrait|artwork|icon|avatar|cartoon|banner|meme|sticker|watercolor|watercolour|mural|(?:digital|pixel|concept|line|wall|fan)_art|cover_art|cover|(?:birthday|greeting|christmas|wedding|valentine)_card|colou?ring_page)s?`,
	"estop": `of with which that who to for from in on at by into onto about against between because when while if so sure use function script program class api application website webpage page site html
		css list table report plan budget schedule presentation database directory docker iso disk system boot vm user users button backup mirror copy decision sense code story essay password dataset not
		until till model classifier component gallery folder upload file is are was mental big bigger full clear`,
	"etext": `text code essay story password process\w* classif\w* caption\w* gallery viewer editor upload\w* album file\w* format tags? urls? links? descriptions? search recognition dataset generator
		model loader component slider carousel prompts? path folder size library app frame titles? names? ideas? day shoot (?:\w+_)?(?:policy|policies|guidelines?|guides?|requirements?|rules|specs?|specifications?|contract|brief|checklist) of_how for_success`,
	"ecode":      `(?:in|with|using|via)_(?:css|html|svg|python|javascript|js|matplotlib|turtle|ascii|java|latex|tikz|canvas|mermaid|plantuml)`,
	"elook":      `brighter darker lighter bigger smaller larger warmer cooler softer sharper closer wider thinner thicker longer shorter taller older younger happier sadder cuter prettier simpler fluffier`,
	"eeditother": `\b(?:habit|poems?|emails?|list|code|essay|story|paragraph|sentence|answer|explanation|jokes?|translat\w+|password|my|your|dishes|math|numbers?|work|shorter_version|text_message|recipe|plan|function|calendar|reminder|playlist)\b`,
	"eoutline":   `(?:{edraw})_(?:me_|us_)?(?:(?:an?|the|some|my|our)_)?(?:(?:rough|quick|simple|detailed|short|brief|basic|general|new|better|high_level|travel|trip|business|project|marketing|lesson|study|work|career|training|weekly|monthly|daily)_)*(?:plans?|outlines?|strateg(?:y|ies)|itinerar(?:y|ies)|proposals?|agendas?|schedules?|budgets?|summar(?:y|ies)|overviews?)(?:$|_(?:for|to|on|about|how|that|with)\b|_of_(?:my|our|the)_(?:trip|project|essay|talk|book|article|week|day)\b)`,
	"ealready":   `cover_(?:letters?|pages?|sheets?|notes?|versions?|charges?) paint(?:ing)?_(?:me_|us_)?a_picture_of_(?:what|how|why|life)\b`,
	"echart":     `(?:pie_|bar_|line_|flow_?|gantt_|org_)?charts? graphs? diagrams? plots? timelines? (?:decision|binary)_trees? mind_?maps? uml circuits? flowcharts?`,
	"efigure":    `(?:conclusion|inference|comparison|parallel|distinction|attention|breath|salary|inspiration|strength|blood|curtain|bath|blank|lot|analogy|analogie|boundary|boundarie|straw|pension|wage|ire|criticism|interest|support)s?(?:$|_(?:from|to|about|that|on|between|under|at|in|for|and|with|by)\b) lines?_(?:between|under|in_the_sand|at)\b (?:lessons?|fire)_from\b`,
	"eask": `what what's whats who who's which any show tell give get find check read i_want i_need i'd_like can_you could_you how's how_is hows is_there are_there do_you_have do_you_know let_me_know
		pull_up catch_me_up please how_will will is_the provide need`,
	"etopic": `news weather headlines? forecast stock_prices? exchange_rates? news_headlines?`,

	// Words in requests for a web search.
	"refuse":  `{dont} 没有?必要 [无毋][需须] 停止 不再`,
	"erefuse": `don't dont do_not never needn't need_not no_need_(?:for_you_)?to not_to without avoid stop skip_(?:the|your|any)`,
	"esearch": `search searching google googling brows(?:e|ing) look(?:ing)?_(?:it_|that_|this_|anything_)?up us(?:e|ing)_(?:google|the_(?:web|internet)) go(?:ing)?_online`,
	"day":     `今[天日晚早晨儿夜] today 今儿个 今个儿 今朝 ` + nearday.ChineseDayNames(),
	"weather": `天气 气温 会不?会?下[雨雪] 下[雨雪][吗么] 有没?有?[雨雪] 多少度 几度 冷不冷 热不热 冷吗 热吗 降温 weather`,
	"remark": `天气(?:可?真|太|也太|这么|那么|好[热冷得到棒舒闷美晒好]|不错|很|挺|超|特别|像|有点|一[热冷变]|变|转|让|把) 鬼天气 新闻(?:系|学|专业|传播|写作|发言|体|稿|记者|里?[说讲]|上说|看)
		[在边爱他她妈爸]看[了完到]?新闻 没[有什么]*新闻 讲天气 天气[和我] 天气要是 天气不[太大怎好] 天气[冷热][得死] 预报说 看新闻了 看[了完到].*新闻 天气应该`,
	"news":   `新闻 资讯 快讯 要闻 时事 报道 news`,
	"latest": `最新 最近 近期 近日 这几天 这两天`,
	"now":    `现在 目前 当前 此刻 眼下 如今 当下 这会儿? 此时 现时 而家`,
	"price":  `价格 价钱 [股金油房菜币票售市报]价 汇率 利率 行情 路况 股市 多少钱`,
	"month":  `(?:^|[^0-9])[0-9]{4}年(?:1[0-2]|0?[1-9])月 (?:^|[^零一二三四五六七八九十])[零一二三四五六七八九]{4}年(?:十[一二]?|[一二三四五六七八九])月`,
	"event": `事件 新闻 发生 大事 发布会? [比大]赛 赛事 冠军 决赛 选举 大选 地震 洪[水灾] 台风 [冬残]?奥(?:运会?|会)? [冬亚]运会? 核污水 航[天展] 登月 [开闭]幕 [大峰]会 世界杯 演唱会 上映 战争 冲突
		会议(?:[^纪室]|$) 政策 新规 条例 公告 活动(?:[^量室]|$) [展车书]展会? 展会 广交会 进博会 马拉松 [音电][乐影]节 财报 暴[雨雪] 流星雨 [日月]全?食 停[工课] 诺贝尔 披露 通报 出炉 出来了?没?吗? 夺冠
		获奖 颁[给奖布] 事故 疫情 空难 上市 公布 政变 袭击 爆炸 火灾 罢工 发射 裁员 收购 并购 出台 热点 阅兵 两会 春晚`,
	"lookup":   `搜索?寻? 查询?找?(?:[^了过重处封获出着到]|$) 查出来 查到(?:[^了过的一这说很有]|这[本个家部款]|$) 检索 找一下 找找`,
	"nosearch": `搜[索寻]?(?:的[^士卢确]|了(?:[^不凡]|$)|过(?:{says}|{some}|的)|(?:引擎|算法|框|栏|结果|功能|二?叉?树|历史|记录|空间|页|排名|广告|优化|词|量|按钮|接口|服务|系统|技术|策略|效率|速度)(?:{says}|的|时)) 搜[查救集身刮狐狗到](?:{says}|[了的令队犬民]|行动|新闻|视频|输入|拼音|资料|信息|标本|证据)`,
	"net":      `联网 上网 网上 全网 网路上 网络上 互联网上? 百度 谷歌 必应`,

	// Words in questions about facts that change, and words of questions that only resemble them.
	"ask":      `[吗呢嘛啥谁几] 什么 哪[天个里些儿家年支队位一]? 多少 怎么样 怎样 咋样? 如何 何时 多[大高冷热久长远贵堵快糟低慢挤拥潮] [有没]没?有 [不没]$ [赢输涨跌降升到开来下出完]没  没有$ 么$ 吧$ 还是 {anota}`,
	"anota":    `会不会 有没有 是不是 要不要 用不用 需不需 能不能 该不该 冷不冷 热不热 堵不堵 下不下 晴不晴 涨没涨 贵不贵 好不好`,
	"skyask":   `[吗呢嘛几] 哪[天些个] 多少 [怎咋]么?样 如何 什么(?:样|情况|天|时候) 啥(?:样|情况|天|时候) 多[高大冷热久低潮] [有没]没?有 [不没]$ 没有$ 么$ 吧$ 还是 下没下 {anota}`,
	"show":     `^(?:你|您|我|想|要|请|能|不|可以|可不|吗|帮|给|麻烦|快|再|先|现在|今天|嘿|好|[a-z]+)*(?:查|看|告诉|报|给我|播|说|了解|知道|显示|提供|列出|打开|调出|关注|读|听|获[取得]|搜|找|通知)`,
	"plain":    `[^我你您他她它写画讲是]`,
	"timeless": `为什么 为何 什么是 是什么意思 啥意思 什么意思 什么叫 意思 区别 原理 影响 形成 解释 定义 翻译 造句 英[文语] 写 作文 文章 诗 故事 小说 [首唱儿听]歌 歌[词曲手] 台词 画 代码 程序 函数 算法 模型 怎么(?:写|做|学|说|读|用|设|改|办|算|炒|放松|防|选|练) 怎么$ 历史上 发明 起源 由来 概念 如果 假如 要是 适合 推荐 建议 技巧 喜欢 讨厌 最爱 心情 笑话 祝福 提醒 闹钟 记得 名字 教我 猜 差在 不同 一回事 都一样 谁问 别[^的]*提 不想 上河图 准[吗不] 好玩 好笑 秤 准备 该不该买 值得 请假 日程 日历 安排`,
	"personal": `^我?(?:不(?:要|想|看|关心|需要)|别[^墅的]) ^我(?:想|要|希望)?(?:吃|睡|去|买|做) 我(?:妈|爸|家|朋友|同事|老板|女|男|觉得|感觉|昨天|刚|已经|最近|都|一直|也|又|还|很|好|真|太|跟|和) 你(?:会|们|觉得|喜欢|是|冷|热|怕|有|家|多) [他她它] 你今天 你听[到说] 你看到`,
	"sky":      `天气 气温 温度 气象 预报 下雨 下雪 有雨 有雪 雨天 雪天 下大?[雨雪] 刮风 有风 大风 台风 暴风?[雨雪] 雷雨 降[雨雪水温] 空气质量 雾霾 紫外线 湿度 [冷热][吗不还么] 多[冷热] 天.{0,2}[冷热] 晴[天朗] 阴天 多云 阵雨 结冰 上冻 最[高低]温 暖和 凉快 潮湿 [今明后]天天 [^今明后每聊]天(?:怎么|怎|咋)样 几度 多少度 带伞 雨伞`,
	"gear":     `(?:[要用该得能]|需要|可以|应该|有必要).{0,6}(?:[带穿打涂拿备戴抹擦]|撑).{0,5}{wear}.*{ask}`,
	"wear":     `伞 外套 雨[衣靴鞋] 羽绒服 大衣 毛衣 防晒 秋裤 靴子? 围巾 手套 帽子 短[裤袖] 棉袄`,
	"forecast": `天气(?:预报|报告|情况|状况|信息|详情)? 气温 气象预报 空气质量`,
	"indoor":   `[水油体室炉锅茶奶]温 水的?温度 烤箱 沸 冰箱 空调 发烧 处理器 cpu 显卡 电池 热[量点搜爱情门狗水] 冷[笑门静战漠藏水] 风[格险景筝扇味] 雪[糕碧人] 吹风 感冒 手机 热[身销]`,
	"quote":    `股[价票市份] 大盘 道指 {index} {coin} 汇率 兑换率 利率 [金银油铜币]价 房价 票价 开盘价? 收盘价? 市值 指数 行情 比特币 以太坊 黄金 报价`,
	"index":    `(?:上证|深证|沪指|深成指|沪深|中证|创业板|科创板?|恒生|恒指|国企指|[a港美日韩]股|纳斯达克|纳指|道琼斯|标普|日经|富时)[0-9]*`,
	"coin":     `狗狗币 莱特币 瑞波币 柴犬币 稳定币 加密货币 数字货币 \b(?:btc|eth|doge|sol|xrp|usdt|bnb)(?:$|[^a-z])`,
	"pricetag": `价格 价钱 [^评特涨降减代等讨还标议压半原定高低讲砍单总身加提造物]价 物价 行情 指数 净值 汇率 利率 涨幅 跌幅`,
	"goods":    `[金银铜铁铝锌铅镍锡锂铂钯钢煤油气电米粮麦豆棉糖猪牛羊鸡蛋肉菜房]价 [^价我你您他她咱写画讲说是不没]{1,6}(?:价格|价钱|行情)`,
	"nogoods":  `合理 均衡 相对 影子 名义 [不可]变 转移 歧视 优惠 最[低高] [原好低高这那啥问谈讲砍降涨定看比查询跟和了的]价 市场价 商品 服务 产品 单位 生产 消费 弹性 影响 水平 机制 理论 垄断 供 需 价格.*价格`,
	"trend":    `的? 走势 涨势 情况 变化 查询 是?多少 怎么?样 咋样 如何 [涨跌]了?多?少?`,
	"when":     `{day} {now} 今早 今晨 本[周月] 这[个]?[周月] 上[周月] 近期 最近 最新 实时`,
	"contest":  `比赛 球赛 [决初预复季]赛 赛事 联赛 锦标赛 大奖赛 公开赛 世锦赛 对决 [世欧亚美足金]洲?[界冠总]?杯 欧冠 亚冠 英超 西甲 意甲 德甲 法甲 中超 中甲 nba cba wnba 奥运会? [亚全残冬]运会? f1 {team}`,
	"team":     `[男女国][足篮排乒]队? [一-龥]{1,4}队 皇马 巴萨 马竞 曼联 曼城 利物浦 阿森纳 切尔西 热刺 拜仁 多特 尤文 国米 [ac]*米兰 大巴黎 国安 申花 泰山 湖人 勇士 凯尔特人 快船 尼克斯 热火 火箭 雄鹿 马刺 掘金 独行侠`,
	"board":    `(?:奖牌|金牌|积分|射手|助攻|得分|排名)榜 [金银铜奖]牌数 战报 赛果`,
	"currency": `[美欧日加澳港韩大]元 [英苏]?镑 人民币 加币 台币 港币 日币 卢比 卢布 比索 泰铢 韩币 法郎 克朗 里尔 迪拉姆 新币 外币 货币`,
	"sum":      `一共 总共 花了 借 欠 工资 挣 赚 打[几八九]?折后 利润 存了? 每[个斤只]多少钱 小明 应该给 零花`,
	"software": `推送?实时 [前后]端 客户端 接口 架构 框架 编程 实现 开发`,
	"ride":     `火车 高铁 动车 地铁 公交 大巴 班车 轮渡 渡轮 [轮游]船 列车 车次 飞机 航班 [a-z]{1,2}[0-9]{2,4} 末班车 首班车 车票 机票`,
	"leave":    `几点 几时 什么时候 何时 时刻表? 时间(?:表|是) 的时间 晚点 延误 准点 准时 最早 最晚 末班 首班 下一?[班趟条] 最近一班 票 起飞 降落 停运 出发 到达 取消 有没有 班次 多久 多长 的时间 时间 离开 (?:有|到|来|开|走|停).{0,12}吗`,
	"headline": `新闻 头条 热搜 要闻 快讯 时事`,
	"festival": `[^细季调章环情关时]节 除夕 元旦 国庆 清明 冬至 夏至 立[春夏秋冬] 农历 阴历 高考 放假 调休 日出 日落 中秋 端午 圣诞`,

	"eopener":    `(?:{eopen}|excuse me|so|hey google|alexa|siri|olly)_`,
	"eq":         `(?:what what's whats how how's hows is are was were will when when's where who who's whos did do_i does has have should_i any anything which can_i tell_me give_me show_me show check get get_me find read need i_need i_want i_wanna i'd_like i_would_like i_must let_me_know (?:can|could|would)_(?:you|i) do_you_know do_you_have please update pull_up bring_up am_i will_i do_you_mind notify_me look_up inform_me keep_me any_idea are_there is_there there provide list report display open)\b`,
	"eshort":     `(?:release_dates?|(?:{emarket}|{egoods})_(?:prices?|quotes?)|weather(?:_(?:forecast|report|conditions?|update))?|forecast|temperature|(?:stock|share|gas|gold|oil|fuel|petrol)_prices?|exchange_rates?|dollar_rates?|traffic(?:_(?:report|conditions?|updates?|status|map))?|news|headlines|scores|standings|fixtures|(?:train|flight|bus|ferry)_(?:times|schedules?|status|timetables?|arrivals|departures))`,
	"estatement": `\b(?:i|i'm|i've|he|she|they|we|you|my|his|her|our|have|has|had|is|was|are|were|gets?|got|nice|lovely|great|good|bad|big|sad|fake|under|love|hate|like|no|not|the_weather|this_weather|because|and|so)\b`,
	"ewhere":     `(?:in|for|of|to|on|at|near|around|from|over|between|about|today|tomorrow|tonight|now|right_now|this|next|the|please|report|update|yesterday)\b`,
	"etimeless":  `\b(?:why|differences?|means?|meaning|explain|defin\w+|poems?|stor(?:y|ies)|songs?|lyrics|essays?|write|jokes?|words?|spell|translate|say|causes?|caused|affects?|favou?rite|history|invent\w+|best|in_general|learn|recipe|your|draw|paint|code|function|script|quote|movie_quote|synonym|called|form|formed|how_\w+_works?|reminder|remind|alarm|calendar|meeting|schedule_a|playlist|how_(?:do|can|should|to)_(?:i|you|we)?|how_does|how_to|what_(?:is|are)_an?|what's_an?|if_i_were|tips|recommend|suggest|my_(?:bill|account|card|balance|credit|bank|salary))\b`,
	"epersonal":  `\b(?:do_you_(?:like|feel|think|love|hate|get)|you_(?:like|feel|think|love|hate)|are_you|i_(?:love|hate|like|feel|think|am|was)|i'm|you're|makes_me|feels?_like|like_to|my_(?:friend|mom|dad|wife|boss|dog|cat|car|phone|name))\b`,
	"esky":       `(?:weather|forecast|temperatures?|temp|rain|raining|rainy|snow|snowing|snowy|humid|humidity|windy?|umbrella|(?:hot|cold|warm|cool|chilly|freezing|nice)_(?:outside|out|today|tomorrow|tonight|in|this|right_now|at)|how_(?:hot|cold|warm)|(?:degrees?|it)_(?:outside|out)|degrees_(?:in|is)|raincoat|sunscreen|sunblock|(?:sun|rain)_(?:going|gonna)|shine|colder|warmer|hotter|(?:need|wear|bring|take|pack)_(?:(?:an?|my|the)_)?(?:\w+_)?(?:jacket|coat|sweater|hat|gloves|scarf|boots|shorts|umbrella|brolly)|pollen|climate_like|smog|storms?|tornado(?:es)?|hurricanes?|sunny|cloudy|air_quality|uv_index|meteorological)`,
	"equote":     `(?:stocks?|stock_prices?|share_prices?|shares|exchange_rates?|currency_conversion|conversion_rate|currency|forex|(?:gas|gold|oil|silver|house|ticket|fuel|bitcoin|btc|opening|closing)_prices?|prices?_(?:of|for)|the_price|bitcoin|btc|ethereum|dow_jones|nasdaq|s_p_500|trading_at|trading_for|going_for_(?:today|now|right)|how_much_(?:is|are|does|do|for)|(?:worth|cost)_(?:right_now|now|today|these_days)|market|dollar_rate|rates?|mortgage_rates?|interest_rates?)`,
	"emarket":    `(?:gold|silver|platinum|palladium|copper|nickel|zinc|aluminum|lithium|uranium|(?:crude|brent)(?:_oil)?|wti|oil|bitcoin|btc|ethereum|ether|eth|solana|dogecoin|doge|xrp|litecoin|cardano|bnb|crypto(?:currency)?|{eindex})`,
	"eindex":     `(?:dow(?:_jones)?|nasdaq(?:_100)?|s_(?:and_)?p(?:_500)?|sp500|ftse(?:_100)?|dax|nikkei(?:_225)?|hang_seng|kospi|sensex|nifty(?:_50)?|cac_40|russell_2000|shanghai_composite|csi_300|stoxx(?:_600)?|asx(?:_200)?|stock_market)(?:_index)?`,
	"egoods":     `(?:gas|natural_gas|gasoline|petrol|diesel|fuel|electricity|coal|steel|iron_ore|lumber|wheat|corn|soy\w*|rice|coffee|cocoa|sugar|cotton|milk|butter|eggs?|beef|pork|chicken|house|home|property)`,
	"ewhen":      `(?:today|yesterday|(?:right_)?now|currently|this_(?:morning|afternoon|evening|week|month)|tonight|last_(?:night|week|weekend)|(?:on_|last_|this_)?{eweekday}(?:_night)?|at_the_moment|(?:at_)?(?:the_)?(?:close|open))`,
	"eweekday":   `(?:mon|tues|wednes|thurs|fri|satur|sun)day`,
	"ecurrency":  `(?:us_|u_s_)?(?:dollars?|usd|euros?|eur|yen|yens|pounds?|sterling|gbp|g_b_p|pesos?|rupees?|inr|rubles?|cad|u_s_d|franks?|francs?|lira|won|yuan|renminbi|rmb|dirham|krone\w*|krona|riyal|krugerrands?|czk)`,
	"escore":     `(?:score|scores|(?:win|won|beat|lose|lost|playing|play)_(?:last|yesterday|today|tonight|the_(?:game|match|series|final|championship|world|super|election)|against|in_the|this|on)|(?:win|lose)$|winning_numbers|results?_of_the|(?:game|match)_(?:last|tonight|today|yesterday|start|on|begin)|standings|playoffs?|league|champions?|championship)`,
	"eride":      `(?:trains?|flights?|planes?|bus|buses|ferry|ferries|subway|metro|amtrak)`,
	"eleave":     `(?:leaves?|depart\w*|arriv\w*|next|first|last|times?|when|status|late|delayed|delays?|on_time|land|lands|landed|landing|tickets?|schedules?|timetables?|running|run|cancel\w*|board\w*|coming|get_in|get_here|getting_here)`,
	"etraffic":   `(?:traffic|congestion|congested|accidents?_on|roadworks|road_?blocks?|roads?_(?:closed|clear|open|looking)|roads_(?:like|bad)|gridlock|traffic_jams?|backed_up|delays_on|commute|accidents|roadblocks|expressway)`,
	"eself":      `how_(?:hot|cold|warm|humid|windy)_(?:is|will|was)|who_(?:won|is_winning|beat|lost)|how_much_(?:is|are|does|do|did)_(?:\w+_){1,5}?(?:cost|costs|worth|go_for|going_for|selling_for|these_days|now|today)`,
	"efestival":  `(?:christmas|easter|thanksgiving|diwali|ramadan|eid|hanukkah|halloween|holidays?|labor_day|memorial_day|mother'?s_day|father'?s_day|new_year'?s?|chinese_new_year|super_bowl|solstice|sunrise|sunset|election(?:_day)?|world_cup|olympics)`,

	// Words in questions about the time.
	"clock": `几点钟?(?:几分)?(?:几秒)? 好多点钟? (?:什么)?时间 几时 什么时[候辰] 时刻 钟点 time [上下]午还是[上下]午`,
	"date": `(?:几几|几|[0-9零一二三四五六七八九十]+)?年?(?:几|[0-9一二三四五六七八九十]+)月(?:几[号日])? 几[号日] 多少号 哪一?天 哪一?年 几几?年 什么年份 几月份? 什么日期
		(?:年月日|日期|年份|月份)(?:[和与跟]?(?:星期|时间))? date`,
	"weekday": `(?:星期|周|礼拜)几`,
	"dayname": `(?:星期|礼拜|周)[一二三四五六天日] 周末 工作日`,
	"is":      `是 又 到底 究竟 大概 具体 准确 精确 已经 刚好 正好 多少 本地 系统 走的 这边 这里 我这里 和 跟 与 还有 以及 儿 的 到 北京 unix 实时 秒级? 毫秒级? 级 确切 是不是 是否 还是 对应 农?公历`,
	"today":   `{now} {day} 这个月 本月 今年 本周`,
	"please": `请 问 想 告诉 [跟和]我 说 知不知道 知道 让 谁 [看瞧瞅核对校]+ 查询? 报告? 确认 显示 获取 返回 生成 输出 打印 列出 写 要 提供 给出? 来 [那这]个 话说 对了 顺便 另外 因为 所以 不过 但是 可是 然后
		[唉哎喂呃额诶嗯早我俺您帮给再先快把按了啊呀] [下中]午好 [早晚]上好 在[吗么] 在不在 小度 小爱(?:同学)? 天猫精灵 小助手 [我咱]们 咱 需要 麻烦 帮忙 你的? 能(?:不能|否)? 可以 可不可以 好的? [你您]好
		[大小老表]?[哥姐弟妹叔姨爷奶嫂]{1,2} (?:师傅|老[师板铁]|兄弟|亲爱?的?|宝[贝子宝]?|朋友|同学|美女|帅哥|各位|大佬|急+)们? 搜一?下 一?[下个] 数据 check 时钟 {now} {is}`,
	"eintro": `please hey hi hello ok okay so and well but also sorry excuse_me siri alexa google guys mate bro dude man buddy fam sis yo sir dear trouble_you_for (?:can|could|would|will)_you you tell_me tell_us say show_me show give_me
		let_me_know i(?:'d_like|_want|_need|_would_like|_would_love)(?:_to_know)? i_need (?:do_)?you_(?:happen_to_)?know any_idea know just quick quickly get fetch display print return query check
		can_i_(?:get|have) do_you_have have_you_got according_to_you right_now now the my our exact precise full your system current present local what is_it what_is what's whats what_was what_will which
		me (?:could|can|may|might)_i at_the_moment`,
	"eintros": `(?:{eintro}_ (?:{please}|{today})+_?)`,
	"elater": `(?:right_)?now today here currently at_(?:the|this)_moment presently rn please mate bro dude man guys again exactly thanks thank_you for_me is_it
		in_(?:seconds|milliseconds|ms|words|full) according_to_you without_(?:searching|googling|looking_it_up)(?:_(?:online|the_(?:web|internet)))? in_iso(?:_8601)?(?:_format)? (?:accurate_|exact_|precise_)?(?:down_)?to_the_(?:nearest_)?(?:second|minute|millisecond) sharp (?:off|by|from|on)_(?:your|the|my)_(?:own_)?(?:clock|calendar|watch|phone)`,
	"eend":      `(?:_(?:{elater})|_and_(?:the_)?(?:date|time|time_?zone|day|weekday)|{please}|{tail})*(?:$|_(?:because|cos|cause|so)\b)`,
	"eday":      `(?:the_)?day_(?:after_tomorrow|before_yesterday) today tomorrow yesterday`,
	"edays":     `(?:today|tomorrow|yesterday)(?:'s|s)? current system`,
	"untold":    `don't never how_(?:do|to|can)`,
	"enth":      `[0-9]{1,2}(?:st|nd|rd|th)`,
	"eweek":     `{eweekday} (?:the_)?weekend`,
	"asked":     `^(?:.*(?:告诉我|[跟和]我说|请问|知道|帮我看一?下|看一?下|[了呀啦]|另外|那个|话说|谁知道))?(?:{please})*`,
	"over":      `(?:{tail})*(?:$|因为?|所以|但|可|告诉|报给|我.*[停坏丢忘]了|我.{0,6}(?:糊涂|[刚睡]醒|记不|迷糊|懵|忘|没注意|没概念)|[了呢啊呀哦啦哈噢哟嘞着][^了呢啊呀])`,
	"taught":    `教我 教一下 怎么 如何 不要 别 不用 他问 她问 我知道 译 造句 (?:不|别)告诉`,
	"elsewhere": `[了啦呀]+是|[点钟分秒间了啦呀]+(?:你?[还才]|[在于][^家等我]|我人?在[^家公学办路外等看做上开写加吃睡床门这车店医忙赶考楼地想]|.*那[边里儿])`,
	"tail":      `please pls plz thanks? thx 了 呢 啊 呀 哦 啦 哈 噢 哟 嘞 来着 吗 吧 么 嘛 呐 一下 对[吗吧] 是吧 好吗 可以吗 行吗 谢谢你? 知道吗 告诉我 精确到秒 秒 是什么 是多少 多少 什么 啥 是 的 {today} {weekday} {clock}`,
}
