package view

import (
	"container/list"
	"context"
	"sync"
)

// pages is an LRU cache of rendered pages with a limit in bytes. It renders one page at a time,
// because the page of a large run uses the whole machine for seconds.
type pages struct {
	most   int64
	making chan struct{}

	mu    sync.Mutex
	order *list.List // of *kept
	by    map[string]*list.Element
	size  int64
}

// kept is a page with the stamp of the files that it was rendered from.
type kept struct {
	key, stamp string
	content    content
}

func newPages(most int64) *pages {
	return &pages{most: most, making: make(chan struct{}, 1), order: list.New(), by: map[string]*list.Element{}}
}

// page returns the cached page for the key and the stamp, or renders it. Concurrent requests for a
// page share one rendering.
func (p *pages) page(ctx context.Context, key string, stamp func() string, create func() (content, error)) (content, error) {
	if c, ok := p.get(key, stamp()); ok {
		return c, nil
	}
	select {
	case p.making <- struct{}{}:
	case <-ctx.Done():
		return content{}, ctx.Err()
	}
	defer func() { <-p.making }()
	now := stamp() // taken before rendering, so that later changes invalidate the page
	if c, ok := p.get(key, now); ok {
		return c, nil
	}
	c, err := create()
	if err == nil {
		p.put(&kept{key: key, stamp: now, content: c})
	}
	return c, err
}

func (p *pages) get(key, stamp string) (content, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.by[key]
	if !ok {
		return content{}, false
	}
	k := e.Value.(*kept)
	if k.stamp != stamp {
		p.drop(e)
		return content{}, false
	}
	p.order.MoveToFront(e)
	return k.content, true
}

// put stores a page and evicts others if necessary. A page larger than the cache is not stored.
func (p *pages) put(k *kept) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.by[k.key]; ok {
		p.drop(e)
	}
	size := int64(len(k.content.text))
	if size > p.most {
		return
	}
	for p.size+size > p.most {
		p.drop(p.order.Back())
	}
	p.by[k.key] = p.order.PushFront(k)
	p.size += size
}

func (p *pages) drop(e *list.Element) {
	k := p.order.Remove(e).(*kept)
	delete(p.by, k.key)
	p.size -= int64(len(k.content.text))
}
