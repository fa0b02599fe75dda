package knowledge

import (
	"slices"
	"strings"
)

// Weights of words that say little about which style is meant. Other words have weight 1.
const (
	fillerWeight = 0.2
	kindWeight   = 0.5 // for a kind of image, which says a little
)

var fillerWords = weighing(fillerWeight, `style styled styles art arts artwork picture image look looks looking
	feel feeling vibe vibes aesthetic aesthetics like ish esque inspired kind sort type of the a an in by
	with some something more very really kinda please make it`)

var kindWords = weighing(kindWeight, `painting paintings drawing drawings illustration illustrations`)

// fillerPhrases are Chinese words with a low weight, found anywhere in a text. If two overlap, the
// first in this list counts.
var fillerPhrases = phrases(`风格化 的画风 风格 风味 质感 感觉 氛围 味道 调调 效果 样子 那种 这种 那样 这样
	那个 这个 一样 之类 类似 有点 一点 来点 来个 一些 比较 非常 我想要 想要 的`)

// endings are final characters with a low weight after at least two others: 水墨画 is similar to 水墨.
// After one character they count fully: 油画 is not similar to 油.
var endings = map[rune]float32{'风': fillerWeight, '感': fillerWeight, '味': fillerWeight, '画': kindWeight,
	'系': kindWeight}

func weighing(weight float32, words string) map[string]float32 {
	all := map[string]float32{}
	for w := range strings.FieldsSeq(words) {
		all[w] = weight
	}
	return all
}

func phrases(list string) (all [][]rune) {
	for p := range strings.FieldsSeq(list) {
		all = append(all, []rune(p))
	}
	return all
}

// wordWeight returns the weight of an alphabetic word.
func wordWeight(word []rune) float32 {
	if w, ok := fillerWords[string(word)]; ok {
		return w
	}
	if w, ok := kindWords[string(word)]; ok {
		return w
	}
	return 1
}

// characterWeights returns the weight of each character in a run of Chinese characters.
func characterWeights(runes []rune) []float32 {
	w := slices.Repeat([]float32{1}, len(runes))
	for _, p := range fillerPhrases {
		for i := 0; i+len(p) <= len(runes); i++ {
			if slices.Equal(runes[i:i+len(p)], p) && haveFullWeight(w[i:i+len(p)]) {
				copy(w[i:], slices.Repeat([]float32{fillerWeight}, len(p)))
			}
		}
	}
	weighEndings(runes, w)
	return w
}

func haveFullWeight(weights []float32) bool {
	return !slices.ContainsFunc(weights, func(w float32) bool { return w < 1 })
}

// weighEndings lowers the weights of endings that are last, or are followed only by fillers.
func weighEndings(runes []rune, w []float32) {
	end := len(runes)
	for end > 0 && w[end-1] < 1 {
		end--
	}
	for ; end >= 3 && haveFullWeight(w[end-3:end-1]); end-- {
		weight, ok := endings[runes[end-1]]
		if !ok {
			return
		}
		w[end-1] = weight
	}
}
