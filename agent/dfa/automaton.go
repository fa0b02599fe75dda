package dfa

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
)

// automaton has for states the sets of places in a program at which its matches may
// stand, as [Thompson 1968] has them, and remembers the steps between those that it met.
type automaton struct {
	*alphabet
	program
	longest bool // matches are looked for behind the first
	table   atomic.Pointer[table]

	mu sync.Mutex // of who adds to the table, or makes another
}

// table is where letters lead from states. Those that read know the steps alone.
type table struct {
	steps  []atomic.Uint32 // by state and letter
	width  int             // letters
	states []state
	known  map[string]number
}

// number is that of a state in a table.
type number uint32

const (
	unread  number = iota // nobody has looked yet where the letter leads
	matched               // whatever follows
	lost                  // whatever follows
	begin                 // of a text: the first state of all
)

// hit goes with the number of a state in an automaton that looks for the longest match:
// one ends before the letter that led there.
const hit number = 1 << 31

// maxSteps bounds a table, to a MiB or two: texts may be made to need ever more states.
const maxSteps = 1 << 18

type state struct {
	at     []uint32 // instructions, before it is known what is read next
	before rune     // stands for the character that was read last; -1: none was
}

func newAutomaton(re *syntax.Regexp) *automaton {
	prog, sets := compile(re)
	a := &automaton{alphabet: newAlphabet(sets), program: prog}
	a.forget()
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

// next is where a letter leads, and the table that has the state.
func (a *automaton) next(t *table, from number, l letter) (*table, number) {
	if to := number(t.step(from, l).Load()); to != unread {
		return t, to
	}
	return a.learn(t, from, l)
}

func (t *table) step(from number, l letter) *atomic.Uint32 {
	return &t.steps[int(from-begin)*t.width+int(l)]
}

// learn takes a step for the first time.
func (a *automaton) learn(t *table, from number, l letter) (*table, number) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := t.states[from-begin]
	if now := a.table.Load(); (len(now.states)+2)*now.width > maxSteps {
		a.forget()
	}
	from, to := a.place(s), a.follow(s, l)
	t = a.table.Load()
	t.step(from, l).Store(uint32(to))
	return t, to
}

// forget begins another table; who reads in the one before may go on.
func (a *automaton) forget() {
	width := len(a.stands)
	a.table.Store(&table{steps: make([]atomic.Uint32, width), width: width, known: map[string]number{}})
	a.place(state{before: none})
}

// follow plays the program on one letter.
func (a *automaton) follow(from state, l letter) number {
	var at []uint32
	var met number
	r := a.stands[l]
	for _, pc := range a.reach(append(slices.Clip(from.at), a.start), syntax.EmptyOpContext(from.before, r)) {
		switch i := &a.code[pc]; {
		case i.op == syntax.InstMatch && !a.longest:
			return matched
		case i.op == syntax.InstMatch:
			met = hit
		case a.in(i.reads, l) && !slices.Contains(at, i.out):
			at = append(at, i.out)
		}
	}
	if len(at) == 0 && a.anchored {
		return lost | met
	}
	slices.Sort(at)
	return a.place(state{at: at, before: likeBefore(r)}) | met
}

// reach finds the instructions that read something, or tell a match, behind those that
// only lead on where what they look at holds.
func (a *automaton) reach(todo []uint32, holds syntax.EmptyOp) (found []uint32) {
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

// place is the number of a state, for which there is room behind that.
func (a *automaton) place(s state) number {
	t, key := a.table.Load(), fmt.Sprint(s.at, s.before)
	n, ok := t.known[key]
	if ok {
		return n
	}
	if len(t.states)*t.width == len(t.steps) {
		t = t.larger()
		a.table.Store(t)
	}
	n = begin + number(len(t.states))
	t.known[key] = n
	t.states = append(t.states, s)
	return n
}

// larger has room for twice as many states.
func (t *table) larger() *table {
	more := &table{steps: make([]atomic.Uint32, 2*len(t.steps)), width: t.width, states: t.states, known: t.known}
	for i := range t.steps {
		more.steps[i].Store(t.steps[i].Load())
	}
	return more
}
