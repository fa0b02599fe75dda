package datasets

import (
	"fmt"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/jsonerror"
)

// accepted decodes an expected value: a word, or a non-empty list of accepted words.
func accepted(raw jsontext.Value) (words []string, err error) {
	switch raw.Kind() {
	case '"':
		word, err := jsontext.AppendUnquote(nil, raw)
		return []string{string(word)}, err
	case '[':
		if words, err = texts(raw); err == nil && len(words) == 0 {
			err = wrong("", "is an empty list")
		}
		return words, err
	}
	return nil, wrong("", "must be a word or a list of words, got %s", jsonerror.KindName(raw.Kind()))
}

// texts decodes a list of different, non-empty strings.
func texts(raw jsontext.Value) ([]string, error) {
	var list []string
	if err := v2.Unmarshal(raw, &list); err != nil {
		return nil, explain(err)
	}
	if len(list) > maxList {
		return nil, wrong("", "has more than %d entries", maxList)
	}
	for i, one := range list {
		switch at := fmt.Sprintf("[%d]", i); {
		case one == "":
			return nil, wrong(at, "is empty")
		case slices.Contains(list[:i], one):
			return nil, wrong(at, "%s is given twice", quoted(one))
		}
	}
	return list, nil
}

func notBlank(list ...string) error {
	for _, one := range list {
		if strings.TrimSpace(one) == "" {
			return wrong("", "is blank")
		}
	}
	return nil
}
