package intent

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"evalctl/agent/dfa"
)

// Rule names the rule group that fired, "" when none did.
type Rule string

// row is one way in which a rule fires: in a clause that holds one of the words
// on (parted by spaces, _ for a space), where ask matches and what it matched
// holds none of not. {name} in a pattern is a class of words. For the text yes
// the row fires, for no it does not. A row without a rule stops those below it.
type row struct {
	rule    Rule
	on      string // only to be fast: ask cannot match without one of them
	ask     string
	not     []string
	yes, no string
}

type pattern struct {
	rule Rule
	on   triggers
	ask  *dfa.Regexp
	not  []*dfa.Regexp
}

// The tables, compiled when first asked, or by Prepare.
var (
	images   = sync.OnceValue(func() []pattern { return compile(imageRows) })
	times    = sync.OnceValue(func() []pattern { return compile(timeRows) })
	searches = sync.OnceValue(func() []pattern { return compile(searchRows) })
)

// Prepare compiles the rules, for which else the first text would wait.
func Prepare() {
	images()
	times()
	searches()
}

func compile(rows []row) []pattern {
	list := make([]pattern, len(rows))
	known := map[string]*dfa.Regexp{} // many rows share what they are not
	for i, r := range rows {
		list[i] = pattern{rule: r.rule, on: words(r.on), ask: expand(r.ask)}
		for _, not := range r.not {
			if known[not] == nil {
				known[not] = expand(not)
			}
			list[i].not = append(list[i].not, known[not])
		}
	}
	return list
}

var class = regexp.MustCompile(`\{[a-z]+\}`)

// expand compiles a pattern with the words of its classes in their places.
func expand(text string) *dfa.Regexp {
	for class.MatchString(text) {
		text = class.ReplaceAllStringFunc(text, func(name string) string {
			return "(?:" + strings.Join(strings.Fields(classes[strings.Trim(name, "{}")]), "|") + ")"
		})
	}
	return dfa.MustCompile(strings.ReplaceAll(text, "_", " "))
}

// first finds the first rule of a table that fires in any clause.
func first(table []pattern, message []clause) Rule {
	for i := range table {
		for j := range message {
			if table[i].fires(&message[j]) {
				return table[i].rule
			}
		}
	}
	return ""
}

func (p *pattern) fires(c *clause) bool {
	return (len(p.on.words) == 0 || c.holds(&p.on)) && p.asks(c)
}

func (p *pattern) asks(c *clause) bool {
	found := p.ask.FindString(c.text)
	return found != "" && !slices.ContainsFunc(p.not, func(not *dfa.Regexp) bool { return not.MatchString(found) })
}

// clause is one clause of a plain message, and a sketch of the characters in
// it, which tells of most words at one look that they are not there.
type clause struct {
	text   string
	sketch sketch
}

func newClause(text string) clause {
	c := clause{text: text}
	for _, r := range text {
		c.sketch.add(r)
	}
	return c
}

// triggers are words, and a sketch of the characters that they begin with.
type triggers struct {
	words  []trigger
	firsts sketch
}

type trigger struct {
	word  string
	first rune
}

func words(list string) (found triggers) {
	for word := range strings.FieldsSeq(list) {
		t := trigger{strings.ReplaceAll(word, "_", " "), []rune(word)[0]}
		found.words = append(found.words, t)
		found.firsts.add(t.first)
	}
	return found
}

func (c *clause) holds(on *triggers) bool {
	return c.sketch.meets(&on.firsts) && slices.ContainsFunc(on.words, func(w trigger) bool {
		return c.sketch.has(w.first) && strings.Contains(c.text, w.word)
	})
}

// sketch is a set of characters, some of which it cannot tell apart.
type sketch [4]uint64

func (s *sketch) add(r rune) { s[r>>6&3] |= 1 << (r & 63) }

func (s *sketch) has(r rune) bool { return s[r>>6&3]>>(r&63)&1 == 1 }

func (s *sketch) meets(o *sketch) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0
}
