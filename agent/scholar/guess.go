package scholar

import (
	"regexp"

	"evalctl/agent/system"
)

// signs are words by which a simulated decider makes out what nobody has labelled; the
// first that fits decides.
var signs = []struct {
	intent  string
	pattern *regexp.Regexp
}{
	{simpleInteraction, regexp.MustCompile(`(?i)^\W*(?:你好|您好|嗨|哈喽|谢谢|多谢|辛苦了|再见|早上好|晚安|你(?:是谁|会什么|能(?:做|干|帮我做)(?:什么|啥))|hi|hello|hey|thanks|thank you|bye|who are you|what can you do)`)},
	{simpleInteraction, regexp.MustCompile(`(?i)你(?:刚才|刚刚|自己|能做|会做|能帮)|讲个笑话|天气|what did you (?:just )?say|tell me a joke|weather`)},
	{reviewGeneration, regexp.MustCompile(`(?i)(?:写|生成|来|做|出|整理成?|给我)(?:一?[篇份段个])?[^。？?！!]{0,12}综述|文献回顾|综合(?:分析|梳理)|research landscape|literature review|(?:write|draft|generate|prepare)[^.?!]{0,30}(?:survey|review|synthesis)|related work section`)},
	{paperReview, regexp.MustCompile(`(?i)评审|审稿|评阅|硬伤|挑(?:挑)?(?:毛病|刺)|站得住|靠谱|该不该(?:录|接收)|能(?:录用|发表|中)|缺陷|peer review|referee|review this|reviewer|would you accept|flaws?|weakness|is (?:the|this) (?:design|study|method\w*) sound|critique|reject`)},
	{literatureSummary, regexp.MustCompile(`(?i)总结|概括|摘要|大意|要点|讲(?:了|的)?(?:些)?(?:什么|啥)|说(?:了|的)(?:些)?(?:什么|啥)|主要内容|核心内容|梗概|summar|overview|gist|tl;?dr|key points|main points|what (?:is|are|does) (?:this|these|the|it)(?: \w+){0,3} about|in a nutshell|recap`)},
}

// guess makes of a text that nobody has labelled what its words say.
func guess(system.Options) (func(string) system.Answer, error) {
	return func(text string) system.Answer { return system.Answer{Label: guessIntent(text)} }, nil
}

func guessIntent(text string) string {
	for _, s := range signs {
		if s.pattern.MatchString(text) {
			return s.intent
		}
	}
	return literatureQA
}
