package datasets

import (
	"fmt"
	"unicode/utf8"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/jsonerror"
)

// facts validates a list of facts that an answer must state or a session must remember. Each fact
// is a text or a list of accepted wordings.
func facts(raw jsontext.Value) error {
	if raw.Kind() != '[' {
		return wrong("", "must be a list of facts, got %s", jsonerror.KindName(raw.Kind()))
	}
	var list []jsontext.Value
	if err := v2.Unmarshal(raw, &list); err != nil {
		return explain(err)
	}
	switch {
	case len(list) == 0:
		return wrong("", "is an empty list")
	case len(list) > maxFacts:
		return wrong("", "has more than %d facts", maxFacts)
	}
	for i, one := range list {
		if err := fact(one); err != nil {
			return inField(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

func fact(raw jsontext.Value) error {
	if k := raw.Kind(); k != '"' && k != '[' {
		return wrong("", "must be a text or a list of texts, got %s", jsonerror.KindName(k))
	}
	ways, err := accepted(raw)
	switch {
	case err != nil:
		return err
	case len(ways) > maxWordings:
		return wrong("", "is worded in more than %d ways", maxWordings)
	}
	for _, one := range ways {
		if utf8.RuneCountInString(one) > maxFact {
			return wrong("", "%s has more than %d characters", quoted(one), maxFact)
		}
	}
	return notBlank(ways...)
}
