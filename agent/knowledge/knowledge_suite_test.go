package knowledge_test

import (
	"context"
	"errors"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
)

func TestKnowledge(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "knowledge")
}

var (
	background = context.Background()
	local      = knowledge.HashEmbedder{}
	midnight   = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
)

// sampleStyles returns a new list of four styles.
func sampleStyles() []knowledge.Style {
	return []knowledge.Style{
		{ID: "ink-wash", ZH: "水墨", EN: "ink wash", Aliases: []string{"水墨画", "国画"}, Prompt: "diluted ink"},
		{ID: "cyberpunk", ZH: "赛博朋克", EN: "cyberpunk", Aliases: []string{"霓虹都市"}, Prompt: "neon rain"},
		{ID: "ghibli", ZH: "吉卜力", EN: "Ghibli", Aliases: []string{"宫崎骏", "Studio Ghibli"}, Prompt: "soft meadows"},
		{ID: "retro-80s", ZH: "复古80年代", EN: "80s retro", Prompt: "chrome letters"},
	}
}

// newLibrary returns a library that is closed at the end of the test.
func newLibrary(styles []knowledge.Style, e knowledge.Embedder) *knowledge.StyleLibrary {
	GinkgoHelper()
	l, err := knowledge.New(background, styles, e)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(l.Close)
	return l
}

func search(l *knowledge.StyleLibrary, e knowledge.Embedder, q knowledge.Query) []knowledge.StyleMatch {
	GinkgoHelper()
	hits, err := l.Search(background, e, q)
	Expect(err).NotTo(HaveOccurred())
	return hits
}

func ids(hits []knowledge.StyleMatch) []string {
	all := []string{}
	for _, h := range hits {
		all = append(all, h.Style.ID)
	}
	return all
}

// fixedEmbedder is an embedder with fixed vectors for a few texts. takes is the duration of a call.
type fixedEmbedder struct {
	name    string
	vectors map[string][]float32
	takes   time.Duration
}

func (c fixedEmbedder) Name() string { return c.name }

func (c fixedEmbedder) Embed(ctx context.Context, texts []string) (all [][]float32, err error) {
	for _, t := range texts {
		v, ok := c.vectors[t]
		if !ok {
			return nil, errors.New("not on the chart: " + t)
		}
		all = append(all, v)
	}
	return all, clock.Sleep(ctx, c.takes)
}
