package dfa

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
)

// automaton is a lazily built DFA. Each state is a set of NFA instructions [Thompson 1968]. A step
// is computed when a text first needs it, and then read from the table. For the expression foo:
//
//	text      f    o    o
//	state  0 -> 1 -> 2 -> matched
//
// The step of state 0 for another letter stays unread until a text contains that letter there.
type automaton struct {
	*alphabet
	program
	longest bool // the longest match is sought, so a match does not end the search
	table   atomic.Pointer[table]

	mu sync.Mutex // guards writes to the table and its replacement
}

// table holds the computed steps. Readers use only the steps.
type table struct {
	steps  []atomic.Uint32 // by state and letter
	width  int             // number of letters
	states []state
	known  map[string]number
}

// number is the index of a state in a table, or one of the special values below.
type number uint32

const (
	uncomputed number = iota // step not computed yet
	matched                  // match, for any rest of the text
	noMatch                  // no match, for any rest of the text
	begin                    // initial state
)

// matchEnds is a flag of a state number in an automaton for the longest match: a match ends before
// the letter that led there.
const matchEnds number = 1 << 31

// maxSteps limits a table to a MiB or two, because a text can require any number of states.
const maxSteps = 1 << 18

type state struct {
	at     []uint32 // instructions, before the next character is read
	before rune     // representative of the preceding character; -1: none
}

func newAutomaton(re *syntax.Regexp) *automaton {
	prog, sets := compile(re)
	a := &automaton{alphabet: newAlphabet(sets), program: prog}
	a.resetTable()
	return a
}

func (a *automaton) matches(text string) bool {
	t, at := a.table.Load(), begin
	for _, r := range text {
		if t, at = a.next(t, at, a.letterOf(r)); at < begin {
			return at == matched
		}
	}
	_, at = a.next(t, at, theEnd)
	return at == matched
}

// next returns the step for a letter, and the table of the state.
func (a *automaton) next(t *table, from number, l letter) (*table, number) {
	if to := number(t.step(from, l).Load()); to != uncomputed {
		return t, to
	}
	return a.computeStep(t, from, l)
}

func (t *table) step(from number, l letter) *atomic.Uint32 {
	return &t.steps[int(from-begin)*t.width+int(l)]
}

// computeStep computes a step.
func (a *automaton) computeStep(t *table, from number, l letter) (*table, number) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := t.states[from-begin]
	if now := a.table.Load(); (len(now.states)+2)*now.width > maxSteps {
		a.resetTable()
	}
	from, to := a.stateNumber(s), a.nextState(s, l)
	t = a.table.Load()
	t.step(from, l).Store(uint32(to))
	return t, to
}

// resetTable starts a new table. Readers may continue with the previous one.
func (a *automaton) resetTable() {
	width := len(a.representative)
	a.table.Store(&table{steps: make([]atomic.Uint32, width), width: width, known: map[string]number{}})
	a.stateNumber(state{before: none})
}

// nextState runs the program for one letter.
func (a *automaton) nextState(from state, l letter) number {
	var at []uint32
	var met number
	r := a.representative[l]
	for _, pc := range a.closure(append(slices.Clip(from.at), a.start), syntax.EmptyOpContext(from.before, r)) {
		switch i := &a.code[pc]; {
		case i.op == syntax.InstMatch && !a.longest:
			return matched
		case i.op == syntax.InstMatch:
			met = matchEnds
		case a.in(i.reads, l) && !slices.Contains(at, i.out):
			at = append(at, i.out)
		}
	}
	if len(at) == 0 && a.anchored {
		return noMatch | met
	}
	slices.Sort(at)
	return a.stateNumber(state{at: at, before: representativeBefore(r)}) | met
}

// closure returns the instructions that read a character or report a match, after following all
// others. holds are the assertions that are true.
func (a *automaton) closure(todo []uint32, holds syntax.EmptyOp) (found []uint32) {
	seen := make([]bool, len(a.code))
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch i := &a.code[pc]; i.op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, i.out, i.arg)
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, i.out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.arg)&^holds == 0 {
				todo = append(todo, i.out)
			}
		case syntax.InstFail:
		default:
			found = append(found, pc)
		}
	}
	return found
}

// stateNumber returns the number of a state and adds it to the table if it is new.
func (a *automaton) stateNumber(s state) number {
	t, key := a.table.Load(), fmt.Sprint(s.at, s.before)
	n, ok := t.known[key]
	if ok {
		return n
	}
	if len(t.states)*t.width == len(t.steps) {
		t = t.grown()
		a.table.Store(t)
	}
	n = begin + number(len(t.states))
	t.known[key] = n
	t.states = append(t.states, s)
	return n
}

// grown returns a table with room for twice as many states.
func (t *table) grown() *table {
	more := &table{
		steps:  make([]atomic.Uint32, 2*len(t.steps)),
		width:  t.width,
		states: t.states,
		known:  t.known,
	}
	for i := range t.steps {
		more.steps[i].Store(t.steps[i].Load())
	}
	return more
}
