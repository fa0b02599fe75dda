package intent

import "unicode/utf8"

// read finds the rules of the open routes that fire anywhere in text.
func read(text string, open Routes) ruleSet {
	var c clause
	var q quotes
	var found ruleSet
	var last kind
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		is := kindOf(r)
		if c.n == maxHits || is == stop && ends(text, i, size, last) {
			found |= c.judge(open)
			c.reset(fold(r) == ',')
		}
		if is == blank && r != ' ' {
			if end := q.end(text, i, r, last); end > 0 {
				c.skip(text[i:end])
				i, last = end, blank
				continue
			}
		}
		switch {
		case is == letter && last.word(), is == digit && last == letter:
			c.length++ // inside a word that is not known
		case is >= letter:
			m := words.longest(text[i:])
			if m.chars == 0 {
				c.length++
				break
			}
			c.add(m.is, m.chars)
			i += m.bytes
			last = m.last
			continue
		}
		last = is
		i += size
	}
	return found | c.judge(open)
}

func (c *clause) judge(open Routes) ruleSet {
	var found ruleSet
	if c.n == 0 {
		return 0
	}
	if open&ImageGen != 0 {
		found |= c.imageRules()
	}
	if open&WebSearch != 0 {
		found |= c.searchRules()
	}
	if open&TimeQuery != 0 {
		found |= c.timeRules()
	}
	return found
}

// add notes a known word. Two readings depend on what came before, and are
// settled here so that no rule has to repeat them.
func (c *clause) add(is class, chars int) {
	h := hit{is: is, from: c.length, to: c.length + chars}
	c.length = h.to
	if i := c.n - 1; i >= 0 && is == number && c.hits[i].is == number && c.hits[i].to == h.from {
		c.hits[i].to = h.to // 十二, 2024
		return
	}
	c.hits[c.n] = h
	if is&(drawn|generates|crafts|enDraw|enMake) != 0 {
		c.hits[c.n].is = c.verb(c.n)
	}
	c.all |= c.hits[c.n].is
	c.n++
}

// verb takes the request out of a verb that is refused (不要画, 别再生成), and
// makes a picture of 画 where it is a noun (这幅画, 我的画, 生成画).
func (c *clause) verb(i int) class {
	is := c.hits[i].is
	if c.reaches(i, refuse, opener|lead|with) {
		return is &^ (strokes | hua | draws | generate | crafts | enDraw | enMake)
	}
	if is&picture == 0 || is&draws == 0 {
		return is
	}
	if c.follows(i, sheet|of) {
		return picture | drawn
	}
	if !c.has(generate | crafts) {
		return is &^ picture
	}
	return is
}

// ends tells whether the stop at i ends a clause: a full stop or comma inside
// a number or a word does not.
func ends(text string, i, size int, last kind) bool {
	if text[i] != '.' && text[i] != ',' || i+size >= len(text) {
		return true
	}
	r, _ := decode(text[i+size:])
	next := kindOf(r)
	if text[i] == ',' {
		return last != digit || next != digit
	}
	return !last.word() || next != letter && next != digit
}

func decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}
