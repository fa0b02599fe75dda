package scholar

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"evalctl/agent/recall/index"
	"evalctl/agent/tokens"
)

// Limits on the cached indexes, in bytes of indexed text. maxIndexed is twice the size of the
// documents that one turn may attach.
const (
	maxIndexed   = 2 * maxAttached
	minIndexSize = 256 << 10 // a smaller index counts as this size
)

// attachments caches the search indexes of attached documents, because clients send the documents
// of a session with every turn. The least recently used indexes are evicted. It is safe for
// concurrent use.
type attachments struct {
	mu      sync.Mutex
	indexes *simplelru.LRU[contentKey, keptIndex]
	size    int // bytes of all cached indexes
}

type contentKey [sha256.Size]byte

type keptIndex struct {
	*index.Index
	size int
}

func newAttachments() *attachments {
	kept, err := simplelru.NewLRU[contentKey, keptIndex](maxIndexed/minIndexSize, nil)
	if err != nil {
		panic(err) // cannot happen: the size is positive
	}
	return &attachments{indexes: kept}
}

// of returns the index of the documents, from the cache or newly built.
func (x *attachments) of(ctx context.Context, docs []*document) (*index.Index, error) {
	key, size := contentKeyOf(docs)
	if kept := x.get(key); kept != nil {
		return kept, nil
	}
	var list []index.Document
	for _, d := range docs {
		list = append(list, index.Document{ID: d.ID, Name: d.Title, Text: d.Text})
	}
	newIndex, err := index.New(ctx, list, index.Config{CountTokens: tokens.Count})
	if err != nil {
		return nil, err
	}
	x.put(key, keptIndex{Index: newIndex, size: max(size, minIndexSize)})
	return newIndex, nil
}

// contentKeyOf returns a cache key for the documents, and the size of their content in bytes.
func contentKeyOf(docs []*document) (key contentKey, size int) {
	sum := sha256.New()
	for _, d := range docs {
		for _, text := range []string{d.ID, d.Title, d.Text} {
			_ = binary.Write(sum, binary.BigEndian, int64(len(text))) // writing to a hash never fails
			sum.Write([]byte(text))
			size += len(text)
		}
	}
	return contentKey(sum.Sum(nil)), size
}

func (x *attachments) get(key contentKey) *index.Index {
	x.mu.Lock()
	defer x.mu.Unlock()
	kept, _ := x.indexes.Get(key)
	return kept.Index
}

// put adds an index to the cache and evicts the least recently used ones if necessary.
func (x *attachments) put(key contentKey, newIndex keptIndex) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if old, ok := x.indexes.Peek(key); ok { // another goroutine added the same index first
		x.indexes.Remove(key)
		x.size -= old.size
	}
	for x.size+newIndex.size > maxIndexed {
		_, old, ok := x.indexes.RemoveOldest()
		if !ok {
			return
		}
		x.size -= old.size
	}
	x.indexes.Add(key, newIndex)
	x.size += newIndex.size
}

// close frees all cached indexes. No turn may be running.
func (x *attachments) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	var all error
	for _, kept := range x.indexes.Values() {
		all = errors.Join(all, kept.Close())
	}
	x.indexes.Purge()
	x.size = 0
	return all
}
