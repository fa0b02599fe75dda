package suite

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Locate prefixes an error of the form PATH: MESSAGE with the position of PATH in the suite's file,
// FILE:LINE:COLUMN. For a missing field it uses the position of the parent. If the field comes from
// a flag, it uses the suite's name.
func (s Suite) Locate(err error) error {
	if at := s.position(err); at != "" {
		return fmt.Errorf("%s: %w", at, err)
	}
	return fmt.Errorf("suite %s: %w", s.Name, err)
}

func (s Suite) position(err error) string {
	path, _, _ := strings.Cut(err.Error(), ": ")
	for ; path != ""; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
		if at := position(s.text, path); at != nil {
			return fmt.Sprintf("%s:%d:%d", s.file, at.Line, at.Column)
		}
	}
	return ""
}

// position finds a path such as variants[0].router, nil if absent.
func position(text []byte, path string) *token.Position {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil
	}
	p, err := yaml.PathString("$." + path)
	if err != nil {
		return nil
	}
	node, err := p.FilterFile(file)
	if err != nil || node == nil || node.GetToken() == nil {
		return nil
	}
	return node.GetToken().Position
}

// WithoutPositions drops the text of the file. Use it when flags override the suite.
func (s Suite) WithoutPositions() Suite {
	s.text = nil
	return s
}
