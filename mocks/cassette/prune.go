package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Pruned counts what was kept, and what went for which reason.
type Pruned struct {
	Kept       int
	Superseded int // of a trial that was recorded again, later
	Duplicate  int // the same request of the same part of the same trial, recorded again
	Unused     int // of a trial that is not wanted
}

// Prune writes what is kept: of each trial its last recording, and none that is not
// wanted; nil wanted: all are.
func (c *Cassette) Prune(to io.Writer, wanted func(TrialRef, int) bool) (n Pruned, err error) {
	head, err := c.line1()
	if err != nil {
		return n, err
	}
	if _, err := to.Write(head); err != nil {
		return n, err
	}
	for i, e := range c.entries {
		switch {
		case wanted != nil && e.epoch > 0 && !wanted(c.askedBy(e), int(e.epoch)):
			n.Unused++
		case c.isOlder(e):
			n.Superseded++
		case c.isTwice(int32(i), e):
			n.Duplicate++
		default:
			line, err := c.raw(e)
			if err != nil {
				return n, err
			}
			if _, err := to.Write(line); err != nil {
				return n, err
			}
			n.Kept++
		}
	}
	return n, nil
}

// line1 is the first line.
func (c *Cassette) line1() ([]byte, error) {
	b := make([]byte, maxHeader)
	n, err := c.file.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	end := bytes.IndexByte(b[:n], '\n')
	if end < 0 {
		return nil, fmt.Errorf("%s:1: the line has no end", c.Path)
	}
	return b[:end+1], nil
}

func (c *Cassette) askedBy(e entry) TrialRef {
	return TrialRef{Suite: c.names[e.who.suite], Variant: c.names[e.who.variant], Fault: c.names[e.who.fault], Case: c.names[e.who.id],
		Component: c.names[e.who.part], RescoredTurn: int(e.who.again)}
}

// isOlder tells that the trial is in a later recording, too.
func (c *Cassette) isOlder(e entry) bool {
	list := c.trials[e.trial()]
	return e.epoch > 0 && c.entries[list[len(list)-1]].session > e.session
}

// isTwice tells that the same stands further behind.
func (c *Cassette) isTwice(i int32, e entry) bool {
	return c.own(e.who, e.epoch, e.nth, e.key, e.key) != i
}
