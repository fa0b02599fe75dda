package knowledge_test

import (
	"context"
	"fmt"
	"log"

	"evalctl/agent/knowledge"
)

// The example finds the prompt words for a style that a user names.
func Example() {
	ctx := context.Background()
	styles := []knowledge.Style{
		{ID: "cyberpunk", ZH: "赛博朋克", EN: "cyberpunk", Prompt: "neon signs, wet asphalt"},
		{ID: "ink-wash", ZH: "水墨", EN: "ink wash", Aliases: []string{"国画"}, Prompt: "diluted ink on rice paper"},
	}
	library, err := knowledge.New(ctx, styles, knowledge.HashEmbedder{})
	if err != nil {
		log.Fatal(err)
	}
	defer library.Close()
	hits, err := library.Search(ctx, knowledge.HashEmbedder{}, knowledge.Query{
		Texts: []string{"水墨画风格", "一只猫"}, Limit: 3, MinSimilarity: 0.6,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range hits {
		fmt.Printf("%s (%.1f): %s\n", h.Style.ID, h.Similarity, h.Style.Prompt)
	}
	// Output: ink-wash (0.8): diluted ink on rice paper
}
