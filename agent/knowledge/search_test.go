package knowledge_test

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
)

// angles is an embedder of four styles whose cosines to "east" are 1, 0.8, 0.6 and -1.
var angles = fixedEmbedder{name: "angles", vectors: map[string][]float32{
	"east": {2, 0}, "甲": {1, 0}, "乙": {4, 3}, "丙": {0.6, -0.8}, "丁": {-3, 0}, "a": {0, 1}, "b": {0, 1},
	"c": {0, 1}, "d": {0, 1},
	"nowhere": {0, 0}, "flat": {1}, "high": {0, 5}, "endless": {float32(math.Inf(1)), 0},
}}

func angled() []knowledge.Style {
	return []knowledge.Style{
		{ID: "z", ZH: "丁", EN: "d", Prompt: "p"}, {ID: "c", ZH: "丙", EN: "c", Prompt: "p"},
		{ID: "b", ZH: "乙", EN: "b", Prompt: "p"}, {ID: "a", ZH: "甲", EN: "a", Prompt: "p"},
	}
}

var _ = Describe("A search for styles", func() {
	It("S3: finds a style by its names in both languages and by its aliases", func() {
		l := newLibrary(sampleStyles(), local)
		for _, name := range []string{"水墨", "ink wash", "国画", "水墨画"} {
			hits := search(l, local, knowledge.Query{Texts: []string{name}, Limit: 3, MinSimilarity: 0.7})
			Expect(hits).To(Equal([]knowledge.StyleMatch{{Style: sampleStyles()[0], Similarity: 1}}), name)
		}
	})

	It("S3: compares each text separately and returns each style once, with its best match", func() {
		l := newLibrary(sampleStyles(), local)
		hits := search(l, local,
			knowledge.Query{Texts: []string{"宫崎骏", "一片草地上的猫，赛博朋克不行", "ghibli", "水墨风格", "宫崎骏"}, MinSimilarity: 0.6})
		Expect(ids(hits)).To(Equal([]string{"ghibli", "ink-wash"}))
		Expect(hits[0].Similarity).To(BeEquivalentTo(1))
		Expect(hits[1].Similarity).To(And(BeNumerically(">", 0.9), BeNumerically("<", 1)))
	})

	DescribeTable("S3: returns the best style of each requested name before all others",
		func(names, texts []string, limit int, want ...string) {
			q := knowledge.Query{Names: names, Texts: texts, Limit: limit, MinSimilarity: 0.6}
			Expect(ids(search(newLibrary(angled(), angles), angles, q))).To(Equal(want))
		},
		Entry("the most similar styles if no name is requested", nil, []string{"丁", "east"}, 2, "a", "z"),
		Entry("a requested name although a text matches others better", []string{"丁"}, []string{"east"}, 2, "a", "z"),
		Entry("requested names only", []string{"丁", "甲"}, nil, 2, "a", "z"),
		Entry("another style in second place if two names mean the same style", []string{"甲", "east"},
			nil, 2, "a", "b"),
		Entry("the most similar styles if there are more names than the limit", []string{"甲", "丁", "乙"},
			nil, 2, "a", "b"),
		Entry("other styles if a name has no match", []string{"", " ", "nowhere", "丁"}, []string{"east"}, 2, "a", "z"),
	)

	It("S3: caches results with requested names separately from those without", func() {
		l := newLibrary(angled(), angles)
		words := []string{"丁", "甲", "east"}
		Expect(ids(search(l, angles, knowledge.Query{Texts: words, Limit: 2, MinSimilarity: 0.7}))).
			To(Equal([]string{"a", "z"}))
		Expect(ids(search(l, angles,
			knowledge.Query{Names: []string{"丙"}, Texts: []string{"甲", "乙"}, Limit: 2, MinSimilarity: 0.7}))).
			To(Equal([]string{"a", "c"}))
		Expect(ids(search(l, angles, knowledge.Query{Texts: []string{"丙", "甲", "乙"}, Limit: 2, MinSimilarity: 0.7}))).
			To(Equal([]string{"a", "b"}))
	})

	DescribeTable("S3: returns the styles with at least a minimum similarity, best first",
		func(least float64, limit int, want ...string) {
			q := knowledge.Query{Texts: []string{"east"}, MinSimilarity: least, Limit: limit}
			Expect(ids(search(newLibrary(angled(), angles), angles, q))).To(Equal(want))
		},
		Entry("all for a minimum of 0", 0.0, 0, "a", "b", "c", "z"),
		Entry("all for a negative minimum", -5.0, 0, "a", "b", "c", "z"),
		Entry("including one that is equal to the minimum", 0.6, 0, "a", "b", "c"),
		Entry("without one that is just below the minimum", 0.600001, 0, "a", "b"),
		Entry("only identical ones for a minimum of 1", 1.0, 0, "a"),
		Entry("up to a limit", 0.6, 2, "a", "b"),
		Entry("all if there are fewer than the limit", 0.6, 9, "a", "b", "c"),
		Entry("none for a minimum above 1", 1.01, 0),
		Entry("none for NaN", math.NaN(), 0),
		Entry("all for minus infinity, up to a limit", math.Inf(-1), 1, "a"),
	)

	It("returns cosines, at least 0, and sorts ties by id", func() {
		hits := search(newLibrary(angled(), angles), angles, knowledge.Query{Texts: []string{"east"}})
		var similarities []float64
		for _, h := range hits {
			similarities = append(similarities, h.Similarity)
		}
		Expect(similarities).To(Equal([]float64{1, 0.8, 0.6, 0}))
		equals := search(newLibrary(angled(), angles), angles, knowledge.Query{Texts: []string{"high"}, Limit: 3})
		Expect(ids(equals)).To(Equal([]string{"a", "b", "c"}))
	})

	It("skips texts without letters", func() {
		l := newLibrary(angled(), angles)
		Expect(ids(search(l, angles,
			knowledge.Query{Texts: []string{"", " \n", "nowhere", "endless", "east"}, Limit: 1}))).
			To(Equal([]string{"a"}))
		for _, texts := range [][]string{nil, {"", "\t"}, {"nowhere"}} {
			Expect(search(l, angles, knowledge.Query{Texts: texts})).To(BeEmpty())
		}
	})

	It("finds the right ones of several thousand styles", func() {
		styles, e := grid(2500, 8)
		hits := search(newLibrary(styles, e), e,
			knowledge.Query{Texts: []string{styles[2499].ZH, styles[0].EN}, MinSimilarity: 1})
		Expect(ids(hits)).To(Equal([]string{styles[0].ID, styles[2499].ID}))
	})

	DescribeTable("returns an error if the embedder does not fit the library",
		func(e knowledge.Embedder, text, message string) {
			_, err := newLibrary(angled(), angles).Search(background, e, knowledge.Query{Texts: []string{text}})
			Expect(err).To(MatchError("search styles: " + message))
		},
		Entry("because the library was created with another one", local, "east",
			"the library was made with angles, not with local-1/256"),
		Entry("because it fails", angles, "west", "not on the chart: west"),
		Entry("because it returns a vector of another length", angles, "flat",
			"angles made a vector of 1 dimensions, the library's have 2"),
		Entry("because it returns too few vectors", short{angles}, "east", "angles made 0 vectors of 1 texts"),
	)

	It("returns an error in a closed library, and closing it again does nothing", func() {
		l := newLibrary(sampleStyles(), local)
		Expect(l.Close()).To(Succeed())
		Expect(l.Close()).To(Succeed())
		_, err := l.Search(background, local, knowledge.Query{Texts: []string{"水墨"}})
		Expect(err).To(MatchError("search styles: sql: database is closed"))
	})
})

