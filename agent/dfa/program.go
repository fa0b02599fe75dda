package dfa

import (
	"encoding/binary"
	"regexp/syntax"
	"unicode"
)

// program is a compiled program of package regexp/syntax without pointers, so that the garbage
// collector does not scan it.
type program struct {
	code     []instruction
	start    uint32
	anchored bool // matches start only at the beginning of the text
}

type instruction struct {
	op       syntax.InstOp
	out, arg uint32
	reads    uint32 // number of the character set that the instruction reads
}

// compile returns the program of an expression, and the character sets that it reads.
func compile(re *syntax.Regexp) (p program, sets [][]rune) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		panic(err)
	}
	p = program{start: uint32(prog.Start), anchored: prog.StartCond()&syntax.EmptyBeginText != 0}
	known, key := map[string]uint32{}, []byte(nil)
	for i := range prog.Inst {
		from := &prog.Inst[i]
		to := instruction{op: from.Op, out: from.Out, arg: from.Arg}
		if set := charactersOf(from); set != nil {
			key = key[:0]
			for _, r := range set {
				key = binary.AppendUvarint(key, uint64(r))
			}
			n, ok := known[string(key)]
			if !ok {
				n = uint32(len(sets))
				known[string(key)] = n
				sets = append(sets, set)
			}
			to.reads = n
		}
		p.code = append(p.code, to)
	}
	return p, sets
}

// charactersOf returns the character set that an instruction reads, as ranges; nil: none.
func charactersOf(i *syntax.Inst) []rune {
	switch i.Op {
	case syntax.InstRuneAny:
		return []rune{0, unicode.MaxRune}
	case syntax.InstRuneAnyNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	case syntax.InstRune, syntax.InstRune1:
		if len(i.Rune) > 1 {
			return i.Rune
		}
		set := []rune{i.Rune[0], i.Rune[0]}
		if syntax.Flags(i.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(i.Rune[0]); r != i.Rune[0]; r = unicode.SimpleFold(r) {
				set = append(set, r, r)
			}
		}
		return set
	}
	return nil
}
