package tokens

import (
	"crypto/sha256"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Counts of texts are asked for again and again: of a document in every turn about it,
// of what was said in every turn after it. A hash takes a hundredth of the time.
const (
	remembered   = 16 << 10 // pieces
	worthTheHash = 48       // bytes
)

var counts = sync.OnceValue(func() *lru.Cache[[sha256.Size]byte, int] {
	c, err := lru.New[[sha256.Size]byte, int](remembered)
	if err != nil {
		panic(err) // of a size that is none
	}
	return c
})

// counted is the count of a piece, made by count where nobody remembers it.
func counted(piece string, count func(string) int) int {
	if len(piece) < worthTheHash {
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
