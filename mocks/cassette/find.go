package cassette

import (
	"slices"
	"time"
)

// find returns the recording that answers a request. It prefers the last recording of the same part
// and trial; there, times of day may differ. Otherwise it returns the first recording of an
// identical request by the most similar trial. -1: none.
func (c *Cassette) find(w TrialRef, epoch, nth int, key, keyWithoutTimes string) int32 {
	var k, l keyHash
	if !k.set(key) || !l.set(keyWithoutTimes) {
		return -1
	}
	trial := c.trialNumbersOf(w)
	if i := c.findOwn(trial, int32(epoch), int32(nth), k, l); i >= 0 {
		return i
	}
	best, likeness := int32(-1), -1
	at, ok := c.keys[k]
	for i := at.first; ok && i >= 0; i = c.entries[i].next {
		e := &c.entries[i]
		if n := e.who.similarity(trial); n > likeness && e.nth == int32(nth) && e.epoch == int32(epoch) {
			best, likeness = i, n
		}
	}
	return best
}

// findOwn returns the last recording of the same part and trial; -1: none.
func (c *Cassette) findOwn(trial trialNumbers, epoch, nth int32, key, keyWithoutTimes keyHash) int32 {
	approximate := int32(-1)
	for _, i := range slices.Backward(c.trials[trial.trial(epoch)]) {
		switch e := &c.entries[i]; {
		case e.who != trial || e.nth != nth:
		case e.key == key:
			return i
		case e.keyWithoutTimes == keyWithoutTimes && approximate < 0:
			approximate = i
		}
	}
	return approximate
}

// unknown is the number of a name that no exchange contains.
const unknown = ^uint32(0)

func (c *Cassette) numberOf(name string) uint32 {
	if n, ok := c.numbers[name]; ok {
		return n
	}
	return unknown
}

func (c *Cassette) trialNumbersOf(w TrialRef) trialNumbers {
	return w.numbered(c.numberOf)
}

// similarity returns a similarity score. Each field outweighs all fields after it.
func (w trialNumbers) similarity(o trialNumbers) (n int) {
	for _, equal := range []bool{w.suite == o.suite, w.id == o.id, w.variant == o.variant, w.fault == o.fault,
		w.part == o.part, w.rescoredTurn == o.rescoredTurn} {
		n *= 2
		if equal {
			n++
		}
	}
	return n
}

// StartTime returns the time of the recorded trial's first request, on the trial's clock; ok is
// false if there is none.
func (c *Cassette) StartTime(w TrialRef, epoch int) (first time.Time, ok bool) {
	for _, i := range c.trials[c.trialNumbersOf(w).trial(int32(epoch))] {
		if at := c.entries[i].at; !ok || at.Before(first) {
			first, ok = at, true
		}
	}
	return first, ok
}
