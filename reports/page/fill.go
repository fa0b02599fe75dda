package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"evalctl/eval/metric"
	"evalctl/eval/runs"
)

const (
	blockSize = 250 << 10 // size of a block in bytes, before compression
	blockCost = 48        // maximum size of the entry for a block in the index, in bytes
	maxRaw    = 64 << 20  // maximum total size of all loaded traces in bytes, because they are all in memory
)

// blockFiller decides which traces the file contains. It adds them in the order of their importance
// (tier) until the file is full.
type blockFiller struct {
	suites     []*suite
	source     TrialSource
	compressor *compressor
	cases      []*packedCase // cases of all suites
	room       int64
	raw        int64 // total size of the loaded traces, in bytes
	unreadable int64 // number of trials whose trace could not be read
	firstErr   error // error of the first such trial
}

// packedCase is a case with the trials that are loaded so far.
type packedCase struct {
	suite, caseIndex int // index of the suite, and of the case in it
	trials           []int
	loaded           map[int][]byte // trace of each loaded trial as JSON; nil: it has no trace
	inputs           []byte
	turns            int // number of turns in inputs
}

// block is a range of cases of one suite, whose traces are compressed together: from inclusive, to
// exclusive.
type block struct {
	from, to int
	traced   int64
	part     Part // compressed block; empty if traced is 0
}

func (b block) size() int64 {
	if b.traced == 0 {
		return 0
	}
	return b.part.Size() + blockCost
}

func newBlockFiller(suites []*suite, source TrialSource, p *compressor, room int64) *blockFiller {
	f := &blockFiller{
		suites:     suites,
		source:     source,
		compressor: p,
		room:       room,
	}
	for i, s := range suites {
		from := len(f.cases)
		for of := range s.caseInfos {
			f.cases = append(f.cases, &packedCase{suite: i, caseIndex: of, loaded: map[int][]byte{}})
		}
		for t := range s.trials {
			c := f.cases[from+s.trials[t].caseIndex]
			c.trials = append(c.trials, t)
		}
	}
	return f
}

// fill packs the traces of as many tiers as fit completely, and of as many cases of the next tier
// as fit.
func (f *blockFiller) fill() ([]block, error) {
	var list []block // one empty block for each suite
	for from := 0; from < len(f.cases); {
		to := from + len(f.suites[f.cases[from].suite].caseInfos)
		list = append(list, block{from: from, to: to})
		from = to
	}
	for tier := range tiers {
		next, whole, err := f.extend(list, tier)
		if err != nil || !whole {
			return next, err
		}
		list = next
	}
	return list, nil
}

// extend packs the blocks again, with the traces of one more tier (level of importance). It returns
// whether the whole tier fits.
func (f *blockFiller) extend(before []block, tier int) (list []block, whole bool, err error) {
	var used int64
	for at := 0; at < len(f.cases); {
		b, err := f.block(at, tier)
		if err != nil {
			return nil, false, err
		}
		if f.raw > maxRaw || used+b.size()+sizeOf(blocksFrom(before, b.to)) > f.room {
			if best, all, err := f.fillBlock(list, b, before, tier); err != nil || !all {
				return best, false, err
			}
		}
		list, used, at = append(list, b), used+b.size(), b.to
	}
	return list, true, nil
}

// fillBlock packs as many cases of a block as fit with the current tier, and the cases after them
// without it. It returns whether the whole block fits, so that packing can continue.
func (f *blockFiller) fillBlock(list []block, b block, before []block, tier int) (best []block, all bool, err error) {
	for isWhole := true; ; isWhole = false {
		rest, end := blocksFrom(before, b.to), b.to
		// an old block starts before and ends after b, so only a part of it remains
		if len(rest) > 0 && rest[0].from < b.to {
			end, rest = rest[0].to, rest[1:]
		}
		room := f.room - sizeOf(list) - sizeOf(rest)
		fits := func(n int) bool { // reports whether n cases of the block fit with the current tier
			mixed, failed := f.pack(b.from, b.from+n, end, tier)
			ok := failed == nil && mixed.size() <= room
			if ok {
				best = slices.Concat(list, []block{mixed}, rest)
			}
			err = cmp.Or(err, failed)
			return ok
		}
		n := b.to - b.from
		if f.raw <= maxRaw && fits(n) {
			return best, isWhole, err
		}
		fitting := n - 1 - sort.Search(n, func(less int) bool { return fits(n - 1 - less) })
		switch {
		case err != nil || fitting >= 0:
			return best, false, err
		case len(list) == 0:
			return before, false, nil
		}
		b, list = list[len(list)-1], list[:len(list)-1]
	}
}

