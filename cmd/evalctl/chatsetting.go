package main

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"evalctl/eval/suggest"
)

// set has an option of the agent, or something that it is to know, hold from now on.
func (c *chat) set(what string) {
	name, value, _ := strings.Cut(what, " ")
	err := setStanding(&c.standing.Options, c.contract.Option(name), name, value)
	if err == errNoSetting {
		err = setStanding(&c.standing.State, c.contract.StateFields[name], name, value)
	}
	names := slices.Concat(c.contract.OptionNames(), slices.Sorted(maps.Keys(c.contract.StateFields)))
	switch {
	case name == "":
		c.out.Printf("· %s\n", orNone(names))
	case err == errNoSetting:
		c.out.Printf("! /set: %.40s is none of %s\n", name, orNone(names))
	case err != nil:
		c.out.Printf("! /set: %.40s: %v\n", name, err)
	default:
		c.out.Printf("· holds from now on\n")
	}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "nothing can be set"
	}
	return suggest.Join(names)
}

var errNoSetting = errors.New("no setting")

// setStanding puts a value among those that hold, in the first form that is taken: as
// JSON, as a text, as a list of texts. Without a value it is taken away.
func setStanding(all *map[string]json.RawMessage, check func(json.RawMessage) error, name, value string) error {
	if check == nil {
		return errNoSetting
	}
	value = strings.TrimSpace(value)
	if value == "" {
		delete(*all, name)
		return nil
	}
	raw, err := taken(check, value)
	if err != nil {
		return err
	}
	if *all == nil {
		*all = map[string]json.RawMessage{}
	}
	(*all)[name] = raw
	return nil
}

// taken is the first form of a value that passes; the error is of the first that could.
func taken(check func(json.RawMessage) error, value string) (json.RawMessage, error) {
	var failed error
	for _, form := range []any{json.RawMessage(value), value, strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })} {
		raw, err := json.Marshal(form)
		if err != nil {
			continue // it was no JSON
		}
		if err = check(raw); err == nil {
			return raw, nil
		}
		if failed == nil {
			failed = err
		}
	}
	return nil, failed
}
