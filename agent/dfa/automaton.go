package dfa

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
)

// automaton is a lazily built DFA. Each state is a set of NFA instructions [Thompson 1968]. A
// transition is computed when a text first needs it, and is then read from a table. For the
// expression foo the states are:
//
//	0 -f-> 1 -o-> 2 -o-> matched
//
// The transition from state 0 for another letter is computed when a text first has that letter.
type automaton struct {
	*alphabet
	program
	longest bool // searches for the longest match, so a match does not end the search
	table   atomic.Pointer[table]

	mu sync.Mutex // guards changes to the table and its replacement
}

// table contains states and computed transitions. Readers use only the transitions, without a lock.
type table struct {
	transitions []atomic.Uint32 // next state for each state and letter
	width       int             // number of letters
	states      []state
	known       map[string]number
}

// number identifies a state: an index in the table plus begin, or one of the special values below.
type number uint32

const (
	uncomputed number = iota // the transition has not been computed yet
	matched                  // the text matches, regardless of its rest
	noMatch                  // the text does not match, regardless of its rest
	begin                    // initial state
)

// matchEnds is a flag of a state number in an automaton for the longest match. It means that a
// match ends before the letter that led to the state.
const matchEnds number = 1 << 31

// maxTransitions limits a table to 1 MiB of transitions, because a text can require many states.
const maxTransitions = 1 << 18

type state struct {
	at     []uint32 // the next instructions to execute
	before rune     // representative of the preceding character; none: start of the text
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
	_, at = a.next(t, at, endOfText)
	return at == matched
}

// next returns the state after a letter, and the table to which its number belongs.
func (a *automaton) next(t *table, from number, l letter) (*table, number) {
	if to := number(t.transition(from, l).Load()); to != uncomputed {
		return t, to
	}
	return a.computeTransition(t, from, l)
}

func (t *table) transition(from number, l letter) *atomic.Uint32 {
	return &t.transitions[int(from-begin)*t.width+int(l)]
}

// computeTransition computes a transition and stores it in the table.
func (a *automaton) computeTransition(t *table, from number, l letter) (*table, number) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := t.states[from-begin]
	if now := a.table.Load(); (len(now.states)+2)*now.width > maxTransitions {
		a.resetTable()
	}
	from, to := a.stateNumber(s), a.nextState(s, l)
	t = a.table.Load()
	t.transition(from, l).Store(uint32(to))
	return t, to
}

// resetTable starts a new, empty table. Readers may continue with the previous one.
func (a *automaton) resetTable() {
	width := len(a.representative)
	a.table.Store(&table{transitions: make([]atomic.Uint32, width), width: width, known: map[string]number{}})
	a.stateNumber(state{before: noRune})
}

// nextState computes the state after a letter, by executing all instructions of the state.
func (a *automaton) nextState(from state, l letter) number {
	var at []uint32
	var matchFlag number
	r := a.representative[l]
	for _, pc := range a.closure(append(slices.Clip(from.at), a.start), syntax.EmptyOpContext(from.before, r)) {
		switch i := &a.code[pc]; {
		case i.op == syntax.InstMatch && !a.longest:
			return matched
		case i.op == syntax.InstMatch:
			matchFlag = matchEnds
		case a.in(i.reads, l) && !slices.Contains(at, i.out):
			at = append(at, i.out)
		}
	}
	if len(at) == 0 && a.anchored {
		return noMatch | matchFlag
	}
	slices.Sort(at)
	return a.stateNumber(state{at: at, before: representativeBefore(r)}) | matchFlag
}

// closure returns the reachable instructions that read a character or report a match. holds are the
// assertions that are true at this position.
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

// stateNumber returns the number of a state. A new state is added to the table.
func (a *automaton) stateNumber(s state) number {
	t, key := a.table.Load(), fmt.Sprint(s.at, s.before)
	n, ok := t.known[key]
	if ok {
		return n
	}
	if len(t.states)*t.width == len(t.transitions) {
		t = t.grown()
		a.table.Store(t)
	}
	n = begin + number(len(t.states))
	t.known[key] = n
	t.states = append(t.states, s)
	return n
}

// grown returns a copy of the table with room for twice as many states.
func (t *table) grown() *table {
	more := &table{
		transitions: make([]atomic.Uint32, 2*len(t.transitions)),
		width:       t.width,
		states:      t.states,
		known:       t.known,
	}
	for i := range t.transitions {
		more.transitions[i].Store(t.transitions[i].Load())
	}
	return more
}
