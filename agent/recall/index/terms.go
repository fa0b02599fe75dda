package index

import (
	"slices"
	"strings"

	"evalctl/agent/fulltext"
)

// Limits on the terms of a text.
const (
	maxTerm  = 64 // bytes of one term
	maxTerms = 64 // number of terms of one question
)

// Stop words: words that form a question but do not describe its topic.
const (
	chineseStopWords = `为什么 什么时候 什么 怎么样 怎么 怎样 如何 哪些 哪个 哪种 哪里 哪一 多少 几个 是否 有没有 是不是 请问 请 一下 介绍 说明 告诉我 这篇 那篇 本文 该文 的 了 吗 呢`
	englishStopWords = `a an the i me my we our you your it its they them their this that these those is are was were be been do does did
		has have had can could would should will what when where who which how why and or of in on at to for from with about by as
		than much many please tell`
)

var (
	partings  = fulltext.StopwordReplacer(chineseStopWords)
	stopWords = fulltext.NormalizedWords(englishStopWords)
)

// count counts the terms of a normalized text. It adds the count of each term to the map each, and
// returns the total.
func count(folded string, each map[string]int) (all int) {
	for run := range strings.FieldsSeq(folded) {
		for _, t := range fulltext.Terms(run) {
			each[t[:min(len(t), maxTerm)]]++
			all++
		}
	}
	return all
}

// questionTerms returns the distinct search terms of a question, in order. Chinese text is split
// into pairs of characters; an isolated character is a term itself. Stop words are dropped, unless
// there are no other words.
func questionTerms(question string) []string {
	folded := fulltext.Normalize(question)
	if all := termsWithout(partings.Replace(folded), stopWords); len(all) > 0 {
		return all
	}
	return termsWithout(folded, nil)
}

func termsWithout(folded string, without map[string]bool) (all []string) {
	for run := range strings.FieldsSeq(folded) {
		if without[run] {
			continue
		}
		terms := []string{run[:min(len(run), maxTerm)]}
		if runes := []rune(run); len(runes) > 1 && fulltext.IsUnsegmented(runes[0]) {
			terms = fulltext.Bigrams(run)
		}
		for _, t := range terms {
			if !slices.Contains(all, t) && len(all) < maxTerms {
				all = append(all, t)
			}
		}
	}
	return all
}
