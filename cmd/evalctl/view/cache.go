package view

import (
	"container/list"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"evalctl/eval/history"
	"evalctl/eval/journal"
)

// pageCache is an LRU cache of rendered pages, limited in bytes. Pages are rendered one at a time,
// because rendering a large run uses all processors for seconds.
type pageCache struct {
	maxBytes  int64
	rendering chan struct{}

	mu    sync.Mutex
	order *list.List // most recently used first; elements are *cachedPage
	byKey map[string]*list.Element
	size  int64
}

// cachedPage is a page with the stamp of the files from which it was rendered.
type cachedPage struct {
	key, stamp string
	content    renderedPage
}

func newPageCache(most int64) *pageCache {
	return &pageCache{
		maxBytes:  most,
		rendering: make(chan struct{}, 1),
		order:     list.New(),
		byKey:     map[string]*list.Element{},
	}
}

// page returns the cached page with this key if its stamp has not changed. Otherwise it calls
// create to render the page. Concurrent requests for a page wait for one rendering.
func (p *pageCache) page(ctx context.Context, key string, stamp func() string,
	create func() (renderedPage, error)) (renderedPage,
	error) {
	if c, ok := p.get(key, stamp()); ok {
		return c, nil
	}
	select {
	case p.rendering <- struct{}{}:
	case <-ctx.Done():
		return renderedPage{}, ctx.Err()
	}
	defer func() { <-p.rendering }()
	now := stamp() // taken before rendering, so that changes during rendering invalidate the page
	if c, ok := p.get(key, now); ok {
		return c, nil
	}
	c, err := create()
	if err == nil {
		p.put(&cachedPage{key: key, stamp: now, content: c})
	}
	return c, err
}

func (p *pageCache) get(key, stamp string) (renderedPage, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.byKey[key]
	if !ok {
		return renderedPage{}, false
	}
	k := e.Value.(*cachedPage)
	if k.stamp != stamp {
		p.drop(e)
		return renderedPage{}, false
	}
	p.order.MoveToFront(e)
	return k.content, true
}

// put stores a page and evicts the least recently used pages if necessary. It does not store a page
// that is larger than the cache.
func (p *pageCache) put(k *cachedPage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.byKey[k.key]; ok {
		p.drop(e)
	}
	size := int64(len(k.content.text))
	if size > p.maxBytes {
		return
	}
	for p.size+size > p.maxBytes {
		p.drop(p.order.Back())
	}
	p.byKey[k.key] = p.order.PushFront(k)
	p.size += size
}

func (p *pageCache) drop(e *list.Element) {
	k := p.order.Remove(e).(*cachedPage)
	delete(p.byKey, k.key)
	p.size -= int64(len(k.content.text))
}

// stampOf returns a string that changes when the size or the modification time of a file of the run
// changes.
func stampOf(path string) string {
	var b strings.Builder
	for _, name := range journal.FileNames() {
		info, err := os.Lstat(filepath.Join(path, name))
		if err != nil {
			b.WriteString("- ")
			continue
		}
		fmt.Fprintf(&b, "%d@%d ", info.Size(), info.ModTime().UnixNano())
	}
	return b.String()
}

// runCache stores the descriptions of runs, by run directory.
type runCache struct {
	mu    sync.Mutex
	known map[string]cachedRun
}

type cachedRun struct {
	stamp string
	run   history.Run
}

// run returns the description of a run. It reads the run only if its files have changed. If the cache
// is full, run first clears it, because it may contain removed runs.
func (c *runCache) run(p namedRun) (history.Run, error) {
	stamp := stampOf(p.path)
	c.mu.Lock()
	k := c.known[p.path]
	c.mu.Unlock()
	if k.stamp != stamp {
		run, err := history.ReadRun(p.path)
		if err != nil {
			return history.Run{}, err
		}
		k = cachedRun{stamp: stamp, run: run}
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.known) >= maxEntries {
			clear(c.known)
		}
		c.known[p.path] = k
	}
	k.run.Name = p.name
	return k.run, nil
}
