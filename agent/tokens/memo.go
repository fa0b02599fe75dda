package tokens

import (
	"crypto/sha256"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Counts are cached, because the same texts are counted in every turn. A hash takes a hundredth of
// the time.
const (
	remembered   = 16 << 10 // pieces
	minCachedLen = 48       // bytes
)

var counts = sync.OnceValue(func() *lru.Cache[[sha256.Size]byte, int] {
	c, err := lru.New[[sha256.Size]byte, int](remembered)
	if err != nil {
		panic(err) // the size is positive
	}
	return c
})

// cachedCount returns the cached count of a piece, or calls count.
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
