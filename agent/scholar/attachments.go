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

// Bounds of the indexes that an agent keeps, in bytes of what they are of. There is room
// for those of any turn.
const (
	maxIndexed   = 2 * maxAttached
	indexAtLeast = 256 << 10 // what an index of next to nothing counts for
)

// attachments keeps the indexes of documents that came with turns: those of a session come
// again and again. The least recently used go first; one that is still searched then is
// freed once it is not. It is safe for concurrent use.
type attachments struct {
	mu   sync.Mutex
	kept *simplelru.LRU[contentKey, keptIndex]
	size int // bytes of all that is kept
}

type contentKey [sha256.Size]byte

type keptIndex struct {
	*index.Index
	size int
}

func newAttachments() *attachments {
	kept, err := simplelru.NewLRU[contentKey, keptIndex](maxIndexed/indexAtLeast, nil)
	if err != nil {
		panic(err) // it has a size
	}
	return &attachments{kept: kept}
}

// of is the index of such documents, made where it is not kept.
func (x *attachments) of(ctx context.Context, docs []*document) (*index.Index, error) {
	key, size := contentOf(docs)
	if kept := x.get(key); kept != nil {
		return kept, nil
	}
	var list []index.Document
	for _, d := range docs {
		list = append(list, index.Document{ID: d.ID, Name: d.Title, Text: d.Text})
	}
	made, err := index.New(ctx, list, index.Config{CountTokens: tokens.Count})
	if err != nil {
		return nil, err
	}
	x.put(key, keptIndex{Index: made, size: max(size, indexAtLeast)})
	return made, nil
}

// contentOf changes with all that an index is made of, whose bytes it counts.
func contentOf(docs []*document) (key contentKey, size int) {
	sum := sha256.New()
	for _, d := range docs {
		for _, text := range []string{d.ID, d.Title, d.Text} {
			_ = binary.Write(sum, binary.BigEndian, int64(len(text))) // a hash takes anything
			sum.Write([]byte(text))
			size += len(text)
		}
	}
	return contentKey(sum.Sum(nil)), size
}

func (x *attachments) get(key contentKey) *index.Index {
	x.mu.Lock()
	defer x.mu.Unlock()
	kept, _ := x.kept.Get(key)
	return kept.Index
}

// put keeps an index, in place of those that were used least recently.
func (x *attachments) put(key contentKey, made keptIndex) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if old, ok := x.kept.Peek(key); ok { // somebody was as fast
		x.kept.Remove(key)
		x.size -= old.size
	}
	for x.size+made.size > maxIndexed {
		_, old, ok := x.kept.RemoveOldest()
		if !ok {
			return
		}
		x.size -= old.size
	}
	x.kept.Add(key, made)
	x.size += made.size
}

// close frees all that is kept, when no turn is being answered.
func (x *attachments) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	var all error
	for _, kept := range x.kept.Values() {
		all = errors.Join(all, kept.Close())
	}
	x.kept.Purge()
	x.size = 0
	return all
}
