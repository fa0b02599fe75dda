package importer

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// parseTest reads one test. Aliases are refused: what they stand for may be in
// another test, and a few of them can make a document that fills the memory.
func parseTest(text []byte) (one test, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("is no YAML that can be read")
		}
	}()
	if tooDeep(text) {
		return one, fmt.Errorf("is nested more than %d deep", maxNesting)
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return one, yamlError(err)
	}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			return one, errors.New("is empty")
		}
		var look aliasFinder
		ast.Walk(&look, doc.Body)
		if look.found {
			return one, errors.New("holds an alias, which is not followed")
		}
	}
	if err := yaml.Unmarshal(text, &one); err != nil {
		return one, yamlError(err)
	}
	return one, nil
}

// tooDeep counts brackets that are open, and dashes in a row, whatever they mean.
func tooDeep(text []byte) bool {
	open := 0
	for line := range bytes.Lines(text) {
		if lead := line[:len(line)-len(bytes.TrimLeft(line, "-?: "))]; len(lead)-bytes.Count(lead, []byte(" ")) > maxNesting {
			return true
		}
		for _, c := range line {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open--
			}
			if open > maxNesting {
				return true
			}
		}
	}
	return false
}

type aliasFinder struct{ found bool }

func (f *aliasFinder) Visit(n ast.Node) ast.Visitor {
	if n.Type() == ast.AliasType {
		f.found = true
		return nil
	}
	return f
}

// yamlError is the first line of what the parser says.
func yamlError(err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("is no test in YAML: %s", first)
}
