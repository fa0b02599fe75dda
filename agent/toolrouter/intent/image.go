package intent

// notImageRows are the rules for clauses that only resemble a request for an image.
var notImageRows = []patternRow{
	{rule: "image.neg1", words: "记得 想起 回忆 回想",
		match: `(?:记得|想起|回忆(?:[^录]|$)|回想)(?:.*[^动])?(?:画(?:[^家展廊册师]|$)|绘|图(?:[^书]|$)|照片|头像|生成)`,
		yes:   "你还记得那张图吗", no: "记得提醒我开会"},
	{rule: "image.neg2", words: "之前 上次 以前 上一次 上回",
		match: `(?:(?:^|[你我他她它们把将跟和按照用比是有,])(?:之前|以前)|上一?次|上回)(?:.*[^动油国漫版壁])?(?:画(?:[^家展廊册师室面]|$)|绘|生成)`,
		yes:   "之前画的那只猫呢", no: "睡觉之前生成一张晚安图"},
	{rule: "image.neg3", words: "不能 不会 无法", match: `(?:(?:^|[^能会])不[能会]|无法)(?:.*[^动油国漫版壁])?(?:画(?:[^家展廊册师室面]|$)|绘|生成)`,
		exclude: []string{`不会吧[^,]`},
		yes:     "你不能画人物吗", no: "能不能画一只猫"},
}

