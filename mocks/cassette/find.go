package cassette

import (
	"slices"
	"time"
)

// find returns the index of the recording that answers a request; -1: none. The last recording of
// the same trial and component has priority, even if its times of day differ. Otherwise find
// returns the first recording of an identical request, from the trial that is most similar.
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

// findOwn returns the index of the last recording of the request in the same trial and component;
// -1: none.
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

// unknown is the number of a name that occurs nowhere in the cassette.
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

// similarity returns how similar two trials are, as a score. The fields count in the order suite,
// case, variant, fault, component: each outweighs all later ones.
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

// StartTime returns when the recorded trial sent its first request, on the trial's clock. A replay
// starts its clock at this time, so that dates in prompts match. ok is false if the trial was not
// recorded.
func (c *Cassette) StartTime(w TrialRef, epoch int) (first time.Time, ok bool) {
	for _, i := range c.trials[c.trialNumbersOf(w).trial(int32(epoch))] {
		if at := c.entries[i].at; !ok || at.Before(first) {
			first, ok = at, true
		}
	}
	return first, ok
}
