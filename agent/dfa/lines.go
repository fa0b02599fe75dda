package dfa

import "regexp/syntax"

// fromBegin reports whether every match within a line starts at the line's beginning, because all
// alternatives start with ^ or .*.
func fromBegin(re *syntax.Regexp) bool { return everyAlternative(re, first, begins) }

// toEnd reports whether every match within a line extends to the line's end, because all
// alternatives end with $ or .*.
func toEnd(re *syntax.Regexp) bool { return everyAlternative(re, last, ends) }

func first(list []*syntax.Regexp) *syntax.Regexp { return list[0] }

func last(list []*syntax.Regexp) *syntax.Regexp { return list[len(list)-1] }

// everyAlternative selects an element of each alternative with part. It reports whether holds is
// true for all of them.
func everyAlternative(re *syntax.Regexp, part func([]*syntax.Regexp) *syntax.Regexp,
	holds func(*syntax.Regexp) bool) bool {
	switch re.Op {
	case syntax.OpConcat, syntax.OpCapture:
		return everyAlternative(part(re.Sub), part, holds)
	case syntax.OpAlternate:
		for _, way := range re.Sub {
			if !everyAlternative(way, part, holds) {
				return false
			}
		}
		return true
	}
	return holds(re)
}

func begins(re *syntax.Regexp) bool {
	return re.Op == syntax.OpBeginText || re.Op == syntax.OpStar && isAny(re.Sub[0])
}

func ends(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEndText:
		return true
	case syntax.OpStar, syntax.OpPlus:
		return isAny(re.Sub[0]) && re.Flags&syntax.NonGreedy == 0
	case syntax.OpRepeat:
		return isAny(re.Sub[0]) && re.Flags&syntax.NonGreedy == 0 && re.Max < 0
	}
	return false
}

func isAny(re *syntax.Regexp) bool {
	return re.Op == syntax.OpAnyCharNotNL || re.Op == syntax.OpAnyChar
}
