package newsroom

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words in a message about earlier work: words that express no wish, such as courtesies, thanks and
// names of the work, and words that ask to resume it.
var (
	courtesies = []string{"请", "麻烦", "那就", "那", "好的", "好", "嗯", "行", "可以", "你", "您", "帮我", "我们", "咱们", "我想", "我要",
		"我", "能不能", "可不可以", "能", "把", "将", "从", "接", "okay", "ok", "yes", "please", "pls", "now", "then", "so",
		"and", "just", "can you", "could you", "can we", "could we", "shall we", "let's", "lets", "let us",
		"i'd like to", "i would like to", "i want to", "help me", "to"}
	emptyObjects = []string{"一下", "一次", "下去", "试", "写", "做", "画", "干", "弄", "完成", "完", "来", "走", "吧", "啊", "呀",
		"呢", "哦", "了", "吗", "刚才", "刚刚", "之前", "先前", "以前", "昨天", "上一篇", "上一个", "上次", "上回", "没有", "没", "未", "那篇",
		"这篇", "那个", "这个", "我的", "文章", "稿子", "稿件", "草稿", "笔记", "帖子", "推文", "文案", "内容", "工作", "任务", "地方", "那里",
		"这里", "停下", "中断", "的", "谢谢", "but", "and", "then", "please", "thanks", "thank you", "now", "working",
		"writing", "work", "with", "it", "that", "this", "the", "my", "our", "your", "last", "previous",
		"earlier", "unfinished", "old", "post", "article", "piece", "draft", "text", "story", "task", "job",
		"on", "of", "from", "before", "yesterday", "time", "where", "what", "i", "you", "we", "stopped",
		"paused", "left off", "left it", "were", "was", "did", "doing", "up", "again"}
	thanks = []string{"谢谢", "多谢", "感谢", "谢", "辛苦", "太", "很", "真的", "真", "非常", "挺", "棒", "不错", "赞", "完美", "优秀", "喜欢",
		"满意", "没问题", "收到", "看起来", "就这样", "写得", "写的", "得", "啦", "哈", "thanks", "thank you", "thx", "ty",
		"cheers", "great", "good", "nice", "perfect", "excellent", "awesome", "amazing", "wonderful", "lovely",
		"beautiful", "cool", "well done", "love", "like", "looks", "reads", "sounds", "it's", "that's", "is",
		"a lot", "so much", "very", "much", "really", "for", "all", "job", "done"}
	resumptions = []string{"继续", "接着", "接下去", "往下", "再试", "重试", "continue", "carry on", "go on", "go ahead",
		"keep going", "keep on", "proceed", "resume", "try again", "try it again", "retry"}
	// completions ask to resume work only if the message contains no further wish.
	completions = []string{"完成", "写完", "做完", "画完", "再来", "接上", "回到", "finish", "complete", "pick up", "pick it up",
		"go back to", "get back to", "return to", "back to"}
	fillers = slices.Concat(courtesies, emptyObjects)
)

// continuation reports whether a message asks to resume unfinished work, such as "please continue".
// remark is the message if it contains a further wish, such as "continue, but shorter".
func continuation(text string) (ok bool, remark string) {
	for rest := trimWords(text, nil); ; {
		if after, ok := cutWord(rest, completions); ok && trimWords(after, fillers, completions, resumptions) == "" {
			return true, ""
		}
		if after, ok := cutWord(rest, resumptions); ok {
			return resumption(text, after)
		}
		var ok bool
		if rest, ok = cutWord(rest, thanks, fillers); !ok {
			return false, ""
		}
		rest = trimWords(rest, nil)
	}
}

// resumption returns the result of continuation for a message with a demand to resume. after is the
// text after the demand.
func resumption(text, after string) (ok bool, remark string) {
	if trimWords(after, fillers, resumptions, completions) == "" {
		return true, ""
	}
	// in "resume tips", the word is part of another request
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	isLatin := func(r rune) bool { return r < 0x250 && unicode.IsLetter(r) }
	if isLatin(next) && len(trimWords(after, emptyObjects)) == len(trimWords(after, nil)) {
		return false, ""
	}
	return true, text
}

// onlyThanksOrResumes reports whether a message only expresses thanks or asks to continue.
func onlyThanksOrResumes(text string) bool {
	return trimWords(text, thanks, fillers, resumptions, completions) == ""
}

// trimWords removes words, blanks and punctuation from the beginning of a text. It returns the rest
// in lower case.
func trimWords(text string, lists ...[]string) string {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	for {
		text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		rest, ok := cutWord(text, lists...)
		if !ok {
			return text
		}
		text = rest
	}
}

// cutWord removes the longest of the words in the lists from the beginning of a text. A word in
// Latin letters must be complete in the text.
func cutWord(text string, lists ...[]string) (rest string, ok bool) {
	rest = text
	for _, word := range slices.Concat(lists...) {
		after, found := strings.CutPrefix(text, word)
		if !found || len(after) >= len(rest) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(word)
		next, _ := utf8.DecodeRuneInString(after)
		if unicode.Is(unicode.Han, last) || !unicode.IsLetter(next) || unicode.Is(unicode.Han, next) {
			rest, ok = after, true
		}
	}
	return rest, ok
}
