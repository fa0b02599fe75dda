package view

import (
	"container/list"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"evalctl/agent/clock"
	"evalctl/eval/history"
	"evalctl/eval/journal"
)

// pageCache is an LRU cache of rendered pages, limited in bytes. Each page is rendered by one request
// at a time.
type pageCache struct {
	maxBytes int64

	mu    sync.Mutex
	order *list.List // most recently used first; elements are *cachedPage
	byKey map[string]*list.Element
	size  int64
	locks map[string]*pageLock // locks that requests hold or wait for, by the key of the page
}

// cachedPage is a page with the stamp of the files from which it was rendered.
type cachedPage struct {
	key, stamp string
	content    renderedPage
}

// pageLock is the lock of one page.
type pageLock struct {
	held     chan struct{} // contains one element while a request holds the lock
	requests int           // number of requests that hold the lock or wait for it; guarded by pageCache.mu
}

func newPageCache(most int64) *pageCache {
	return &pageCache{
		maxBytes: most,
		order:    list.New(),
		byKey:    map[string]*list.Element{},
		locks:    map[string]*pageLock{},
	}
}

// page returns the cached page with this key if its stamp has not changed. Otherwise it calls
// create to render the page. Concurrent requests for a page wait for one rendering. The capacity of
// slots limits how many pages are rendered at once.
func (p *pageCache) page(ctx context.Context, key string, slots chan struct{}, stamp func() string,
	create func() (renderedPage, error)) (renderedPage, error) {
	if c, ok := p.get(key, stamp()); ok {
		return c, nil
	}
	unlock, err := p.lock(ctx, key)
	if err != nil {
		return renderedPage{}, err
	}
	defer unlock()
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return renderedPage{}, ctx.Err()
	}
	defer func() { <-slots }()
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

// lock waits until no other request holds the lock of the page with this key.
func (p *pageCache) lock(ctx context.Context, key string) (unlock func(), err error) {
	p.mu.Lock()
	l := p.locks[key]
	if l == nil {
		l = &pageLock{held: make(chan struct{}, 1)}
		p.locks[key] = l
	}
	l.requests++
	p.mu.Unlock()
	leave := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if l.requests--; l.requests == 0 {
			delete(p.locks, key)
		}
	}
	select {
	case l.held <- struct{}{}:
		return func() { <-l.held; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
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

// isLarge reports whether the reports of these runs read so many results and traces that only one of
// them is rendered at a time.
func isLarge(of []namedRun) bool {
	size := int64(0)
	for _, p := range of {
		for _, name := range []string{journal.ResultsFile, journal.TracesFile} {
			if info, err := os.Lstat(filepath.Join(p.path, name)); err == nil {
				size += info.Size()
			}
		}
	}
	return size > largeReport
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

// runs returns the descriptions of runs, and an error for each unreadable run. It reads several runs
// at once, and stops when ctx ends.
func (c *runCache) runs(ctx context.Context, places []namedRun) (list []history.Run, problems []error, err error) {
	read, errs := make([]history.Run, len(places)), make([]error, len(places))
	group, _ := clock.NewGroup(ctx, runtime.GOMAXPROCS(0))
	for i, p := range places {
		group.Go("read a run", func(context.Context) error {
			read[i], errs[i] = c.run(p)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	for i, run := range read {
		if errs[i] != nil {
			problems = append(problems, errs[i])
			continue
		}
		list = append(list, run)
	}
	return list, problems, nil
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
