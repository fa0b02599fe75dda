package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// PruneCounts reports what Prune did: the number of exchanges that remain, and of those removed, by
// reason.
type PruneCounts struct {
	Remaining  int // exchanges that remain
	Superseded int // removed: the trial was recorded again later
	Duplicate  int // removed: the same request of the same trial and component was recorded again
	Unused     int // removed: the trial was not selected
}

// Prune writes a copy of the cassette with only the last recording of each selected trial. If
// isSelected is nil, all trials are selected.
func (c *Cassette) Prune(to io.Writer, isSelected func(TrialRef, int) bool) (n PruneCounts, err error) {
	head, err := c.firstLine()
	if err != nil {
		return n, err
	}
	if _, err := to.Write(head); err != nil {
		return n, err
	}
	for i, e := range c.entries {
		switch {
		case isSelected != nil && e.epoch > 0 && !isSelected(c.trialOf(e), int(e.epoch)):
			n.Unused++
		case c.isSuperseded(e):
			n.Superseded++
		case c.isDuplicate(int32(i), e):
			n.Duplicate++
		default:
			line, err := c.raw(e)
			if err != nil {
				return n, err
			}
			if _, err := to.Write(line); err != nil {
				return n, err
			}
			n.Remaining++
		}
	}
	return n, nil
}

// firstLine returns the header line of the file, with its newline.
func (c *Cassette) firstLine() ([]byte, error) {
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

func (c *Cassette) trialOf(e entry) TrialRef {
	return TrialRef{
		Suite:        c.names[e.who.suite],
		Variant:      c.names[e.who.variant],
		Fault:        c.names[e.who.fault],
		Case:         c.names[e.who.id],
		Component:    c.names[e.who.part],
		RescoredTurn: int(e.who.rescoredTurn),
	}
}

// isSuperseded reports whether the exchange's trial was recorded again later.
func (c *Cassette) isSuperseded(e entry) bool {
	list := c.trials[e.trial()]
	return e.epoch > 0 && c.entries[list[len(list)-1]].session > e.session
}

// isDuplicate reports whether the same request was recorded again later in the same trial.
func (c *Cassette) isDuplicate(i int32, e entry) bool {
	return c.findOwn(e.who, e.epoch, e.nth, e.key, e.key) != i
}
