package suite

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// AddPosition adds the position in the suite file to an error of the form FIELD: MESSAGE. If the file
// does not contain the field, it adds the position of the parent. If there is no position, for
// example because a flag sets the field, it adds the name of the suite.
func (s Suite) AddPosition(err error) error {
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

// position returns the position of a field in a YAML text. path is a field path such as
// variants[0].router. It returns nil if the field does not exist.
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

// WithoutPositions returns the suite without the text of its file, so that errors contain no
// positions. Use it after flags have changed the suite.
func (s Suite) WithoutPositions() Suite {
	s.text = nil
	return s
}
