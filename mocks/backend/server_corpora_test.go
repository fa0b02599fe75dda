package backend_test

import (
	"context"
	"errors"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/recall"
	"evalctl/agent/recall/index"
	"evalctl/agent/system"
	"evalctl/mocks"
	"evalctl/mocks/backend"
	"evalctl/mocks/wire"
)

// singleDocumentSystem returns a system with a retrieval component that searches one document.
func singleDocumentSystem(id, dataset, text string) system.System {
	return system.System{Name: id,
		Components: []system.Component{{Name: "retrieval", Role: system.RoleRetrieval,
			NewCorpus: func(system.SettingValues) (recall.Searcher, error) {
				x, err := index.New(context.Background(),
					[]index.Document{{ID: id, Datasets: []string{dataset}, Text: text}},
					index.Config{CountTokens: utf8.RuneCountInString})
				if err == nil {
					DeferCleanup(x.Close)
				}
				return x, err
			}}}}
}

var _ = Describe("L5: the combined documents of a server for unknown callers", func() {
	broken := system.System{Name: "broken",
		Components: []system.Component{{Name: "retrieval", Role: system.RoleRetrieval,
			NewCorpus: func(system.SettingValues) (recall.Searcher, error) {
				return nil, errors.New("gone")
			}}}}
	wheat := singleDocumentSystem("wheat", "crops", "# 作物\n\n这里提到小麦，也提到许多别的作物，例如水稻、玉米和大豆。")
	rust := singleDocumentSystem("rust", "diseases", "# 小麦\n\n小麦")
	find := func(ctx context.Context, c mocks.Corpus, datasets ...string) (documents []string, err error) {
		found, err := c.Search(ctx,
			wire.RetrievalQuery{Question: "小麦", Datasets: datasets, PageSize: 10, TopK: 10, VectorWeight: 0.3})
		for _, f := range found {
			documents = append(documents, f.Document)
		}
		return documents, err
	}

	It("contain those of all systems that can be created, and results are sorted by similarity",
		func(ctx context.Context) {
			all := backend.Joined(broken, wheat, rust)
			Expect(all.Contains("", "crops") && all.Contains("", "diseases")).To(BeTrue())
			Expect(all.Contains("rust", "crops")).To(BeFalse())
			Expect(find(ctx, all, "crops", "diseases")).To(Equal([]string{"rust", "wheat"}))
			Expect(find(ctx, all, "crops")).To(Equal([]string{"wheat"}))
			Expect(find(ctx, all, "nobody's")).To(BeEmpty())
		})

	It("reject a search in a dataset that belongs to two systems", func(ctx context.Context) {
		all := backend.Joined(rust, singleDocumentSystem("blight", "diseases", "# 马铃薯\n\n小麦"))
		_, err := find(ctx, all, "diseases")
		Expect(err).To(MatchError(`dataset "diseases": is of more than one system`))
	})

	It("return at most the requested number of passages", func(ctx context.Context) {
		found, err := backend.Joined(wheat, rust).
			Search(ctx, wire.RetrievalQuery{Question: "小麦", Datasets: []string{"crops", "diseases"},
				PageSize: 65, TopK: 10})
		Expect(err).NotTo(HaveOccurred())
		Expect(found).To(HaveLen(2))
	})
})
