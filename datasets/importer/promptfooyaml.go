package importer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"evalctl/agent/file"
)

// parseTest parses one test in YAML. It rejects aliases: their anchors may be in another test, and
// a few aliases can expand to fill the memory.
func parseTest(text []byte) (one test, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("is not valid YAML")
		}
	}()
	if err := file.CheckYAMLComplexity(text); err != nil {
		var wrong *file.YAMLError
		errors.As(err, &wrong)
		return one, errors.New(wrong.Reason)
	}
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		return one, yamlError(err)
	}
	for _, doc := range parsed.Docs {
		if doc.Body == nil {
			return one, errors.New("is empty")
		}
		var look aliasFinder
		ast.Walk(&look, doc.Body)
		if look.found {
			return one, errors.New("contains an alias, which is not supported")
		}
	}
	if err := yaml.Unmarshal(text, &one); err != nil {
		return one, yamlError(err)
	}
	return one, nil
}

type aliasFinder struct{ found bool }

func (f *aliasFinder) Visit(n ast.Node) ast.Visitor {
	if n.Type() == ast.AliasType {
		f.found = true
		return nil
	}
	return f
}

// yamlError returns an error with only the first line of a YAML parser's message.
func yamlError(err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("is not a test in YAML: %s", first)
}
