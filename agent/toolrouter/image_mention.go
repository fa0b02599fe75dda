package toolrouter

import (
	"strings"

	"evalctl/agent/dfa"
)

// imageMention is one way in which a message refers to an earlier image of the conversation.
type imageMention struct {
	phrase      *dfa.Regexp
	author      imageAuthor
	unambiguous bool // the phrase has no other meaning: it counts even if the conversation has no image
}

// mentions contains the patterns for references to an earlier image. The first pattern that matches
// counts. Names in braces are word classes, see classes. Chinese patterns also accept English
// nouns, because users mix both languages.
var mentions = []imageMention{
	// 我发的那张照片, 我刚上传的图片, the photo I sent
	{author: byUser, phrase: phrase(`我{before}?(?:给你|向你)?{sent}(?:给你|过去|过来|来)?的?(?:{one}|{picture})`)},
	{author: byUser, phrase: phrase(
		`{pic} (?:that |which )?i{have}? (?:just )?(?:sent|uploaded|shared|attached|took|posted|gave)\b`)},

	// 你画的猫, 你给我做的海报, 我让你画的那张
	{author: byAgent, unambiguous: true, phrase: phrase(`你{before}?{forme}?(?:{drew}|{made})`)},
	// you drew, what did you just draw, the image you generated, the picture that was just made
	{author: byAgent, unambiguous: true,
		phrase: phrase(`\b(?:you{have}?|u) (?:just |only )?(?:drew|drawn|painted|sketched|illustrated)\b`)},
	{author: byAgent, unambiguous: true,
		phrase: phrase(`(?:\b(?:what|which|who|why|where|how)\b.{0,24}\b(?:did|have) you (?:just |only )?|\bdid you just )(?:draw|drawn|paint|painted|sketch|sketched)\b`)},
	{author: byAgent, unambiguous: true,
		phrase: phrase(`(?:\bthe )?{pic}.{0,24}\byou{have}? (?:just |only )?{enmade}\b`)},
	{author: byAgent, unambiguous: true,
		phrase: phrase(`{pic} (?:that |which )?(?:was|were|has been) (?:just )?{enmade}\b|\bjust[- ]{enmade} {pic}`)},

	// 刚刚画的猫, 刚生成图片: without a subject, these mean an image by the agent
	{author: byAgent, unambiguous: true,
		phrase: phrase(`{nobody}{just}(?:让你|请你|叫你)?{forme}?(?:{drew}|{made}|{make}{picture})`)},

	// 刚才那张图, 上面的图, 上一幅, 最后一张, the last picture, your latest drawing
	{unambiguous: true, phrase: phrase(`(?:^|[^我他她们]){before}(?:你?(?:发|给我?))?(?:的?{one}|的[那这]?{picture}|{inside})`)},
	{unambiguous: true, phrase: phrase(`(?:最后|最近|最新)(?:的?那)?一?{one}|[上前]一?[张幅副](?:{picture}|{nothing})|上图[里中]`)},
	{unambiguous: true, phrase: phrase(`(?:^|\b(?:the|that|in) )(?:last|previous|preceding) {pic}{notof}`)},
	{unambiguous: true, phrase: phrase(`\byour (?:last|latest|previous|recent|most recent|new|first) {pic}`)},

	// 这张图, 图里, in the picture: the newest image, by the user or the agent
	{phrase: phrase(`{free}[这那该此](?:{one}|个?{picture})`)},
	{phrase: phrase(`{free}[这那]?{inside}|这是?画的|(?:描述|介绍|解释|分析|识别)一?下?(?:图片?|图像|画|照片|海报){ends}`)},
	{phrase: phrase(`\b(?:the|this|that|your|above)(?: a)? {pic}{notof}`)},
}

// anyMention matches any of the mentions. It is checked first, because one combined pattern is
// faster than all patterns one after another.
var anyMention = func() *dfa.Regexp {
	var all []string
	for _, m := range mentions {
		all = append(all, m.phrase.String())
	}
	return dfa.MustCompile(strings.Join(all, "|"))
}()

var isQuestion = phrase(`[?？吗呢嘛啥谁几哪]|什么|多少|为何|怎么|如何|有没有|是不是|像不像|对不对|好不好|还是|是男|多大|多高|好奇|想知道|[没不]看?懂` +
	`|描述|介绍|说说|说一下|讲|解释|看看|看一?下|分析|形容|评|告诉|识别|总结|概括|鉴赏|赏析|猜|翻译|复述|指出|找出|[搜查]` +
	`|[写配]|[起取]个?名|[读念数]一?[读念数下出]` +
	`|\b(?:what|which|who|whose|why|where|when|how|describe|explain|caption|title|name|tell|count|identify` +
	`|guess|summari[sz]e|analy[sz]e|read|translate|rate|review|critique)` +
	`|^\W*(?:and |so |but )?(?:is|are|does|do|did|has)\b`)

// requestsAnother matches a request for a new or changed image. Such a request requires image
// generation or a search, not a description.
var requestsAnother = phrase(`改(?:[^进善良编革]|$)|[换删]|[变做画]成|重新?[画做绘生来出]|再[来画做出生加]|去掉|加[上个点些]|添|调[整亮暗成]|放大|缩小` +
	`|参考|仿照|照着|画(?:[一二两三四五几\d]|[张幅个只])|(?:要|创作)[一二两几\d][张幅副]` +
	`|(?:生成|来|做|制作|绘制|出|搞|整|设计)(?:[一二两三四五几\d][张幅副版款组套]|[张幅副])` +
	`|\b(?:turn|change|replace|remove|add|redo|another|instead|edit|swap|make it|into)\b` +
	`|\b(?:try|do|draw|paint|make|generate)\b.{0,20}\bagain\b` +
	`|^\W*(?:please |now |(?:can|could|would|will) you (?:please )?)*(?:draw|paint|sketch)\b` +
	`|^\W*(?:please |now |(?:can|could|would|will) you (?:please )?)*(?:make|generate|create|find|search|get|fetch)(?: me| for)?` +
	`(?: an?| the| this| one)?(?: new)? (?:{pic}|(?:one|version)\b)`)

