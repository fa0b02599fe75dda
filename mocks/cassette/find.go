package cassette

import (
	"slices"
	"time"
)

// find is the recording that answers a request: the last of the same part of the same
// trial, if need be one that differs in nothing but the time of day; else, of what others
// asked in the same words, the first of the one that is most alike. -1: there is none.
func (c *Cassette) find(w TrialRef, epoch, nth int, key, loose string) int32 {
	var k, l keyHash
	if !k.set(key) || !l.set(loose) {
		return -1
	}
	asked := c.whoIs(w)
	if i := c.own(asked, int32(epoch), int32(nth), k, l); i >= 0 {
		return i
	}
	best, likeness := int32(-1), -1
	at, ok := c.keys[k]
	for i := at.first; ok && i >= 0; i = c.entries[i].next {
		e := &c.entries[i]
		if n := e.who.likeness(asked); n > likeness && e.nth == int32(nth) && e.epoch == int32(epoch) {
			best, likeness = i, n
		}
	}
	return best
}

// own is the last recording of the same part of the same trial, -1: there is none.
func (c *Cassette) own(asked who, epoch, nth int32, key, loose keyHash) int32 {
	about := int32(-1)
	for _, i := range slices.Backward(c.trials[asked.trial(epoch)]) {
		switch e := &c.entries[i]; {
		case e.who != asked || e.nth != nth:
		case e.key == key:
			return i
		case e.loose == loose && about < 0:
			about = i
		}
	}
	return about
}

// unknown is the number of a name that no exchange has.
const unknown = ^uint32(0)

func (c *Cassette) known(name string) uint32 {
	if n, ok := c.numbers[name]; ok {
		return n
	}
	return unknown
}

func (c *Cassette) whoIs(w TrialRef) who {
	return w.numbered(c.known)
}

// likeness says how much two have in common; what stands first weighs more than all
// behind it.
func (w who) likeness(o who) (n int) {
	for _, equal := range []bool{w.suite == o.suite, w.id == o.id, w.variant == o.variant, w.fault == o.fault, w.part == o.part, w.again == o.again} {
		n *= 2
		if equal {
			n++
		}
	}
	return n
}

// StartTime is when the recorded trial asked first, on its own clock; false: it never did.
func (c *Cassette) StartTime(w TrialRef, epoch int) (first time.Time, ok bool) {
	for _, i := range c.trials[c.whoIs(w).trial(int32(epoch))] {
		if at := c.entries[i].at; !ok || at.Before(first) {
			first, ok = at, true
		}
	}
	return first, ok
}
