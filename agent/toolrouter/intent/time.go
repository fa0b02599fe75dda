package intent

// timeRows are the rules for questions about the local time (the specified function
// detectTimeIntent). 星期几 alone matches only in a clause without unrelated words. Together with
// words for here and now, it matches in any clause.
var timeRows = []patternRow{
	// A clause that names another place ends the search: the local clock cannot answer it.
	{words: "那 时间 在 in at", match: `^(?:那|我?想?知道|告诉我|请问|问一?下|看一?下)*[^我在想知道告诉请问看][^我你他她它几多什]{1,6}时间$|.*那[边里儿]的?(?:呢|现在)?$|我人?[现正]?在[^家公学办路外等看做上开写加吃睡床门这车店医忙赶考楼地想填].{1,3}$|^(?:over )?(?:in|at) (?:the )?[a-z]+(?: [a-z]+)?$`,
		exclude: []string{`不是|{now}|{today}|北京|本地|系统|当地|具体|准确|标准|哪|[时战]区|时间戳|[显返获查输打报看告]`,
			`\b(?:minutes?|seconds?|hours?|words|total|moment|home|work|school|office|hurry|rush|case|fact|advance|english|chinese|utc|short|bed|class|iso|last|least|first|all|once|time ?zone)\b`}, yes: "纽约那边", no: "北京时间"},
	{match: `^[^精准秒级我你您他她它咱吗呢吧么嘛啊呀啦哈哦了着过谢快急请问说等在有是不没好很太真要想会能可告诉知道看搜画查新闻听去来走睡吃赶忙开班课会车老师哥姐叔姨爷奶弟妹宝亲爱大小同朋友助手早晚今明昨现几多时号点日月年星周历期区戳图文个种数位打分那写×a-z0-9]{2,5}的?$`, yes: "肯尼亚", no: "谢谢"},
	{rule: "time.clock", words: "几点 时间 几时 时候 时辰 时刻 好多点 钟点 报个时 报时 报一下时 上午还是 下午还是 time",
		match:   `{asked}(?:(?:(?:今天|北京时间)(?:{is})*)?(?:几点钟?(?:几分)?[了啦]|几时了|什么时[候间]了|好多点钟?了|报个?时间?|报一?下时间).*|(?:{now}|北京时间)(?:{is}|{now})*{clock}{over}.*|北京时间{over}.*)`,
		exclude: []string{`{taught}`, `{elsewhere}`}, yes: "现在几点", no: "纽约现在几点"},
	{rule: "time.clock", words: "time",
		match:   `^{eintros}*(?:what time (?:is it|it is|do you make it)(?:{eend}| my (?:phone|watch|clock)\b| (?:right )?now (?:my|the|i)\b)|(?:the )?(?:current |present |exact |local )?time{eend})`,
		exclude: []string{`(?:a|many|of) time|time (?:because|cos|so)`, `{untold}`, `the time is now`},
		yes:     "what time is it", no: "what time is it supposed to start"},
	{rule: "time.date", words: "号了 号吗 日吗 年吗 月吗 号吧 日吧 号对 日对 几号 几月 几日 多少号 哪天 哪一天 哪年 哪一年 几年 几几年 日期 年份 月份 年月日 date",
		match:   `{asked}(?:{today}(?:{is}|{today}|{date}|{clock})*{date}|几[号月]份?[了啦]|几月几号[了啦]){over}.*|^已?经?[0-9一二三四五六七八九十]+号了[吗吧么]$|{asked}{today}{is}*[0-9一二三四五六七八九十]+[年月号日][0-9一二三四五六七八九十号日月]*(?:吗|么|嘛|对[吗吧]|吧)$`,
		exclude: []string{`{taught}`}, yes: "今天几号", no: "春节是几号"},
	{rule: "time.date", words: "st nd rd th date what_year what_month what_day year month what_is_today what's_today",
		match:   `^{eintros}*(?:(?:what|which) (?:date|year|month|day of the month) (?:is|was|it|are|will)(?: (?:it|is|be|we in|{eday}))*|today is (?:which|what) date|(?:is it|is today|is it today|are we (?:on|at)) (?:still |already )?the {enth}(?: (?:today|already|yet|now|or|the|{enth}))*|(?:what )?(?:the )?(?:{edays} )?date(?: (?:be|is|it|of|what|exactly|{eday}))*|current (?:year|month)|{edays}){eend}|^.*[^\x00-\x7f] ?what(?:'s|s| is) the date today(?: ?[^\x00-\x7f].*)?$`,
		exclude: []string{`^(?:what )?date$`, `译|意思|语法|[怎咋]么?[说读念写用回答]|这句`, `{untold}`, `^(?:{edays}|now|the|today)+$`},
		yes:     "what's the date today", no: "I have a date today"},
	{rule: "time.weekday", words: "星期 周几 周一 周二 周三 周四 周五 周六 周日 周末 礼拜 工作日",
		match:   `{asked}(?:(?:{today}(?:{is}|{today}|{date})*)?{weekday}{over}|{today}(?:是不是|是否)?(?:{is})*{dayname}(?:{is}|{dayname})*(?:吗|么|嘛|对吗|对吧|吧|还是{dayname})$|{today}(?:是不是|是否){dayname}$|(?:{today}{is}*|查询|显示|返回|获取)星期$).*`,
		exclude: []string{`{taught}`}, yes: "今天星期几", no: "国庆节是星期几"},
	{rule: "time.weekday", words: "day weekend",
		match:   `^{eintros}*(?:(?:what|which) (?:week)?day (?:of the week )?(?:is|was|it|will)(?: (?:it|is|be|{eday}))+|(?:the )?day of the week(?: (?:is it|{eday}))*|(?:what|what's|what is) the (?:week)?day(?: {eday})?|(?:is it|is today|is it today|are we (?:on|at)|today is) (?:still |already )?{eweek}(?: (?:today|already|yet|now|or|{eweek}))*){eend}`,
		exclude: []string{`{untold}`}, yes: "what day is it", no: "what day is Christmas"},
	{rule: "time.stamp", words: "时间戳", match: `{asked}(?:{is}|{now})*(?:(?:unix|秒级|毫秒级?)?的?时间戳记?)(?:数据|{tail})*$`,
		exclude: []string{`{taught}`, `什么是`, `^(?:请问|unix|的)*时间戳记?[是干有]`}, yes: "当前时间戳", no: "什么是时间戳"},
	{rule: "time.stamp", words: "timestamp time_stamp unix epoch",
		match:   `^(?:{eintros}|(?:i )?(?:give|get|show|need|want|print|generate|return|fetch|display)(?: me)? a )*(?:(?:unix|epoch|posix|current) )*(?:timestamp|time stamp|(?:unix|epoch) time|unix epoch){eend}`,
		exclude: []string{`{untold}`, `^(?:unix |epoch )*(?:time ?stamp|time|epoch)[是干有]`},
		yes:     "give me a unix timestamp", no: "what is a timestamp"},
	{rule: "time.zone", words: "时区",
		match:   `{asked}(?:{is}|{now}|在|我?所在|你的|时钟|手机|电脑|机器|这台)*(?:什么|哪一?个)?时区(?:{tail})*(?:$|[和跟])`,
		exclude: []string{`{taught}`, `什么是`}, yes: "我在哪个时区", no: "纽约是什么时区"},
	{rule: "time.zone", words: "timezone time_zone",
		match:   `^(?:{eintros}|current )*time ?zone(?: (?:is (?:it|this)|(?:am i|are we|i am|we are|i'm|we're) (?:in|on)|here))*{eend}`,
		exclude: []string{`{untold}`}, yes: "what time zone am I in", no: "what timezone is Lima in"},
}
