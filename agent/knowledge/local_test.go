package knowledge_test

import (
	"crypto/sha256"
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/knowledge"
)

func vectors(e knowledge.Embedder, texts ...string) [][]float32 {
	GinkgoHelper()
	v, err := e.Embed(background, texts)
	Expect(err).NotTo(HaveOccurred())
	Expect(v).To(HaveLen(len(texts)))
	return v
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func similarity(a, b string) float64 {
	GinkgoHelper()
	v := vectors(local, a, b)
	return dot(v[0], v[1])
}

var _ = Describe("The hash embedder", func() {
	It("returns vectors of length 1 with the requested number of dimensions, or zero vectors", func() {
		Expect(vectors(local, "水墨")[0]).To(HaveLen(256))
		v := vectors(knowledge.HashEmbedder{Dimensions: 64}, "水墨 ink", "🎨…!", "")
		Expect(v[0]).To(HaveLen(64))
		Expect(math.Sqrt(dot(v[0], v[0]))).To(BeNumerically("~", 1, 1e-6))
		Expect(v[1]).To(Equal(make([]float32, 64)), "nothing to compare")
		Expect(v[2]).To(Equal(make([]float32, 64)))
	})

	It("has another name for another number of dimensions, and rejects a negative number", func() {
		Expect(local.Name()).To(Equal(knowledge.HashEmbedder{Dimensions: 256}.Name()))
		Expect(local.Name()).NotTo(Equal(knowledge.HashEmbedder{Dimensions: 64}.Name()))
		_, err := knowledge.HashEmbedder{Dimensions: -1}.Embed(background, []string{"x"})
		Expect(err).To(MatchError("knowledge.HashEmbedder.Dimensions: -1 is negative"))
	})

	// A library file stores only the name of its embedder. If the vectors change, the name must
	// change, too.
	It("returns exactly the expected vectors for its name", func() {
		sum := sha256.New()
		for _, v := range vectors(local, "赛博朋克风格 cyberpunk style 80's") {
			fmt.Fprint(sum, v)
		}
		Expect(fmt.Sprintf("%s %x", local.Name(), sum.Sum(nil)[:6])).To(Equal("local-1/256 e1727b2ed8c6"))
	})

	DescribeTable("returns equal vectors for spellings that differ in case, width, punctuation or accents",
		func(a, b string) { Expect(similarity(a, b)).To(BeNumerically("~", 1, 1e-6)) },
		Entry(nil, "Cyberpunk", "CYBERPUNK"),
		Entry(nil, "３Ｄ　渲染", "3d渲染"),
		Entry(nil, "low-poly", "Low Poly"),
		Entry(nil, "水墨, 写意", "水墨/写意"),
		Entry(nil, "Art Déco", "art deco"),
		Entry(nil, "80’s", "80s"),
		Entry(nil, " 水墨 ", "「水墨」"),
	)

	DescribeTable("returns nearly equal vectors for a style with and without filler words",
		func(a, b string) { Expect(similarity(a, b)).To(BeNumerically(">", 0.8)) },
		Entry(nil, "赛博朋克风格", "赛博朋克"),
		Entry(nil, "赛博朋克的感觉", "赛博朋克"),
		Entry(nil, "宫崎骏那种", "宫崎骏"),
		Entry(nil, "宫崎骏的画风", "宫崎骏"),
		Entry(nil, "宫崎骏画风", "宫崎骏"),
		Entry(nil, "像素风", "像素"),
		Entry(nil, "胶片感", "胶片"),
		Entry(nil, "油画风", "油画"),
		Entry(nil, "油画风格", "油画"),
		Entry(nil, "水墨画", "水墨"),
		Entry(nil, "水墨画风格", "水墨"),
		Entry(nil, "治愈系", "治愈"),
		Entry(nil, "cyberpunk style", "cyberpunk"),
		Entry(nil, "pixel art", "pixel"),
		Entry(nil, "ink wash painting", "ink wash"),
		Entry(nil, "studio ghibli-ish", "studio ghibli"),
		Entry(nil, "in the style of Studio Ghibli", "studio ghibli"),
		Entry(nil, "vaporwave aesthetic vibes", "vaporwave"),
	)

	DescribeTable("returns similar vectors for variants of a name",
		func(a, b string) { Expect(similarity(a, b)).To(BeNumerically(">", 0.6)) },
		Entry("in another order", "80年代复古", "复古80年代"),
		Entry("in another order of words", "retro 80s", "80s retro"),
		Entry("as two words instead of one", "cyber punk", "cyberpunk"),
		Entry("with another ending", "impressionist", "impressionism"),
		Entry("in another spelling", "watercolour", "watercolor"),
		Entry("that are a part of it", "ghibli", "studio ghibli"),
	)

	DescribeTable("returns clearly different vectors for different styles",
		func(a, b string) { Expect(similarity(a, b)).To(BeNumerically("<", 0.55)) },
		Entry("with one character in common", "油画", "版画"),
		Entry("with a last character that is usually a filler", "国风", "国画"),
		Entry("with one filler word in common", "水墨风格", "像素风格"),
		Entry("if one of them is only a filler word", "风格", "赛博朋克风格"),
		Entry("with one half in common", "赛博朋克", "蒸汽朋克"),
		Entry("with one ending in common", "cyberpunk", "steampunk"),
		Entry("with the same kind of image", "oil painting", "ink painting"),
		Entry("if one name is part of the other by chance", "山水", "青绿山水画卷"),
		Entry("for a Chinese and an English name", "水墨", "ink wash"),
	)

	It("does not return similar vectors for unrelated words because of hash collisions", func() {
		styles, err := knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, s := range styles {
			names = append(names, s.ZH)
		}
		v := vectors(local, append(names, "城市", "随便", "小狗", "dog", "beach")...)
		for i, strange := range v[len(names):] {
			for j := range names {
				Expect(dot(strange, v[j])).To(BeNumerically("<", 0.5), "%d and %s", i, names[j])
			}
		}
	})
})
