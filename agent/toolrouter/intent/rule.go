package intent

import (
	"regexp"
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
	on   lists
	ask  *dfa.Regexp
	not  *dfa.Regexp // any of them; nil: there are none
}

// book is all that rules go by.
type book struct {
	lexicon
	images, times, searches []pattern
	hasty                   lists
	opener                  pattern
	rewrites                []rewrite
}

// rules are compiled when first asked, or by Prepare.
var rules = sync.OnceValue(func() *book {
	var b book
	b.images, b.times, b.searches = b.compile(imageRows), b.compile(timeRows), b.compile(searchRows)
	b.hasty, b.opener, b.rewrites = b.add(hasty), b.compile(openerRows)[0], b.compileRewrites()
	return &b
})

// CompileRules compiles the rules, for which else the first text would wait.
func CompileRules() { rules() }

func (b *book) compile(rows []row) []pattern {
	list := make([]pattern, len(rows))
	for i, r := range rows {
		list[i] = pattern{rule: r.rule, on: b.add(r.on), ask: expand(r.ask)}
		if len(r.not) > 0 {
			list[i].not = expand(strings.Join(r.not, "|"))
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

func (p *pattern) fires(c *clause) bool { return p.on&c.holds != 0 && p.asks(c) }

func (p *pattern) asks(c *clause) bool {
	if p.not == nil {
		return p.ask.MatchString(c.text)
	}
	found := p.ask.FindString(c.text)
	return found != "" && !p.not.MatchString(found)
}

// clause is one clause of a plain message, and the lists that it holds a word of.
type clause struct {
	text  string
	holds lists
}

func (b *book) clause(text string) clause { return clause{text, b.heldBy(text)} }