// short is an embedder that returns no vectors.
type short struct{ fixedEmbedder }

func (short) Embed(context.Context, []string) ([][]float32, error) { return nil, nil }

// watched is a context that counts the calls of Done.
type watched struct {
	context.Context
	by *atomic.Int32
}

func (w watched) Done() <-chan struct{} {
	w.by.Add(1)
	return w.Context.Done()
}

var _ = Describe("A search in simulated or wall-clock time", func() {
	It("X5: starts no goroutine that watches a simulated context", func() {
		l := newLibrary(sampleStyles(), local)
		q := knowledge.Query{Texts: []string{"水墨"}}
		var simulated, asked atomic.Int32
		Expect(clock.RunSimulated(background, midnight, func(ctx context.Context) error {
			_, err := l.Search(watched{ctx, &simulated}, local, q)
			return err
		})).To(Succeed())
		Expect(simulated.Load()).To(BeZero())
		q.Limit = 1 // so that the result is not cached
		_, err := l.Search(watched{background, &asked}, local, q)
		Expect(err).NotTo(HaveOccurred())
		Expect(asked.Load()).NotTo(BeZero())
	})

	It("returns a cached result for the same query with the same limits", func() {
		l := newLibrary(sampleStyles(), local)
		var scans atomic.Int32
		search := func(limit int, least float64, texts ...string) []knowledge.StyleMatch {
			GinkgoHelper()
			hits, err := l.Search(watched{background, &scans}, local,
				knowledge.Query{Texts: texts, Limit: limit, MinSimilarity: least})
			Expect(err).NotTo(HaveOccurred())
			return hits
		}
		first := search(3, 0.1, "水墨")
		Expect(first).NotTo(BeEmpty())
		once := scans.Load()
		again := search(3, 0.1, "水墨")
		Expect(again).To(Equal(first))
		Expect(scans.Load()).To(Equal(once))
		again[0].Similarity = -1
		Expect(search(3, 0.1, "水墨")).To(Equal(first), "nobody can write into what is remembered")
		for _, other := range []func(){
			func() { search(2, 0.1, "水墨") }, func() { search(3, 0.2, "水墨") }, func() { search(3, 0.1, "水墨", "油画") },
		} {
			before := scans.Load()
			other()
			Expect(scans.Load()).To(BeNumerically(">", before))
		}
		Expect(l.Close()).To(Succeed())
		_, err := l.Search(background, local, knowledge.Query{Texts: []string{"水墨"}, Limit: 3, MinSimilarity: 0.1})
		Expect(err).To(HaveOccurred())
	})

	It("S9: ends at a simulated timeout, and the scan takes no simulated time", func() {
		slow := angles
		slow.takes = 2 * time.Second
		l := newLibrary(angled(), angles)
		Expect(clock.RunSimulated(background, midnight, func(ctx context.Context) error {
			limited, cancel := clock.WithTimeout(ctx, 3*time.Second)
			defer cancel()
			Expect(l.Search(limited, slow, knowledge.Query{Texts: []string{"east"}})).To(HaveLen(4))
			Expect(clock.Since(ctx, midnight)).To(Equal(2 * time.Second))
			_, err := l.Search(limited, slow, knowledge.Query{Texts: []string{"east"}})
			Expect(err).To(MatchError(context.DeadlineExceeded))
			Expect(clock.Since(ctx, midnight)).To(Equal(3 * time.Second))
			return nil
		})).To(Succeed())
	})

	It("returns the context's error at once if the context has ended", func() {
		ctx, cancel := context.WithCancel(background)
		cancel()
		_, err := newLibrary(sampleStyles(), local).Search(ctx, local, knowledge.Query{Texts: []string{"水墨"}})
		Expect(err).To(MatchError(context.Canceled))
		Expect(clock.RunSimulated(background, midnight, func(simulated context.Context) error {
			ctx, cancel := context.WithCancel(simulated)
			cancel()
			_, err := newLibrary(sampleStyles(), local).Search(ctx, local, knowledge.Query{Texts: []string{"水墨"}})
			return err
		})).To(MatchError(context.Canceled))
	})

	It("S9: ends at a timeout during a long scan on the wall clock, and the next search works", func() {
		styles, e := grid(500, 256)
		l := newLibrary(styles, e)
		var names []string
		for _, s := range styles[:400] {
			names = append(names, s.ZH)
		}
		ctx, cancel := clock.WithTimeout(background, 5*time.Millisecond)
		defer cancel()
		_, err := l.Search(ctx, e, knowledge.Query{Texts: names, MinSimilarity: 0.9})
		Expect(err).To(MatchError(context.DeadlineExceeded))
		Expect(search(l, e, knowledge.Query{Texts: names[:2], MinSimilarity: 1})).To(HaveLen(2))
	})

	It("X8: returns the same results if it runs concurrently with others", func() {
		styles, err := knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
		l := newLibrary(styles, local)
		queries := []knowledge.Query{
			{Texts: []string{"赛博朋克", "一只猫"}, Limit: 3}, {Texts: []string{"retro"}, MinSimilarity: 0.4},
			{Texts: []string{"水墨画风格", "山", "x"}, Limit: 9},
		}
		want := make([][]knowledge.StyleMatch, len(queries))
		for i, q := range queries {
			want[i] = search(l, local, q)
		}
		g, _ := clock.NewGroup(background, 0)
		for n := range 60 {
			g.Go("searcher", func(ctx context.Context) error {
				got, err := l.Search(ctx, local, queries[n%3])
				Expect(got).To(Equal(want[n%3]))
				return err
			})
		}
		Expect(g.Wait()).To(Succeed())
	})
})
