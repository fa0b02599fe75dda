package file

import (
	"cmp"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of a YAML text. The parser recurses for each level and takes hundreds of bytes per token.
// It takes quadratic time for a list in brackets, for the keys of a map, for documents and for
// anchors. A few nested aliases can fill the memory. A suite of 1,000 variants has about 50,000
// tokens.
const (
	maxTokens  = 100_000
	maxLevels  = 100
	maxItems   = 10_000 // of a list or map in brackets
	maxKeys    = 2_000  // of a map without brackets
	maxDocs    = 100    // documents, by their markers
	maxAnchors = 100
	maxAliased = 16 << 20 // bytes and nodes that aliases expand to
)

// YAMLError is a problem in a text, with its line.
type YAMLError struct {
	Line   int
	Reason string
}

func (e *YAMLError) Error() string { return fmt.Sprintf("%d: %s", e.Line, e.Reason) }

// CheckYAML rejects a text that is far more expensive to parse than its length suggests. Invalid
// YAML is left to the parser.
func CheckYAML(text []byte) error {
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
	look := aliases{sizes: map[string]int{}}
	for _, doc := range parsed.Docs {
		if doc.Body != nil {
			ast.Walk(&look, doc.Body)
		}
	}
	if look.wrong != nil {
		return look.wrong
	}
	return nil
}

// nesting is the depth of a token.
type nesting struct {
	items  []int // of each open bracket
	line   int
	opened int // levels opened without a bracket by this line, or by this item in brackets
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

// counts holds the numbers of constructs with superlinear cost.
type counts struct {
	tokens, anchors, docs int

	maps []blockMap // open maps without brackets
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

// key counts a key of the map at a column.
func (c *counts) key(column int) int {
	c.leave(column)
	if last := len(c.maps) - 1; last < 0 || c.maps[last].column < column {
		c.maps = append(c.maps, blockMap{column: column})
	}
	last := &c.maps[len(c.maps)-1]
	last.keys++
	return last.keys
}

// leave ends the maps further to the right.
func (c *counts) leave(column int) {
	for last := len(c.maps) - 1; last >= 0 && c.maps[last].column > column; last-- {
		c.maps = c.maps[:last]
	}
}

// aliases adds up the expanded sizes of aliases.
type aliases struct {
	sizes map[string]int // by anchor: bytes and nodes
	total int
	wrong *YAMLError
}

// Visit computes the size of an anchor when it reaches it, which is before its aliases.
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
	if a.wrong != nil {
		return nil
	}
	return a
}

func (a *aliases) fail(at ast.Node, reason string) {
	if a.wrong == nil {
		a.wrong = &YAMLError{Line: at.GetToken().Position.Line, Reason: reason}
	}
}

func nameOf(n ast.Node) string {
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}

// size is the size of a node's content.
type size struct {
	n     int
	alias ast.Node
}

// Visit counts a node and its text.
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
