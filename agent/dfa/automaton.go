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
	prog     *syntax.Prog
	start    *state
	anchored bool // matches begin where the text does

	mu     sync.Mutex // guards the rest
	states map[string]*state
}

// maxStates bounds what is remembered: a text may be made to need ever more of them.
const maxStates = 1 << 9

type state struct {
	at     []uint32                // instructions, before it is known what is read next
	before rune                    // stands for the character that was read last; -1: none was
	next   []atomic.Pointer[steps] // by letter, some together: most are never read here
}

// steps lead on, by letter; nil: it has not been read here yet.
type steps [16]atomic.Pointer[state]

// Where all is said, whatever follows.
var matched, lost = &state{}, &state{}

// newAutomaton tells of an expression, too, whether it finds whole lines.
func newAutomaton(expr string) (_ *automaton, lines bool) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err)
	}
	lines = findsLines(parsed)
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic(err)
	}
	a := &automaton{alphabet: newAlphabet(prog), prog: prog, anchored: prog.StartCond()&syntax.EmptyBeginText != 0, states: map[string]*state{}}
	a.start = a.state(nil, none)
	return a, lines
}

func (a *automaton) matches(text string) bool {
	at := a.start
	for _, r := range text {
		switch at = a.next(at, a.letterOf(r)); at {
		case matched:
			return true
		case lost:
			return false
		}
	}
	return a.next(at, theEnd) == matched
}

// next is where a letter leads.
func (a *automaton) next(from *state, l letter) *state {
	some := from.next[l/16].Load()
	if some != nil {
		if to := some[l%16].Load(); to != nil {
			return to
		}
	} else if some = new(steps); !from.next[l/16].CompareAndSwap(nil, some) {
		some = from.next[l/16].Load()
	}
	to := a.follow(from, a.stands[l])
	some[l%16].Store(to)
	return to
}

// follow plays the program on one character; none: on the end of the text.
func (a *automaton) follow(from *state, r rune) *state {
	var at []uint32
	for _, pc := range a.reach(append(slices.Clip(from.at), uint32(a.prog.Start)), syntax.EmptyOpContext(from.before, r)) {
		switch i := &a.prog.Inst[pc]; {
		case i.Op == syntax.InstMatch:
			return matched
		case r != none && i.MatchRune(r) && !slices.Contains(at, i.Out):
			at = append(at, i.Out)
		}
	}
	if len(at) == 0 && a.anchored {
		return lost
	}
	slices.Sort(at)
	return a.state(at, likeBefore(r))
}

// reach finds the instructions that read something, or tell a match, behind those that
// only lead on where what they look at holds.
func (a *automaton) reach(todo []uint32, holds syntax.EmptyOp) (found []uint32) {
	seen := make([]bool, len(a.prog.Inst))
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch i := &a.prog.Inst[pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, i.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^holds == 0 {
				todo = append(todo, i.Out)
			}
		case syntax.InstFail:
		default:
			found = append(found, pc)
		}
	}
	return found
}

// state is the one with these instructions.
func (a *automaton) state(at []uint32, before rune) *state {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := fmt.Sprint(at, before)
	s, ok := a.states[key]
	if !ok {
		if len(a.states) >= maxStates {
			clear(a.states)
		}
		s = &state{at: at, before: before, next: make([]atomic.Pointer[steps], len(a.stands)/16+1)}
		a.states[key] = s
	}
	return s
}