// notAnImage matches texts that resemble a reference to an image but mean something else: charts
// and code, images by others, and days before the conversation.
var notAnImage = phrase(`图表|表格|代码|(?:流程|导|架构|结构|时序|甘特|饼状?|柱状?|条形|折线|曲线|散点|拓扑|关系|类|状态|电路)图` +
	`|(?:图片?|图像|照片|海报)(?:标签|墙|格式|压缩|处理|加载|设计[费师])|画的?大饼|画完画|画了.{0,3}(?:天|下午|上午|晚上|小时)|翻译.{0,8}[:：]` +
	`|妆|眉|眼线|指甲|重点|记得|想起|回忆|昨天|前天|上周|去年` +
	`|\b(?:chart|diagram|conclusion|remember|yesterday|(?:drawing|painting) (?:tablet|lesson|class)|\bhave you (?:ever|\w+ before)\b|directed by|starring|translate.{0,20}:|get the picture|big picture|i(?: just)? (?:drew|painted|made))\b`)

// inGeneral matches questions about images in general, such as how-to questions and questions about
// tools. They do not refer to an image, unless the phrase is unambiguous.
var inGeneral = phrase(`一般|通常|(?:用|有)(?:什么|啥|哪个)(?:软件|工具|库|办法)|(?:怎么|如何)(?:用|加|识别|提取|插)|技巧` +
	`|\bhow (?:do|can|should|would) (?:i|we|one)\b|\bhow to\b|\byou mentioned\b|\b(?:picture|image|photo|painting)s? on my\b` +
	`|\b(?:css|html|javascript|python|java|ocr|photoshop|latex|app|apps|tag|element|software)\b`)

// Word classes that are part of other word classes. A Chinese word for an image must not be the
// start of a longer word, such as 图书 or 画展.
const (
	zhImage = `(?:图(?:[^书表纸标案形谱腾]|$)|画(?:[^展家面廊室院质派册框笔布风]|$)|照片|相片|海报|头像|壁纸|插画|插图|封面|作品` +
		`|logo|pic|picture|image|photo|poster)`
	zhNothing = `(?:[里中上的是有怎为呢吗什啥描评讲说，。？！,.?!\s]|$)`
	zhOne     = `(?:[那这]?[一两几]?[张幅副](?:` + zhImage + `|` + zhNothing + `)|幅[^，。？！,.?!的里中]{1,3}画)`
	zhMake    = `(?:画|生成|做|制作|创作|设计|弄|整|出)(?:好|完|出来)?`
)

// classes replaces the names in braces by word classes.
var classes = strings.NewReplacer(
	"{picture}", zhImage,
	"{nothing}", zhNothing, // after a measure word: no noun follows that the measure word could count
	"{one}", zhOne, // 那张图, 那张
	"{inside}", `(?:图片?|画面?|照片|海报|pic)(?:[中上]|里(?:[^程]|$))`,
	"{make}", zhMake,
	"{made}", zhMake+`[的了][^里中，。？！,.?!]{0,8}?(?:`+zhImage+`|`+zhOne+`|[只匹头位朵座])`,
	"{drew}", `(?:画|绘制?)(?:好|完|出来?|成)?(?:[的了]|得[怎如像]|什么|啥|谁|哪)`, // implies an image without naming it
	"{sent}", `(?:发|传|上传|拍|贴)`,
	"{just}", `(?:刚才|刚刚|刚|方才)`,
	"{before}", `(?:刚才|刚刚|刚|方才|之前|上次|前面|上面|上边|最后)`,
	"{forme}", `(?:给我|帮我|为我|替我)`,
	"{nobody}", `(?:^|[\s\pP]|[你您下说讲看问绍析述价评读释数给把对跟从那是让请叫])`, // no subject, or a verb such as 描述, 看看 or 给
	"{pic}", `\b(?:picture|pic|image|photo|drawing|painting|sketch|illustration|artwork|poster|logo|wallpaper)s?\b`,
	"{free}", `(?:^|[\s，。？！,.?!：:；;、（(]|[你您我这那下说讲看问绍析述价评读释数给把对跟从在让请叫得猜为译写别结赏容括用出么刚才后面道了]|生成的)`, // not 蒙娜丽莎这幅画
	"{ends}", `(?:$|[里中上，。？！,.?!\s]|的(?:内容|风格|构图|细节|画面|含义|意思|颜色|色彩|背景|主题))`, // not 介绍图灵机, 介绍照片的拍摄技巧
	"{notof}", `(?:$|[^ ]| [^ofbt]| o[^f]| f[^r]| b[^y]| t[^a]| of\W*$)`, // not «the last picture of Einstein»
	"{enmade}", `(?:made|drawn|drew|generated|painted|created|produced|rendered|sketched|showed|sent|gave)`,
	"{have}", `(?:['’]ve|['’]d| have| had)`,
)

func phrase(pattern string) *dfa.Regexp { return dfa.MustCompile(classes.Replace(pattern)) }

// hint matches a word that every reference to an image contains. It excludes most texts quickly.
var hint = dfa.MustCompile(`图|画|绘|张|幅|副|照片|相片|海报|作品|头像|壁纸|封面|生成` +
	`|pic|image|photo|poster|logo|wallpaper|artwork|draw|drew|paint|sketch|illustrat`)
