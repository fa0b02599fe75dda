package file

import (
	"cmp"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits on a YAML text, because a small text can be very expensive to parse. The parser recurses
// for each level and needs hundreds of bytes per token. Its time is quadratic in the items of a
// bracketed list, the keys of a map, the documents and the anchors. A few nested aliases can fill
// the memory. For comparison: a suite of 1,000 variants has about 50,000 tokens.
const (
	maxTokens  = 100_000
	maxLevels  = 100
	maxItems   = 10_000 // in a list or map in brackets
	maxKeys    = 2_000  // in a map without brackets
	maxDocs    = 100    // counted by their markers
	maxAnchors = 100
	maxAliased = 16 << 20 // total size that aliases expand to, in bytes of text plus 64 per node
)

// YAMLError is a problem in a YAML text, with its line number.
type YAMLError struct {
	Line   int // from 1
	Reason string
}

func (e *YAMLError) Error() string { return fmt.Sprintf("%d: %s", e.Line, e.Reason) }

// CheckYAMLComplexity returns an error for a text that is far more expensive to parse than its length
// suggests. It accepts invalid YAML, which the parser reports better.
func CheckYAMLComplexity(text []byte) error {
	tokens := lexer.Tokenize(string(text))
	aliased := false
	var n nesting
	var c counts
	for _, t := range tokens {
		aliased = aliased || t.Type == token.AliasType
		if reason := cmp.Or(n.add(t), c.add(t, len(n.items) > 0)); reason != "" {
			return &YAMLError{Line: t.Position.Line, Reason: reason}
		}
	}
	if !aliased {
		return nil
	}
	parsed, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil
	}
	visitor := aliases{sizes: map[string]int{}}
	for _, doc := range parsed.Docs {
		if doc.Body != nil {
			ast.Walk(&visitor, doc.Body)
		}
	}
	if visitor.problem != nil {
		return visitor.problem
	}
	return nil
}

// nesting tracks how deep the current token is nested.
type nesting struct {
	items  []int // number of items so far in each open bracket
	line   int
	opened int // levels that this line, or this item in brackets, has opened without a bracket
}

func (n *nesting) add(t *token.Token) string {
	if line := t.Position.Line; line != n.line && len(n.items) == 0 {
		n.line, n.opened = line, 0
	}
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.items, n.opened = append(n.items, 1), 0
	case token.SequenceEndType, token.MappingEndType:
		n.items, n.opened = n.items[:max(0, len(n.items)-1)], 0
	case token.CollectEntryType:
		n.opened = 0
		if last := len(n.items) - 1; last >= 0 {
			n.items[last]++
		}
	case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.AnchorType, token.TagType:
		n.opened++
	}
	switch last := len(n.items) - 1; {
	case len(n.items)+n.opened > maxLevels:
		return fmt.Sprintf("is nested more than %d deep", maxLevels)
	case last >= 0 && n.items[last] > maxItems:
		return fmt.Sprintf("a list in brackets has more than %d items", maxItems)
	}
	return ""
}

// counts counts the constructs for which the parser's time is quadratic.
type counts struct {
	tokens, anchors, docs int

	maps []blockMap // open maps without brackets, the outermost first
}

type blockMap struct{ column, keys int }

func (c *counts) add(t *token.Token, bracketed bool) string {
	keys := 0
	c.tokens++
	switch t.Type {
	case token.AnchorType:
		c.anchors++
	case token.DocumentHeaderType, token.DocumentEndType:
		c.docs++
		c.maps = nil
	case token.SequenceEntryType:
		c.leave(t.Position.Column)
	case token.MappingValueType:
		if key := t.Prev; key != nil && !bracketed {
			keys = c.key(key.Position.Column)
		}
	}
	switch {
	case c.tokens > maxTokens:
		return fmt.Sprintf("has more than %d words and signs", maxTokens)
	case c.anchors > maxAnchors:
		return fmt.Sprintf("has more than %d anchors", maxAnchors)
	case c.docs > maxDocs:
		return fmt.Sprintf("has more than %d documents", maxDocs)
	case keys > maxKeys:
		return fmt.Sprintf("a map has more than %d keys", maxKeys)
	}
	return ""
}

// key counts a key at a column and returns the number of keys in its map.
func (c *counts) key(column int) int {
	c.leave(column)
	if last := len(c.maps) - 1; last < 0 || c.maps[last].column < column {
		c.maps = append(c.maps, blockMap{column: column})
	}
	last := &c.maps[len(c.maps)-1]
	last.keys++
	return last.keys
}

// leave ends the maps whose keys are further to the right than column.
func (c *counts) leave(column int) {
	for last := len(c.maps) - 1; last >= 0 && c.maps[last].column > column; last-- {
		c.maps = c.maps[:last]
	}
}

// aliases is an AST visitor that adds up the sizes to which aliases expand.
type aliases struct {
	sizes   map[string]int // size of each anchor's value, in bytes plus 64 per node
	total   int
	problem *YAMLError
}

// Visit records the size of an anchor's value, or adds the size to which an alias expands. An
// anchor precedes its aliases.
func (a *aliases) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.AnchorNode:
		var inside size
		ast.Walk(&inside, n.Value)
		if inside.alias != nil {
			a.fail(inside.alias, "an alias is inside the value of another alias")
		}
		a.sizes[nameOf(n.Name)] = inside.n
	case *ast.AliasNode:
		if a.total += a.sizes[nameOf(n.Value)]; a.total > maxAliased {
			a.fail(n, "the aliases stand for too much")
		}
	}
	if a.problem != nil {
		return nil
	}
	return a
}

func (a *aliases) fail(at ast.Node, reason string) {
	if a.problem == nil {
		a.problem = &YAMLError{Line: at.GetToken().Position.Line, Reason: reason}
	}
}

func nameOf(n ast.Node) string {
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}

// size is an AST visitor that measures a node, and finds an alias inside it.
type size struct {
	n     int
	alias ast.Node
}

// Visit adds the size of one node.
func (s *size) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		return nil
	}
	if n.Type() == ast.AliasType {
		s.alias = n
	}
	s.n += 64
	if t := n.GetToken(); t != nil {
		s.n += len(t.Value)
	}
	return s
}