// blocksFrom returns the blocks that contain cases with the index at or a higher one.
func blocksFrom(list []block, at int) []block {
	i := slices.IndexFunc(list, func(b block) bool { return b.to > at })
	if i < 0 {
		return nil
	}
	return list[i:]
}

func sizeOf(list []block) (n int64) {
	for _, b := range list {
		n += b.size()
	}
	return n
}

// block packs cases from an index on, with the tiers (levels of importance) up to tier, until the
// block has its full size.
func (f *blockFiller) block(from, tier int) (block, error) {
	to, size := from, 0
	for to < len(f.cases) && f.cases[to].suite == f.cases[from].suite && size < blockSize {
		size += f.load(f.cases[to], tier)
		to++
	}
	return f.pack(from, to, to, tier)
}

// load reads the traces of a case's trials in the tiers (levels of importance) up to tier. It
// returns their total size in bytes.
func (f *blockFiller) load(c *packedCase, tier int) int {
	s, size := f.suites[c.suite], 0
	for _, i := range c.trials {
		if s.trials[i].tier > tier {
			continue
		}
		if _, known := c.loaded[i]; !known {
			f.read(c, i)
		}
		size += len(c.loaded[i])
	}
	return size + len(c.inputs)
}

// read loads the trace of a trial. For a trial without a readable trace, it stores nil.
func (f *blockFiller) read(c *packedCase, i int) {
	t := f.suites[c.suite].trials[i]
	c.loaded[i] = nil
	r, err := f.source.Trial(t.key)
	if errors.Is(err, runs.ErrNoTrace) {
		return
	}
	var text []byte
	if err == nil {
		text, err = json.Marshal(trialOf(r, t.condition))
	}
	if err != nil {
		f.unreadable, f.firstErr = f.unreadable+1, cmp.Or(f.firstErr, err)
		return
	}
	c.loaded[i] = text
	f.raw += int64(len(text))
	if turns := len(r.Outcome.Turns); c.inputs == nil || turns > c.turns {
		if c.inputs, err = json.Marshal(inputsOf(r)); err != nil {
			c.inputs = []byte("[]")
		}
		c.turns = turns
		f.raw += int64(len(c.inputs))
	}
}

// pack compresses a range of cases. Cases before mid contain the tiers (levels of importance) up to
// tier. The others contain one tier less.
func (f *blockFiller) pack(from, mid, to, tier int) (block, error) {
	b := block{from: from, to: to}
	var text bytes.Buffer
	for at := from; at < to; at++ {
		if at == mid {
			tier--
		}
		b.traced += f.write(&text, f.cases[at], tier)
	}
	if b.traced == 0 {
		return b, nil
	}
	var err error
	lead := fmt.Appendf(nil, `{"suite":%d,"cases":{`, f.cases[from].suite)
	b.part, err = f.compressor.json("", lead, text.Bytes()[:text.Len()-1], []byte("}}"))
	return b, err
}

// write writes a case as JSON, with those of its trials whose traces have been read, followed by a
// comma. It writes nothing if there are none. It returns the number of these trials.
func (f *blockFiller) write(text *bytes.Buffer, c *packedCase, tier int) (traced int64) {
	for _, i := range c.trials {
		if f.suites[c.suite].trials[i].tier > tier || c.loaded[i] == nil {
			continue
		}
		if traced++; traced == 1 {
			text.WriteString(strconv.Quote(strconv.Itoa(c.caseIndex)) + `:{"inputs":`)
			text.Write(c.inputs)
			text.WriteString(`,"trials":[`)
		} else {
			text.WriteByte(',')
		}
		text.Write(c.loaded[i])
	}
	if traced > 0 {
		text.WriteString("]},")
	}
	return traced
}

// notes returns the note that some traces could not be read, or nil.
func (f *blockFiller) notes() []string {
	if f.firstErr == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s could not be read: %v", metric.Plural(f.unreadable, "trace"), f.firstErr)}
}