// imageRows are the rules for requests of an image (the specified function detectImageGenIntent).
var imageRows = []patternRow{
	// 1: 画 or 绘 and a measure word
	{rule: "image.1", words: "画 绘",
		match: `(?:^(?:请问|那|你?知道|想[知问]道?)*(?:怎么|怎样|如何)[^搜]*?|{begin}(?:{hail}|{can})+|[用拿][^,]{1,8}?|(?:^|[^动油国漫版壁年名书字刻比计企规策插沙原挂彩墨的幅在]))(?:画一下|画一画|画出|画成|画|绘制|绘出|绘)[我他她]?(?:{some}{count}|{sole}).*`,
		exclude: []string{`^(?:请问|那|你?知道|想[知问]道?)*(?:怎么|怎样|如何)`, `{code}`,
			`^[^画]*画(?:片(?:[的怎多是收]|$)|条形|只[有是要]|幅[比大度尺怎])`, `画{idiom}`,
			`画{some}?个(?:小时|月(?:[^亮球牙饼]|$)|星期|礼拜|钟|不停|人所得)`}, yes: "画一张猫", no: "画家一张票多少钱"},
	{rule: "image.1", words: "画一下 画一画 画出来 画下来", match: `^(?:{hail}|{can})*画(?:一[下画]|出来|下来)(?:给我看看?|看看)?{end}$`, yes: "一座塔，画一下呗", no: "怎么画出来"},
	// 2: a request word (帮我, 请) and 画
	{rule: "image.2", words: "画",
		match:   `[发寄送留借还传交]?(?:给我们?|帮我们?|[给帮]俺|[替为]我们?|请[你您]?|帮忙|(?:^|[,你您请快再先就])来|麻烦)(?:{soft}|{lead}|{well}|[你您]|帮|把|一下|给)*画.*`,
		exclude: []string{`^[^画]*画{told}`, `^[发寄送留借还传交]`, `画{idiom}`, `{visit}`}, yes: "帮我画风筝", no: "请画家吃饭"},
	// 3 and 4: 生成 or 制作 and a word for an image, unless it is part of a request for a text
	{rule: "image.3", words: "生成", match: `生成.*?(?:{pic}|{chart}).*`,
		exclude: []string{`生成{formed}`, `生成{some}?[段篇首则封句]`, `{pic}{nopic}`, `{atend}`, `{about}`, `{code}`},
		yes:     "生成一张照片", no: "生成图片的代码"},
	{rule: "image.4", words: "制作 创作", match: `(?:制作|创作).*?(?:{pic}|{chart}|{some}?[幅张].{2,}|[^好不很就真个是]像{end}$).*`,
		exclude: []string{`作(?:的|了|过|者|人(?:[^物像偶类]|$)|方(?:[^形]|$)|组(?:[^图合]|$))`, `作{some}?[段篇首则封句]`, `作.*这[幅张]`,
			`{pic}{nopic}`, `{atend}`, `{about}`, `{code}`},
		yes: "制作人物海报", no: "图像制作人是谁"},
	{rule: "image.4", words: "幅 图 照 相片 像 写真 素描 线稿 涂鸦 景 画 海报 壁纸 封面 桌面 表情 贴纸 明信片 卡 请柬 邀请函 名片 徽 商标 标志 手抄报 logo banner",
		match:   `{begin}(?:{hail}|{can})*(?:(?:[给为帮替][^,]{1,12}?)?(?:设计|创建|[来弄整做出搞])|我?(?:想?要|需要)|给我|看到|得到){some}?(?:[张幅个款版套].*?{pic}(?:[给发送][^的]{1,4})?{end}$|幅.{2,})`,
		exclude: []string{`[的了]?这[幅张]|[试用务]场景`, `{atend}`, `{about}`, `{code}`}, yes: "来一张柯基的表情包", no: "我想要一张音乐会的票"},
	// 5 and 6: 生成 as a request, and the object is not a text
	{rule: "image.5", words: "生成", match: `{begin}(?:{hail})*生成.*`,
		exclude: []string{`^[^生]*生成(?:.?{end}|{some}?{count}?{end})$`, `生成{formed}`, `生成{some}?[段篇首则封句]`,
			`生成.*{atend}$`, `{text}(?:[并来发给让用写要]|之?[前后]|介绍|描述|管理|解析|匹配)[^的]*$`, `生成{some}?份.*[信书函]`, `的时候`, `{about}`,
			`{code}`}, yes: "生成一个唱歌的小女孩", no: "生成一首歌"},
	{rule: "image.6", words: "生成", match: `(?:可以|(?:^|[^智功性可节职阳才技潜])能|可否|可不可).*?生成.*`,
		exclude: []string{`生成(?:.{0,3}{end}|{some}?{count}?{end})$`, `生成{formed}`, `生成{some}?[段篇首则封句]`, `生成.*{atend}$`,
			`{text}(?:[并来发给让用写要]|之?[前后]|介绍|描述|管理|解析|匹配)[^的]*$`, `生成{some}?份.*[信书函]`, `的时候`, `{about}`, `{code}`},
		yes: "可以生成超绝美少女吗", no: "你能生成吗"},
	// 7: 画 as a verb, and the object is not a chart. Nouns that begin with 画 (画家) are excluded only
	// if the context shows that 画 is not a verb.
	{rule: "image.7", words: "画 绘", match: `{begin}(?:{soft})*(?:画|绘制|绘).{2,}`,
		exclude: []string{`^[^画绘]*(?:画|绘制?)(?:{noun}|{told})`, `{nodraw}`}, yes: "今天画春天的校园", no: "画饼图"},
	{rule: "image.7", words: "画 绘", match: `{begin}(?:{hail}|{can})*(?:(?:{want}|{can}|{well}|[^,画]{1,6}地)画|绘制?).{2,}`,
		exclude: []string{`^[^画绘]*(?:画|绘制?)(?:{told}|画?{end}$)`, `我们?[也还就只自己]*(?:会|能|可以|去)`, `{nodraw}`},
		yes:     "我想画海边", no: "你会画画吗"},
	{rule: "image.7", words: "画 绘", match: `{begin}(?:{hail}|{can})*{means}[^动油国漫版壁年名书字刻比计企规策插幅张的]画..+`,
		exclude: []string{`^[^画绘]*(?:画|绘制?){told}`, `为了|用户|用途|以[后前来及]|将来`, `{howto}[^,]*画`, `{nodraw}`}, yes: "用铅笔画老人",
		no: "把那幅画挂在墙上"},
	// 8: requests in English
	{rule: "image.8", words: "draw paint sketch doodle illustrate",
		match: `(?:{ehail}(?:{edraw}|illustrate (?:an?|two|three))|would you mind drawing|\b{edraw} (?:me|us) (?:a|an|some|the|my|our|two|something)) .+`,
		exclude: []string{`{ealready}`, `^{ehail}{edraw} (?:dries|drying|is|was|job|brush|thinner|cans?|store|shop|app|program|tool|on|upon|from|up|out|near|closer|back|over|to|away|down|off|better|well|more|like|of)\b`,
			`{edraw} (?:me |us )?(?:(?:a|an|the|some|any|your|my|our|their|no) )?(?:\w+ )?{efigure}`,
			`{edraw} (?:me |us )?(?:a |an |the |some )?(?:\w+ ){0,2}{echart}(?:$| (?:of|for|that|with|showing|to|in|from|about|comparing|and|explaining)\b)`, `\b{ecode}\b`, `{eoutline}`,
			`paint (?:the town red|(?:the|my|our) (?:\w+ )?(?:walls?|ceiling|fence|house|room|bedroom|door|nails|kitchen|garage|deck|car)(?:$| (?:this|next|tomorrow|today|tonight|on|which|what|how|do|does|should|can|where|need|before|white|red|blue|green|black|pink|yellow|grey|gray)\b))`, `{edraw} (?:me )?(?:(?:the|my|some|a|an|any) )?(?:money|curtains|blinds|blinds? down|curtains? closed|budget|winner|name|number|raffle|ticket|gun|lots)(?: (?:from|out|for|between|please|down|closed|back|up|1)\b.*)?$|{edraw} (?:some cash|cash (?:from|out))`}, yes: "draw a sword", no: "draw a hasty conclusion"},
	{rule: "image.8", words: "generate create make making creating generating produce render design illustrate draw paint sketch",
		match:   `{ehail}(?:{emake})(?: me| us)?(?: [\w',.]+){0,8}? {epic}\b(?: of \w+| (?:{etext}|{ecode})\b| \w+)?`,
		exclude: []string{`{ealready}`, `\b(?:{emake}) .*\b{estop} .*{epic}`, `{epic} {etext}$`, `{epic} {ecode}$`},
		yes:     "design an app icon", no: "create a docker image"},
	{rule: "image.8", words: "draw paint generate create make",
		match:   `{ehail}(?:(?:draw|paint|sketch)(?:{some}?{count}|[^\x00-\x7f]{2})|(?:generate|create|make)(?:{some}?[张幅]|[^\x00-\x7f].*?{pic})).*`,
		exclude: []string{`{atend}`, `{about}`, `{code}`}, yes: "帮我draw一只鲸鱼", no: "generate一段代码"},
	{rule: "image.8", words: "give_me show_me get_me send_me want need like love after",
		match:   `{ehail}(?:(?:give|show|get|send) me|i(?: want|'d (?:like|love)| would (?:like|love)| need|'m after)) (?:to see )?(?:an?|some|two|another|my|the)(?: [\w',.]+){0,8}? {epic}\b(?: of the \w+| (?:{etext}|{ecode})\b| \w+)?`,
		exclude: []string{`{ealready}`, `(?:show|get|send|give) me (?:the|today's) .*{epic} (?:from|by|of the (?:day|week|month|year)|on)\b`, `\b{estop} .*{epic}`, `{epic} {etext}$`}, yes: "I'd like a painting of the sea",
		no: "I need a plan for the logo"},
}

