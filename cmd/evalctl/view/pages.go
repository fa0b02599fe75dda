package view

import (
	"container/list"
	"context"
	"sync"
)

// pages keep what was made, the latest used first, up to so many bytes, and make one at
// a time: a large run's page takes the machine for seconds.
type pages struct {
	most   int64
	making chan struct{}

	mu    sync.Mutex
	order *list.List // of *kept
	by    map[string]*list.Element
	size  int64
}

// kept is a page, and the stamp of the files that it was made of.
type kept struct {
	key, stamp string
	content    content
}

func newPages(most int64) *pages {
	return &pages{most: most, making: make(chan struct{}, 1), order: list.New(), by: map[string]*list.Element{}}
}

// page is the one of that key and stamp: as it is kept, or made. Who waits for the same
// page while it is made gets that.
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
	now := stamp() // before it is made: what comes meanwhile makes it anew
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

// put keeps a page, and forgets others where there is no room. One that is larger than
// all may be is not kept.
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
