package tokens

import (
	"crypto/sha256"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Limits of the cache of token counts. Counts are cached, because the same texts are counted in
// every turn. Hashing a piece of text takes a hundredth of the time of counting.
const (
	maxCachedPieces = 16 << 10 // maximal number of cached pieces
	minCachedLen    = 48       // minimal length of a cached piece, in bytes
)

var counts = sync.OnceValue(func() *lru.Cache[[sha256.Size]byte, int] {
	c, err := lru.New[[sha256.Size]byte, int](maxCachedPieces)
	if err != nil {
		panic(err) // cannot happen: the size is positive
	}
	return c
})

func cachedCount(piece string, count func(string) int) int {
	if len(piece) < minCachedLen {
		return count(piece)
	}
	key := sha256.Sum256([]byte(piece))
	if n, ok := counts().Get(key); ok {
		return n
	}
	n := count(piece)
	counts().Add(key, n)
	return n
}
