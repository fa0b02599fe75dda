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
	blockSize = 250 << 10 // of a block, in bytes before it is packed
	blockCost = 48        // what a block takes in the index at most, in bytes
	mostRaw   = 64 << 20  // of all blocks before they are packed: they are in memory
)

// filler puts traces into blocks, tier by tier, as long as there is room.
type filler struct {
	suites []*suite
	source Source
	press  *press
	cases  []*packedCase // of all suites
	room   int64
	raw    int64 // bytes of what was loaded
	unread int64 // trials
	why    error // of the first of them
}

// packedCase is a case with the trials that were loaded.
type packedCase struct {
	suite, of int // its place
	trials    []int
	loaded    map[int][]byte // of a trial what goes into the file
	inputs    []byte
	turns     int // that the inputs are of
}

// block are neighbouring cases of one suite: those from, but not to.
type block struct {
	from, to int
	traced   int64
	part     Part // "": nothing is in it
}

func (b block) size() int64 {
	if b.traced == 0 {
		return 0
	}
	return b.part.Size() + blockCost
}

func newFiller(suites []*suite, source Source, p *press, room int64) *filler {
	f := &filler{suites: suites, source: source, press: p, room: room}
	for i, s := range suites {
		from := len(f.cases)
		for of := range s.of {
			f.cases = append(f.cases, &packedCase{suite: i, of: of, loaded: map[int][]byte{}})
		}
		for t := range s.trials {
			c := f.cases[from+s.trials[t].of]
			c.trials = append(c.trials, t)
		}
	}
	return f
}

// fill packs whole tiers, and of the last one as many cases as there is room for.
func (f *filler) fill() ([]block, error) {
	var list []block // without anything
	for from := 0; from < len(f.cases); {
		to := from + len(f.suites[f.cases[from].suite].of)
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

// extend packs one tier more; whole tells that there was room for it.
func (f *filler) extend(before []block, tier int) (list []block, whole bool, err error) {
	var used int64
	for at := 0; at < len(f.cases); {
		b, err := f.block(at, tier)
		if err != nil {
			return nil, false, err
		}
		if f.raw > mostRaw || used+b.size()+sizeOf(behind(before, b.to)) > f.room {
			if best, all, err := f.settle(list, b, before, tier); err != nil || !all {
				return best, false, err
			}
		}
		list, used, at = append(list, b), used+b.size(), b.to
	}
	return list, true, nil
}

// settle packs as many cases of a block with the tier as there is room for, and those
// behind them without it; all tells that it is all of them, and that one may go on.
func (f *filler) settle(list []block, b block, before []block, tier int) (best []block, all bool, err error) {
	for first := true; ; first = false {
		rest, end := behind(before, b.to), b.to
		if len(rest) > 0 && rest[0].from < b.to { // it is cut in two
			end, rest = rest[0].to, rest[1:]
		}
		room := f.room - sizeOf(list) - sizeOf(rest)
		fits := func(n int) bool { // with the tier of n cases
			mixed, failed := f.pack(b.from, b.from+n, end, tier)
			ok := failed == nil && mixed.size() <= room
			if ok {
				best = slices.Concat(list, []block{mixed}, rest)
			}
			err = cmp.Or(err, failed)
			return ok
		}
		n := b.to - b.from
		if f.raw <= mostRaw && fits(n) {
			return best, first, err
		}
		most := n - 1 - sort.Search(n, func(less int) bool { return fits(n - 1 - less) })
		switch {
		case err != nil || most >= 0:
			return best, false, err
		case len(list) == 0:
			return before, false, nil
		}
		b, list = list[len(list)-1], list[:len(list)-1]
	}
}

// behind are the blocks with cases from there on.
func behind(list []block, at int) []block {
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

// block packs the cases from there on, with all tiers up to one, until it is full.
func (f *filler) block(from, tier int) (block, error) {
	to, size := from, 0
	for to < len(f.cases) && f.cases[to].suite == f.cases[from].suite && size < blockSize {
		size += f.load(f.cases[to], tier)
		to++
	}
	return f.pack(from, to, to, tier)
}

// load reads the traces of a case's trials up to a tier, and says how many bytes
// they take.
func (f *filler) load(c *packedCase, tier int) int {
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

// read loads a trial; of one that cannot be, nothing.
func (f *filler) read(c *packedCase, i int) {
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
		f.unread, f.why = f.unread+1, cmp.Or(f.why, err)
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

// pack packs cases with all tiers up to one, and those behind mid without it.
func (f *filler) pack(from, mid, to, tier int) (block, error) {
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
	b.part, err = f.press.json("", lead, text.Bytes()[:text.Len()-1], []byte("}}"))
	return b, err
}

// write writes a case with its trials, and a comma; nothing without any.
func (f *filler) write(text *bytes.Buffer, c *packedCase, tier int) (traced int64) {
	for _, i := range c.trials {
		if f.suites[c.suite].trials[i].tier > tier || c.loaded[i] == nil {
			continue
		}
		if traced++; traced == 1 {
			text.WriteString(strconv.Quote(strconv.Itoa(c.of)) + `:{"inputs":`)
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

// notes say what could not be read.
func (f *filler) notes() []string {
	if f.why == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s could not be read: %v", number.Plural(f.unread, "trace"), f.why)}
}
