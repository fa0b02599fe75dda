package knowledge

import (
	"context"
	"fmt"
	"math"
)

// defaultDimensions is enough to distinguish the features of style names.
const defaultDimensions = 256

// HashEmbedder is an Embedder that needs no model and no network. It hashes sequences of one to
// three Chinese characters, whole words, and sequences of three or four letters. Texts with many
// such features in common have similar vectors, the same in every process.
type HashEmbedder struct {
	Dimensions int // length of a vector; 0: 256
}

var _ Embedder = HashEmbedder{}

// Name returns a name with a version that changes whenever the vectors change.
func (l HashEmbedder) Name() string { return fmt.Sprintf("local-1/%d", l.dimensions()) }

// Embed returns vectors of Euclidean length 1, and a zero vector for a text without letters.
func (l HashEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if l.Dimensions < 0 {
		return nil, fmt.Errorf("knowledge.HashEmbedder.Dimensions: %d is negative", l.Dimensions)
	}
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		vectors[i] = make([]float32, l.dimensions())
		features(vectors[i]).addText(t)
		if u, ok := unit(vectors[i]); ok {
			vectors[i] = u
		}
	}
	return vectors, nil
}

func (l HashEmbedder) dimensions() int {
	if l.Dimensions == 0 {
		return defaultDimensions
	}
	return l.Dimensions
}

// Weights of features, before they are reduced for fillers. The square of a weight is its share of
// the similarity: in a Chinese word of two characters, the pair contributes two thirds.
const (
	oneCharacter    = 0.5
	twoCharacters   = 1
	threeCharacters = 0.7
	wholeWord       = 0.8
	joinedWords     = 0.9 // makes cyber punk similar to cyberpunk
	fewLetters      = 0.45
)

// features is a vector to which hashed features are added. Each feature changes several dimensions,
// with random signs.
type features []float32

func (f features) addText(text string) {
	var before run
	for _, r := range normalizedRuns(text) {
		if r.chinese {
			f.addChinese(r.runes)
		} else {
			f.addWord(r.runes)
			if before.runes != nil && !before.chinese {
				f.addJoined(before.runes, r.runes)
			}
		}
		before = r
	}
}

func (f features) addChinese(runes []rune) {
	w := characterWeights(runes)
	for i := range runes {
		least := w[i]
		for n, weight := range [...]float32{oneCharacter, twoCharacters, threeCharacters} {
			if i+n == len(runes) {
				break
			}
			least = min(least, w[i+n])
			f.add(runes[i:i+n+1], weight*least)
		}
	}
}

func (f features) addWord(runes []rune) {
	weight := wordWeight(runes)
	f.add(runes, wholeWord*weight)
	bounded := append(append([]rune{'^'}, runes...), '$')
	for _, n := range [...]int{3, 4} {
		for i := 0; i+n <= len(bounded); i++ {
			f.add(bounded[i:i+n], fewLetters*weight)
		}
	}
}

func (f features) addJoined(a, b []rune) {
	weight := min(wordWeight(a), wordWeight(b))
	f.add(append(append([]rune{}, a...), b...), joinedWords*weight)
}

// dimensionsPerFeature is the number of dimensions that a feature changes. With several, a single
// hash collision does not make texts similar.
const dimensionsPerFeature = 8

// add adds a feature. FNV-1a of its runes seeds SplitMix64 (Steele, Lea, Flood 2014), which returns
// the dimensions and signs.
func (f features) add(feature []rune, weight float32) {
	h := uint64(0xcbf29ce484222325)
	for _, r := range feature {
		h = (h ^ uint64(r)) * 0x100000001b3
	}
	for range dimensionsPerFeature {
		h += 0x9e3779b97f4a7c15
		z := (h ^ h>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		if z>>63 == 1 {
			f[z%uint64(len(f))] -= weight
		} else {
			f[z%uint64(len(f))] += weight
		}
	}
}

// unit returns v scaled to length 1. ok is false for a zero or infinite vector.
func unit(v []float32) (_ []float32, ok bool) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil, false
	}
	scale, u := 1/math.Sqrt(sum), make([]float32, len(v))
	for i, x := range v {
		u[i] = float32(float64(x) * scale)
	}
	return u, true
}
