package knowledge_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/knowledge"
)

var _ = Describe("The library of shipped styles", Ordered, func() {
	var l *knowledge.StyleLibrary

	BeforeAll(func() {
		styles, err := knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
		l = newLibrary(styles, local)
	})

	It("31.2: finds each style by each of its names, and no style with a similar name", func() {
		for _, s := range l.Styles() {
			for _, name := range s.Names() {
				hits := search(l, local, knowledge.Query{Names: []string{name}, Limit: 3, MinSimilarity: 0.6,
					Texts: []string{name + " style", name + "风格"}, PreferExactName: true})
				Expect(hits).To(HaveLen(1), name)
				Expect(hits[0].Style.ID).To(Equal(s.ID), name)
			}
		}
	})

	It("31.2: finds several styles, and styles without an exact name", func() {
		for names, ids := range map[string][]string{"水墨、油画": {"ink-wash", "oil-painting"}, "水墨漫画": {"ink-comic"},
			"赛博": {"cyberpunk"}} {
			hits := search(l, local, knowledge.Query{Names: strings.Split(names, "、"), Texts: []string{"猫"}, Limit: 3,
				MinSimilarity: 0.6, PreferExactName: true})
			var found []string
			for _, h := range hits {
				found = append(found, h.Style.ID)
			}
			Expect(found).To(ConsistOf(ids), names)
		}
	})

	DescribeTable("S3: finds the styles by their common names with the minimum similarity of studio v1",
		func(text, id string) {
			hits := search(l, local, knowledge.Query{Texts: []string{text}, Limit: 3, MinSimilarity: 0.7})
			Expect(hits).NotTo(BeEmpty())
			Expect(hits[0].Style.ID).To(Equal(id))
		},
		Entry(nil, "赛博朋克风格", "cyberpunk"),
		Entry(nil, "cyberpunk style", "cyberpunk"),
		Entry(nil, "Cyber-Punk", "cyberpunk"),
		Entry(nil, "水墨", "ink-wash"),
		Entry(nil, "水墨画风", "ink-wash"),
		Entry(nil, "ink wash", "ink-wash"),
		Entry(nil, "宫崎骏那种", "ghibli"),
		Entry(nil, "studio ghibli-ish", "ghibli"),
		Entry(nil, "80年代复古", "retro-80s"),
		Entry(nil, "retro 80's style", "retro-80s"),
		Entry(nil, "像素风", "pixel-art"),
		Entry(nil, "low poly", "low-poly"),
		Entry(nil, "油画质感", "oil-painting"),
		Entry(nil, "impressionist painting", "impressionism"),
		Entry("31.2", "Chinese ink", "ink-wash"),
		Entry("31.2", "Chinese brush painting", "ink-wash"),
		Entry("31.2", "pencil drawing", "pencil-sketch"),
		Entry("31.2", "black and white", "black-white-photo"),
		Entry("31.2", "realistic", "photorealistic"),
		Entry("31.2", "stop motion", "claymation"),
		Entry("31.2", "calligraphy", "chinese-calligraphy"),
		Entry("31.2", "abstract painting", "abstract-expressionism"),
	)

	DescribeTable("S3: finds nothing for a text that names no style with the minimum similarity of studio v2",
		func(text string) {
			Expect(search(l, local, knowledge.Query{Texts: []string{text}, MinSimilarity: 0.6})).To(BeEmpty())
		},
		Entry(nil, "帮我画一张在雨夜街头奔跑的小猫，背景要有霓虹灯，画面温暖一点"),
		Entry(nil, "make me a picture of a dog running on the beach at sunset with my friends"),
		Entry(nil, "我想做一张给妈妈的生日贺卡，上面有花"),
		Entry(nil, "把天空换成晚霞"),
		Entry(nil, "一只猫"),
		Entry(nil, "城市"),
		Entry(nil, "好看一点的风格"),
		Entry(nil, "some nice style"),
		Entry(nil, "🎨✨"),
	)

	It("finds each style by all of its names", func() {
		styles, err := knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
		for _, s := range styles {
			for _, name := range append([]string{s.ZH, s.EN}, s.Aliases...) {
				hits := search(l, local, knowledge.Query{Texts: []string{name}, MinSimilarity: 1})
				Expect(ids(hits)).To(Equal([]string{s.ID}), name)
			}
		}
	})
})
