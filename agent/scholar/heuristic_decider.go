package scholar

import (
	"regexp"

	"evalctl/agent/system"
)

// intentRules recognize the intent of a message by keywords, for simulated models without labels.
// The first rule that matches decides.
var intentRules = []struct {
	intent  string
	pattern *regexp.Regexp
}{
	// greetings and short thanks
	{simpleInteraction, regexp.MustCompile(
		`(?i)^\W*(?:你好|您好|嗨|哈喽|谢谢|多谢|辛苦了|再见|早上好|晚安|你(?:是谁|会什么|能(?:做|干|帮我做)(?:什么|啥))|(?:hi|hello|hey|thanks|thank you|bye|who are you|what can you do)\b)`)},
	{simpleInteraction, regexp.MustCompile(
		`(?i)^[^？?]{0,12}(?:谢|多谢|感谢|感激|辛苦)[^？?]{0,8}$|^[^？?]{0,24}\b(?:thanks|thank you|thx|cheers)\b[^？?]{0,24}$`)},
	// questions about the assistant, and writing tasks unrelated to the documents
	{simpleInteraction, regexp.MustCompile(
		`(?i)你(?:刚才|刚刚|自己|能做|会做|能帮)|讲个笑话|天气|what did you (?:just )?say|tell me a joke|weather`)},
	{simpleInteraction, regexp.MustCompile(
		`(?i)[写起]一?(?:封|个|条)[^。？?！!]{0,20}(?:邮件|信|短信|消息|请假条|自我介绍)|(?:write|draft|compose) (?:me )?(?:an?|the) [^.?!]{0,20}(?:email|e-mail|letter|message)\b`)},
	{simpleInteraction, regexp.MustCompile(
		`(?i)(?:怎么|如何|怎样|咋)(?:才能)?(?:写|做|起草)(?:好)?(?:一?[篇份段个])?(?:好的?)?(?:论文|文章|学术|英文|中文)?的?(?:摘要|综述|引言|论文|审稿|评审|总结|投稿|标题)|how (?:do|can|should|would) (?:i|you|we|one) (?:write|structure|start)|how to (?:write|structure)`)},
	// questions that name a section of a paper, such as the abstract
	{literatureQA, regexp.MustCompile(
		`(?i)(?:摘要|总结|综述|简介|引言)(?:里|中|部分|一节)|\bin the (?:abstract|summary|survey|review)\b`)},
	{reviewGeneration, regexp.MustCompile(
		`(?i)^[^这该此本那]{0,12}综述[^？?]{0,4}$|综述(?:一下|下|这|它们|以上|上述)|(?:写|生成|来|做|出|整理成?|给我)(?:一?[篇份段个])?[^。？?！!]{0,12}综述|文献回顾|(?:研究|领域)(?:现状|进展)[^？?]{0,4}(?:梳理|整理|归纳)|(?:梳理|整理|归纳)[^？?]{0,10}(?:研究现状|研究进展|脉络)|综合(?:分析|梳理)|research landscape|state of the art|literature review|(?:write|draft|generate|prepare)[^.?!]{0,30}(?:survey|review|synthesis)|\bsurvey (?:these|those|them|the|all|my|both)\b|related work section|synthesi[sz]e (?:these|those|them|the|all|both)`)},
	{paperReview, regexp.MustCompile(
		`(?i)评审|审稿|审一下|审审|评阅|评议|打个?分|评个?分|几分|硬伤|挑(?:挑)?(?:毛病|刺)|站得住|靠谱|严谨|严密|可信吗|漏洞|(?:给|提|有|说)[^。？?]{0,6}(?:意见|建议)|(?:修改|评审|审稿)意见|意见[吧。！!]?$|该不该(?:录|接收)|能(?:录用|发表|中)|缺陷|peer review|referee|review this|reviewer|would you accept|flaws?|weakness|shortcoming|\b(?:rate|score|grade|assess|evaluate|critici[sz]e) (?:this|the|it|these)\b|rigorous|rigou?r\b|is (?:the|this) (?:design|study|method\w*) sound|critique|reject|holes in`)},
	{literatureSummary, regexp.MustCompile(
		`(?i)总结|概括|概述|归纳|提炼|浓缩|精简|摘要|简介|简述|介绍(?:一下|下)?(?:这|该|它|那)|大意|要点|重点(?:是|有|讲|在|说|内容)?(?:什么|啥|哪些|哪|$|[吗呢。！!？?])|(?:划|抓|列|说|讲)[^。？?]{0,4}重点|讲(?:了|的)?(?:些)?(?:什么|啥)|说(?:了|的|明)?(?:些)?(?:什么|啥)|(?:[一两二三几]|\d+)(?:句|段)话|主要内容|核心内容|中心思想|梗概|summar|overview|gist|tl;?dr|key points|main points|takeaway|highlights|bottom line|elevator pitch|condense|boil (?:it|this|them) down|in (?:a|one|two|three|few|a few|\d+) (?:sentence|line|word|bullet|paragraph)s?|what (?:is|are|does) (?:this|these|the|it)(?: \w+){0,3} about|in a nutshell|recap`)},
}

// newHeuristicDecider returns a function that decides by intentRules, without a model.
func newHeuristicDecider(system.Options) (func(string) system.Decision, error) {
	return func(text string) system.Decision { return system.Decision{Label: guessIntent(text)} }, nil
}

func guessIntent(text string) string {
	for _, s := range intentRules {
		if s.pattern.MatchString(text) {
			return s.intent
		}
	}
	return literatureQA
}
