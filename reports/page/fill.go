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
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
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
	complete   bool  // all trials are to be included, with all messages that they sent
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

func newBlockFiller(suites []*suite, source TrialSource, p *compressor, room int64, complete bool) *blockFiller {
	f := &blockFiller{
		suites:     suites,
		source:     source,
		compressor: p,
		room:       room,
		complete:   complete,
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
// as fit. It returns whether all tiers fit.
func (f *blockFiller) fill() (list []block, whole bool, err error) {
	for from := 0; from < len(f.cases); {
		to := from + len(f.suites[f.cases[from].suite].caseInfos)
		list = append(list, block{from: from, to: to}) // one empty block for each suite
		from = to
	}
	for tier := range tiers {
		next, whole, err := f.extend(list, tier)
		if err != nil || !whole {
			return next, false, err
		}
		list = next
	}
	return list, true, nil
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

// scope returns which sent messages of a trial the file contains. Messages need more space than the
// rest of the trace. So unless the file is complete, it contains only the messages that led to the
// decisions of failing trials.
func (f *blockFiller) scope(t trial) messageScope {
	switch {
	case f.complete:
		return allMessages
	case t.tier == failing:
		return decisionMessages
	}
	return noMessages
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
		if f.suites[c.suite].head.Conditions[t.condition].BaselineModel {
			r = renameSources(r)
		}
		text, err = json.Marshal(trialOf(r, t.condition, f.scope(t)))
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

// names assigns numbers to different texts, in the order in which they are added. The number of the
// empty text is −1.
type names struct {
	list []string
	at   map[string]int
}

func (n *names) add(text string) int {
	if text == "" {
		return -1
	}
	if at, ok := n.at[text]; ok {
		return at
	}
	if n.at == nil {
		n.at = map[string]int{}
	}
	text = strings.Clone(text) // a copy, so that the line of the file that contains the text can be freed
	n.at[text] = len(n.list)
	n.list = append(n.list, text)
	return len(n.list) - 1
}

// interned returns the stored copy of a text, so that equal texts use memory once.
func (n *names) interned(text string) string {
	if at := n.add(text); at >= 0 {
		return n.list[at]
	}
	return ""
}

// sorted returns all texts in alphabetical order, and for each number the index of its text in this
// list.
func (n *names) sorted() (list []string, rank ranks) {
	list = append([]string{}, n.list...)
	slices.Sort(list)
	places := make(map[string]int, len(list))
	for i, text := range list {
		places[text] = i
	}
	rank = make(ranks, len(n.list))
	for i, text := range n.list {
		rank[i] = places[text]
	}
	return list, rank
}

// ranks maps the number of a text to its index in alphabetical order.
type ranks []int

// rank returns the index for a number; −1 for −1.
func (r ranks) rank(number int) int {
	if number < 0 {
		return -1
	}
	return r[number]
}

// expectedIndex returns the number of a set of expected labels; −1 for an empty set.
func (s *suite) expectedIndex(want eval.OneOf) int {
	if len(want) == 0 {
		return -1
	}
	number := s.expect.add(strings.Join(want, "\x00"))
	if number == len(s.expectedSets) {
		list := make([]int, len(want))
		for i, label := range want {
			list[i] = s.labels.add(label)
		}
		s.expectedSets = append(s.expectedSets, list)
	}
	return number
}

// Tiers of trials, the most important first. If the page is too small for all traces, it contains
// the traces of the first tiers, which readers open most often.
const (
	failing   = iota // wrong or unscored, without a fault
	differing        // differs from the baseline variant, without a fault
	plain            // any other trial without a fault
	degraded         // the result is worse because of a fault
	slowest          // one of the slowest trials of a condition with a fault
	lastTier
	tiers
)

// slowestCount is the number of trials of a condition that count as its slowest.
const slowestCount = 5

func (s *suite) assignTiers() {
	s.setFaultOutcomes()
	baseline := slices.IndexFunc(s.head.Conditions,
		func(c Condition) bool { return c.Variant == s.head.BaselineVariant && c.Fault == eval.NoFault })
	by := make([][]*trial, len(s.head.Conditions))
	for i := range s.trials {
		t := &s.trials[i]
		t.tier = s.tierOf(t, baseline)
		by[t.condition] = append(by[t.condition], t)
	}
	// the list is sorted by case and epoch, and the stable sort preserves this order for equal
	// durations
	for _, list := range by {
		slices.SortStableFunc(list, func(a, b *trial) int { return cmp.Compare(b.duration, a.duration) })
		for _, t := range list[:min(slowestCount, len(list))] {
			t.tier = min(t.tier, slowest)
		}
	}
}

func (s *suite) tierOf(t *trial, baseline int) int {
	if s.head.Conditions[t.condition].Fault != eval.NoFault {
		if isDegraded(t.faultOutcome) {
			return degraded
		}
		return lastTier
	}
	if t.failing {
		return failing
	}
	if baseline >= 0 {
		if first := s.trialAt(baseline, t.caseIndex, t.epoch); first != nil && first.predicted != t.predicted {
			return differing
		}
	}
	return plain
}

func isDegraded(outcome int) bool {
	switch compare.FaultEffect(outcome) {
	case compare.NowWrong, compare.NowErrorReply, compare.NowUnscored:
		return outcome >= 0
	}
	return false
}