// RuleImageEdit is the rule for a change to an image, or another version of it.
const RuleImageEdit Rule = "image.edit"

// imageEditRows are the rules for changes to an image that the conversation contains. Without an
// image, the same words mean something else, or nothing.
var imageEditRows = []patternRow{
	{rule: RuleImageEdit, words: "换 改 变 去 删 移 擦 加 添 调 放大 缩小 提亮 旋转 裁 补",
		match:   `^(?:[^,]{0,3}(?:{hail}|{can}))*(?:(?:把|将|给).{1,16}?|[^,]{1,8}?)?(?:[再也都]|整体)?(?:换[成个一上为掉]?|[改变]成?为?|去[掉除]|删[掉除去]?|移[除到走]|擦掉|[加添][上个点些一几]?|调[整成到亮暗高低大小]|放大|缩小|提亮|旋转|裁剪?|补上).*`,
		exclude: []string{`{editother}`, `{notedit}`}, yes: "换成黑猫", no: "把密码改一下"},
	{rule: RuleImageEdit, words: "点 些 一下", match: `^[^,]{0,12}?(?:再|更|稍微?|有?点|太|画|往)?[^,]{0,6}(?:一[点些下]|[点些])儿?{end}$`, exclude: []string{`{editother}`, `{notedit}`},
		yes: "再亮一点", no: "讲慢一点"},
	{rule: RuleImageEdit, words: "再 重 不要 别要 去 没有", match: `^[^,]{0,4}(?:再(?:来|画|做|出|生成|整|搞)[一两几]?[张个幅版次遍]?|重新?(?:来|画|做|出|生成)一?[张个幅版次遍下]?|(?:不要|别要?)(?:有)?[^,]{1,6}){end}$`,
		exclude: []string{`{editother}`}, yes: "重新画一张", no: "再讲一个"},
	{rule: RuleImageEdit, words: "make turn change replace remove add put give swap move flip rotate crop zoom brighten darken erase redo try do same another one_more without more less in as brighter darker lighter bigger smaller larger warmer cooler softer sharper closer wider thinner thicker longer shorter taller older younger happier sadder cuter prettier simpler fluffier",
		match:   `^(?:{eopener}|{easks} |(?:i )?(?:want|need|would like) (?:you )?(?:to )?|actually |no )*(?:(?:make|turn|change|replace|remove|swap|move|flip|rotate|crop|erase|brighten|darken|recolou?r|render|redo|do|try|keep) (?:it|this|that|them|the|her|him|his|its|everything|again)\b.*|(?:add|put|give|remove) (?:it |her |him |them |the \w+ )?(?:an?|some|more|the|another|two|three|\w+ing|long|short)\b.*|zoom (?:in|out)\b.*|(?:the )?same .*|(?:another|one more)(?: one| version| picture| image)?(?: please)?$|(?:a (?:bit|little) |much |even |slightly )?(?:more|less|{elook})(?: \w+){0,2}$|(?:and |but )?without (?:the|an?|any)\b.*|try again\b.*|(?:now |but |and )*(?:in|as) (?:a |an )?(?:\w+ ){0,2}(?:style|watercolou?r|oil|pencil|anime|black and white|night|day)\b.*)`,
		exclude: []string{`{eeditother}`}, yes: "make the hat red", no: "make it a habit"},
}
