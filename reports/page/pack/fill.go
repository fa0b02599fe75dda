package pack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"evalctl/eval/number"
	"evalctl/eval/runs"
)

const (
	blockSize = 250 << 10 // size of a block before compression, in bytes
	blockCost = 48        // maximum size of a block's entry in the index, in bytes
	maxRaw    = 64 << 20  // maximum total size before compression, because all loaded traces are in memory
)

// blockFiller packs traces into blocks, tier by tier, until the file is full.
type blockFiller struct {
	suites     []*suite
	source     Source
	compressor *compressor
	cases      []*packedCase // of all suites
	room       int64
	raw        int64 // bytes that were loaded
	unreadable int64 // number of trials without a readable trace
	firstErr   error // first error
}

// packedCase is a case with its loaded trials.
type packedCase struct {
	suite, caseIndex int // indexes
	trials           []int
	loaded           map[int][]byte // JSON of each trial; nil: no trace
	inputs           []byte
	turns            int // number of turns in the inputs
}

// block is a range of cases of one suite: from inclusive, to exclusive.
type block struct {
	from, to int
	traced   int64
	part     Part // empty if traced is 0
}

func (b block) size() int64 {
	if b.traced == 0 {
		return 0
	}
	return b.part.Size() + blockCost
}

func newBlockFiller(suites []*suite, source Source, p *compressor, room int64) *blockFiller {
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

// fill packs complete tiers, and as many cases of the last tier as fit.
func (f *blockFiller) fill() ([]block, error) {
	var list []block // empty blocks
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

// extend packs one more tier. whole reports whether all of it fits.
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
// without it. all reports whether the whole block fits, so that packing can continue.
func (f *blockFiller) fillBlock(list []block, b block, before []block, tier int) (best []block, all bool, err error) {
	for isWhole := true; ; isWhole = false {
		rest, end := blocksFrom(before, b.to), b.to
		if len(rest) > 0 && rest[0].from < b.to { // the block is split
			end, rest = rest[0].to, rest[1:]
		}
		room := f.room - sizeOf(list) - sizeOf(rest)
		fits := func(n int) bool { // whether n cases fit with the current tier
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

// blocksFrom returns the blocks with cases at or after an index.
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

// block packs the cases from an index on, with all tiers up to tier, until the block is full.
func (f *blockFiller) block(from, tier int) (block, error) {
	to, size := from, 0
	for to < len(f.cases) && f.cases[to].suite == f.cases[from].suite && size < blockSize {
		size += f.load(f.cases[to], tier)
		to++
	}
	return f.pack(from, to, to, tier)
}

// load reads the traces of a case's trials up to a tier and returns their size in bytes.
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

// read loads a trial. If it has no readable trace, nil is stored.
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

// pack packs cases: those before mid with all tiers up to tier, the others with one tier less.
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

// write writes a case with its trials and a comma. It writes nothing if there are no trials.
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

// notes reports traces that could not be read.
func (f *blockFiller) notes() []string {
	if f.firstErr == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s could not be read: %v", number.Plural(f.unreadable, "trace"), f.firstErr)}
}
