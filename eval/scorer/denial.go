package scorer

import (
	"slices"
	"strings"
)

// clauseMarks are the characters that end a clause. A denial does not reach over them.
const clauseMarks = ".,;:!?()[]{}。、…\n–—"

// maxClause is the maximum length of a clause that is searched for a denial, in words or Chinese
// characters.
const maxClause = 50

// Words of a denial, in normalized form. An English word starts with a space.
var (
	// denials deny what follows them.
	denials = []string{
		" not", " never", " without", " neither", " nor", " non", " rather than", " instead of", " as opposed to",
		" nobody", " no 1", " no longer", "不", "没", "没有", "未", "无", "非", "并非", "而非", "绝非", "从未",
	}

	// noDeterminer denies a noun. Before a number it is the word for "number".
	noDeterminer = " no"

	// carriers pass a denial on to what follows them: articles, forms of "be", pronouns, adverbs of
	// degree and their Chinese counterparts.
	carriers = []string{
		" a", " an", " the", " any", " its", " their",
		" be", " is", " are", " was", " were", " been", " being", " equal to",
		" it", " they", " that", " this", " there",
		" about", " around", " exactly", " precisely", " roughly", " approximately", " nearly", " even", " quite",
		" really", " actually", " at all", " value of",
		"是", "为", "有", "在", "在于", "等于", "约", "大约", "约为", "任何", "真的", "真正", "会", "能", "得", "应", "应该", "可能", "被",
	}

	// prepositions pass a denial on only directly: "not in Berlin" denies Berlin, but "did not change in
	// Berlin" does not.
	prepositions = []string{" in", " at", " on", " by", " from", " with", " of", " as", " to", " for"}

	// verbs are those whose object does not hold if they are negated, with their irregular forms.
	verbs = []string{
		"use", "employ", "apply", "applied", "adopt", "choose", "chose", "chosen", "have", "had", "contain", "include",
		"reach", "equal", "attain", "achieve", "obtain", "get", "got", "give", "gave", "given", "find", "found",
		"observe", "measure", "report", "mention", "state", "need", "require", "support", "say", "said", "call",
	}
	chineseVerbs = []string{
		"达到", "达", "使用", "采用", "运用", "应用", "用", "用到", "包含", "包括", "含有", "含", "设", "设有", "设置", "配备", "装", "带",
		"报告", "提到", "提及", "说", "说明", "写", "给出", "发现", "找到", "测得", "出现", "需要", "选择", "选用", "支持", "叫", "姓",
	}

	// untrue are predicates that deny their subject. The Chinese ones end the clause.
	untrue        = []string{" wrong", " incorrect", " false", " untrue", " mistaken"}
	untrueChinese = []string{"错", "错误", "不对", "不正确", "不准确", "不成立", "不存在", "有误"}

	// noEvidence are phrases that deny the statement after them.
	noEvidence = []string{" no evidence", " no proof", " no indication", " no sign"}

	// confirmed are predicates that deny their subject if they are negated, as in "was not used".
	confirmed = []string{
		" correct", " true", " right", " used", " applied", " employed", " adopted", " chosen", " reached", " achieved",
		" obtained", " found", " mentioned", " reported",
	}
)

// isDenied reports whether the text denies its tokens first to last: a denial in front of them ("not
// 0.84", 并非0.84), a predicate after them ("0.84 is wrong", 没有被使用), or a question that is answered with no.
// A denial inside the tokens is part of the fact.
func (w wording) isDenied(first, last int) bool {
	before := w.clauseBefore(first)
	return deniesNext(before, w.tokens[first].kind == figure) || deniesStatement(before) ||
		deniesSubject(w.clauseAfter(last)) || w.isRefutedQuestion(last)
}

// clauseBefore returns the words of the clause in front of a token.
func (w wording) clauseBefore(at int) string {
	from := at
	for from > max(0, at-maxClause) && w.tokens[from].mark == 0 {
		from--
	}
	return w.words(from, at)
}

// clauseAfter returns the words of the clause after a token.
func (w wording) clauseAfter(at int) string {
	to := at + 1
	for to < min(len(w.tokens), at+maxClause) && w.tokens[to].mark == 0 {
		to++
	}
	return w.words(at+1, to)
}

// words returns tokens as text: English words and numbers have a space in front of them.
func (w wording) words(from, to int) string {
	var b strings.Builder
	for _, t := range w.tokens[from:to] {
		if t.kind != character {
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimSuffix(w.form[t.at:t.end], "e0"))
	}
	return b.String()
}

