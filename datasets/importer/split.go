package importer

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
)

// splits maps the publishers' names of splits to train, dev and test.
var splits = map[string]string{
	"train": "train", "training": "train",
	"dev": "dev", "development": "dev", "val": "dev", "valid": "dev", "validate": "dev", "validation": "dev",
	"test": "test", "testing": "test",
}

// parseSplit returns the split that a text names; "": none.
func parseSplit(text string) (string, error) {
	text = strings.TrimSpace(text)
	if split, ok := splits[strings.ToLower(text)]; ok || text == "" {
		return split, nil
	}
	return "", fmt.Errorf("split %s is not train, dev or test", quoted(text))
}

// splitOf returns the split in a file name, as in train_10.csv; "": none.
func splitOf(path string) string {
	words := strings.FieldsFunc(filepath.Base(path), func(c rune) bool { return !unicode.IsLetter(c) })
	for _, w := range words {
		if s, ok := splits[strings.ToLower(w)]; ok {
			return s
		}
	}
	return ""
}
