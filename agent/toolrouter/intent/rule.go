package intent

import (
	"regexp"
	"strings"
	"sync"

	"evalctl/agent/dfa"
)

// Rule is the name of a group of patterns such as time.clock. It explains a decision. "": no
// pattern matched.
type Rule string

// patternRow is one pattern of a table: one way to phrase a request. It matches a clause if match
// does and no pattern of exclude matches the matched part. A row without a rule name ends the
// search without a match.
//
// In patterns, {name} is a word class, see classes. The field yes is an example that matches, and
// the field no is an example that does not.
type patternRow struct {
	rule    Rule
	words   string // the clause must contain one of these words, checked first for speed; _ is a space
	match   string
	exclude []string
	yes, no string

	asksSearch bool // the text requests the search itself, not a fact that a search can find
}

type pattern struct {
	rule Rule
	on   lists
	ask  *dfa.Regexp
	not  *dfa.Regexp // the excluded patterns as alternatives; nil: none

	asksSearch bool
}

type ruleBook struct {
	lexicon
	notImages               []pattern // texts that only resemble a request for an image
	imageEdits              []pattern
	images, times, searches []pattern
	abbreviations           lists
	opener, refusal         pattern
	rewrites                []rewrite
}

// rules returns the compiled patterns. They are compiled at the first call.
var rules = sync.OnceValue(func() *ruleBook {
	var b ruleBook
	b.notImages, b.images = b.compile(notImageRows), b.compile(imageRows)
	b.imageEdits = b.compile(imageEditRows)
	b.times, b.searches = b.compile(timeRows), b.compile(searchRows)
	b.abbreviations, b.opener, b.rewrites = b.add(abbreviations), b.compile(openerRows)[0], b.compileRewrites()
	b.refusal = b.compile(refusalRows)[0]
	return &b
})

// CompileRules compiles the patterns in advance. Otherwise the first text takes longer.
func CompileRules() { rules() }

func (b *ruleBook) compile(rows []patternRow) []pattern {
	list := make([]pattern, len(rows))
	for i, r := range rows {
		list[i] = pattern{rule: r.rule, on: b.add(r.words), ask: expand(r.match), asksSearch: r.asksSearch}
		if len(r.exclude) > 0 {
			list[i].not = expand(strings.Join(r.exclude, "|"))
		}
	}
	return list
}

var class = regexp.MustCompile(`\{[a-z]+\}`)

// expand replaces the word classes in a pattern and compiles it.
func expand(text string) *dfa.Regexp {
	for class.MatchString(text) {
		text = class.ReplaceAllStringFunc(text, func(name string) string {
			return "(?:" + strings.Join(strings.Fields(classes[strings.Trim(name, "{}")]), "|") + ")"
		})
	}
	return dfa.MustCompile(strings.ReplaceAll(text, "_", " "))
}

// first returns the rule of the first pattern in a table that matches any clause; "": none does.
func first(table []pattern, message []clause) Rule {
	for i := range table {
		for j := range message {
			if table[i].matches(&message[j]) {
				return table[i].rule
			}
		}
	}
	return ""
}

func (p *pattern) matches(c *clause) bool { return p.on&c.lists != 0 && p.matchesText(c) }

func (p *pattern) matchesText(c *clause) bool {
	if p.not == nil {
		return p.ask.MatchString(c.text)
	}
	found := p.ask.FindString(c.text)
	return found != "" && !p.not.MatchString(found)
}

// clause is one normalized clause. lists contains each word list that has a word in the clause.
type clause struct {
	text          string
	lists         lists
	refusesSearch bool
}

func (b *ruleBook) clause(text string) clause { return clause{text: text, lists: b.find(text)} }