// deniesNext reports whether a clause ends with a denial of the next word.
func deniesNext(clause string, isNumber bool) bool {
	isDirect, hasVerb := true, false
	if before, ok := cutSuffixOf(clause, prepositions); ok && !endsWith(clause, denials) {
		clause, isDirect = before, false
	}
	for {
		if before, ok := cutSuffixOf(clause, denials); ok {
			return !endsWith(withoutCarriers(before), denials) // 不得不 affirms
		}
		if !isNumber && endsWith(clause, []string{noDeterminer}) {
			return true
		}
		before, ok := cutSuffixOf(clause, carriers)
		if !ok && isDirect && !hasVerb {
			before, ok = cutVerb(clause)
			hasVerb = true
		}
		if !ok {
			return false
		}
		clause = before
	}
}

// deniesStatement reports whether a clause denies or leaves open the statement that it introduces: "it is wrong that",
// "it is not true that", "there is no evidence that", "does not report whether", 没有说明是否.
func deniesStatement(clause string) bool {
	clause += " "
	if i := strings.LastIndex(clause, " that "); i >= 0 {
		if endsWith(clause[:i], noEvidence) {
			return true
		}
		if before, ok := cutSuffixOf(clause[:i], untrue); ok {
			return !endsWith(before, denials)
		}
		if before, ok := cutSuffixOf(clause[:i], confirmed); ok {
			return endsWith(withoutCarriers(before), denials)
		}
	}
	return slices.ContainsFunc([]string{" whether ", "是否"}, func(whether string) bool {
		i := strings.LastIndex(clause, whether)
		return i >= 0 && deniesNext(clause[:i], false)
	})
}

func withoutCarriers(clause string) string {
	for {
		before, ok := cutSuffixOf(clause, carriers)
		if !ok {
			return clause
		}
		clause = before
	}
}

// cutVerb removes a verb from the end of a clause.
func cutVerb(clause string) (before string, ok bool) {
	if before, ok = cutSuffixOf(clause, chineseVerbs); ok {
		return before, true
	}
	at := strings.LastIndexByte(clause, ' ')
	if at < 0 || !isVerb(clause[at+1:]) {
		return clause, false
	}
	return clause[:at], true
}

// isVerb reports whether a word is a form of one of verbs.
func isVerb(word string) bool {
	return slices.ContainsFunc(verbs, func(v string) bool {
		ending, ok := strings.CutPrefix(word, strings.TrimSuffix(v, "e"))
		return ok && slices.Contains([]string{"", "e", "s", "es", "d", "ed", "ing", "ting"}, ending)
	})
}

// deniesSubject reports whether a clause that follows a fact denies it.
func deniesSubject(clause string) bool {
	isBe := false
	for {
		rest, ok := cutPrefixOf(clause, []string{" is", " are", " was", " were", " has", " have", " been", " be", " being",
			"这个", "数值", "数字", "说法", "是", "并", "的"})
		if !ok {
			break
		}
		clause, isBe = rest, true
	}
	if _, ok := cutPrefixOf(clause, untrue); ok && isBe {
		return true
	}
	if rest, ok := cutPrefixOf(clause, untrueChinese); ok && strings.Trim(rest, "的了") == "" {
		return true
	}
	rest, ok := cutPrefixOf(clause, denials)
	if !ok {
		return false
	}
	if passive, ok := strings.CutPrefix(rest, "被"); ok {
		_, ok = cutPrefixOf(passive, chineseVerbs)
		return ok
	}
	if verb, ok := cutPrefixOf(rest, chineseVerbs); ok {
		return verb == ""
	}
	_, ok = cutPrefixOf(strings.TrimPrefix(rest, " been"), confirmed)
	return isBe && ok
}

// isRefutedQuestion reports whether a token is in a question that the next sentence answers with no.
func (w wording) isRefutedQuestion(at int) bool {
	for i := at + 1; i < min(len(w.tokens), at+maxClause); i++ {
		if mark := w.tokens[i].mark; mark != 0 {
			rest := w.words(i, min(i+2, len(w.tokens)))
			_, ok := cutPrefixOf(rest, append([]string{noDeterminer}, denials...))
			return mark == '?' && ok
		}
	}
	return false
}

func endsWith(text string, list []string) bool {
	_, ok := cutSuffixOf(text, list)
	return ok
}

// cutSuffixOf removes the longest suffix of text that is in the list.
func cutSuffixOf(text string, list []string) (before string, ok bool) {
	before = text
	for _, s := range list {
		if rest, found := strings.CutSuffix(text, s); found && len(rest) < len(before) {
			before, ok = rest, true
		}
	}
	return before, ok
}

// cutPrefixOf removes the longest prefix of text that is in the list. An English word must be whole.
func cutPrefixOf(text string, list []string) (after string, ok bool) {
	after = text
	for _, s := range list {
		rest, found := strings.CutPrefix(text, s)
		if found && s[0] == ' ' && rest != "" && alphabetic(rune(rest[0])) {
			continue
		}
		if found && len(rest) < len(after) {
			after, ok = rest, true
		}
	}
	return after, ok
}
