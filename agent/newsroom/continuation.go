package newsroom

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words with which a user asks to resume unfinished work: courtesies that may precede the demand,
// the demand itself, and words after it that add no wish of their own. Longer words precede their
// beginnings.
var (
	courtesies = []string{"请", "麻烦", "那就", "那", "好的", "好", "嗯", "行", "可以", "你", "帮我", "我们", "咱们",
		"okay", "ok", "yes", "please", "pls", "now", "then", "so", "and", "just", "can you", "could you", "let's",
		"lets"}
	resumptions = []string{"继续", "接着", "接下去", "往下", "再试", "重试", "continue", "carry on", "go on", "go ahead",
		"keep going", "keep on", "proceed", "resume", "try again", "try it again", "retry"}
	emptyObjects = []string{"一下", "一次", "下去", "试", "写", "做", "画", "干", "弄", "完成", "完", "来", "走", "吧", "啊", "呀",
		"呢", "哦", "了", "吗", "刚才", "刚刚", "之前", "上次", "没", "那篇", "这篇", "工作", "任务", "的", "谢谢",
		"but", "and", "then", "please", "thanks", "thank you", "now", "working", "writing", "work", "with", "it", "that",
		"this", "the", "post", "article", "piece", "task", "from", "where", "you", "we", "stopped", "left off", "were", "again"}
)

// continuation reports whether a message asks to resume unfinished work, such as "please continue".
// remark is the message if it contains a further wish, such as "continue, but shorter".
func continuation(text string) (ok bool, remark string) {
	rest := trimWords(text, courtesies)
	after, ok := cutWord(rest, resumptions)
	if !ok {
		return false, ""
	}
	more := trimWords(after, emptyObjects)
	if more == "" {
		return true, ""
	}
	// in "resume tips", the word is part of another request
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	isLatin := func(r rune) bool { return r < 0x250 && unicode.IsLetter(r) }
	if isLatin(next) && len(more) == len(trimWords(after, nil)) {
		return false, ""
	}
	return true, text
}

// trimWords removes words, blanks and punctuation from the beginning of a text. It returns the rest
// in lower case.
func trimWords(text string, words []string) string {
	text = strings.ToLower(text)
	for {
		text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		rest, ok := cutWord(text, words)
		if !ok {
			return text
		}
		text = rest
	}
}

// cutWord removes the first of the words from the beginning of a text. A word in Latin letters must
// be complete in the text.
func cutWord(text string, words []string) (rest string, ok bool) {
	for _, word := range words {
		if rest, ok = strings.CutPrefix(text, word); !ok {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(word)
		next, _ := utf8.DecodeRuneInString(rest)
		if unicode.Is(unicode.Han, last) || !unicode.IsLetter(next) || unicode.Is(unicode.Han, next) {
			return rest, true
		}
	}
	return text, false
}
