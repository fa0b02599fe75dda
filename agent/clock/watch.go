package clock

import (
	"context"
	"slices"
)

// watch is a context that somebody waits under.
type watch struct {
	ctx     context.Context
	done    <-chan struct{}
	waiting int
}

// watchList holds the watched contexts in order of arrival. Contexts that
// share a Done channel end together and share a watch.
type watchList struct {
	list   []*watch
	byDone map[<-chan struct{}]*watch
}

// add counts one more that waits under ctx. A context that never ends needs
// no watch: nil.
func (l *watchList) add(ctx context.Context) *watch {
	done := ctx.Done()
	if done == nil {
		return nil
	}
	s, ok := l.byDone[done]
	if !ok {
		s = &watch{ctx: ctx, done: done}
		if l.byDone == nil {
			l.byDone = map[<-chan struct{}]*watch{}
		}
		l.byDone[done] = s
		l.list = append(l.list, s)
	}
	s.waiting++
	return s
}

func (l *watchList) drop(s *watch) {
	if s == nil {
		return
	}
	if s.waiting--; s.waiting > 0 {
		return
	}
	delete(l.byDone, s.done)
	i := slices.Index(l.list, s)
	l.list = slices.Delete(l.list, i, i+1)
}
