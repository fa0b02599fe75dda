package diary

import (
	"slices"
	"strings"

	"evalctl/agent/fulltext"
)

// Limits on the keywords of a search, because a model may return any number of them.
const (
	maxKeywords = 32
	maxKeyword  = 400 // bytes
	maxTerms    = 64
)

// Words that a search ignores, because nearly every day contains them or they belong only to the
// question. Package dates handles words for dates.
const (
	stopWordsChinese = `什么时候 什么 怎么样 怎么 为什么 哪里 哪儿 哪天 哪些 哪个 多少 有没有 是不是 记不记得 还记得 记得 回忆 发生 事情 聊天
		讨论 提到 提过 提起 说过 说到 聊过 聊到 讲过 谈过 谈到 告诉 我们 咱们 你们 他们 用户 之前 以前 过去 上次 那次 那天 当时 时候 最近 的 了 吗 呢
		大前天 前天 昨天 昨晚 今天 今早 今晚 上上周 上周 这周 本周 上个月 这个月 本月 去年 今年 关于 内容 相关`
	stopWordsEnglish = `a an the i me my we us our you your he she it they them this that these those is are was were be been am do does did
		have has had what when where who which how why and or of in on at to for from with about by as so if any some thing things
		something anything everything happen say said tell told talk talked speak spoke discuss mention remember recall chat ask
		yesterday today tonight last ago week month year day days night morning time before earlier past recently user agent memory conversation`
	weakCharacters = "我你您他她它咱谁啥哪聊说讲谈问提过着吧啊呀嘛哦诶是在有和跟与把被给就都还也又这那几个些事一不没去来到想要会"
)

var (
	stopwordReplacer = fulltext.StopwordReplacer(stopWordsChinese)
	stopWords        = fulltext.NormalizedWords(stopWordsEnglish)
)

// searchTerms returns the terms to search for. A day matches if it contains at least one of them.
func searchTerms(keywords []string) (all []string) {
	for _, k := range keywords[:min(len(keywords), maxKeywords)] {
		for run := range strings.FieldsSeq(stopwordReplacer.Replace(fulltext.Normalize(k[:min(len(k), maxKeyword)]))) {
			for _, t := range distinctiveTerms(run) {
				if !slices.Contains(all, t) && len(all) < maxTerms {
					all = append(all, t)
				}
			}
		}
	}
	return all
}

// distinctiveTerms returns the search terms of a word that are not too frequent. For Chinese these
// are pairs of characters, or single characters if no pair is left.
func distinctiveTerms(run string) []string {
	runes := []rune(run)
	if !fulltext.IsUnsegmented(runes[0]) {
		if stopWords[run] {
			return nil
		}
		return []string{run}
	}
	isWeak := func(term string) bool { return strings.Trim(term, weakCharacters) == "" }
	if two := slices.DeleteFunc(fulltext.Bigrams(run), isWeak); len(two) > 0 {
		return two
	}
	return slices.DeleteFunc(strings.Split(run, ""), isWeak)
}
