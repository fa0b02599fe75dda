package main

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"evalctl/eval/suggest"
)

// set handles /set: it changes an option or a state field for all later messages.
func (c *chat) set(what string) {
	name, value, _ := strings.Cut(what, " ")
	err := setPersistent(&c.persistent.Options, c.contract.OptionCheck(name), name, value)
	if err == errNoSetting {
		err = setPersistent(&c.persistent.State, c.contract.StateFields[name], name, value)
	}
	names := slices.Concat(c.contract.OptionNames(), slices.Sorted(maps.Keys(c.contract.StateFields)))
	switch {
	case name == "":
		c.out.Printf("· %s\n", orNone(names))
	case err == errNoSetting:
		c.out.Printf("! /set: %.40s is not one of %s\n", name, orNone(names))
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
	return suggest.JoinWords(names)
}

var errNoSetting = errors.New("no setting")

// setPersistent stores a value under its name in all. It uses the first form of the value that
// passes the check: JSON, text or a list of texts. An empty value deletes the setting.
func setPersistent(all *map[string]json.RawMessage, check func(json.RawMessage) error, name, value string) error {
	if check == nil {
		return errNoSetting
	}
	value = strings.TrimSpace(value)
	if value == "" {
		delete(*all, name)
		return nil
	}
	raw, err := firstValid(check, value)
	if err != nil {
		return err
	}
	if *all == nil {
		*all = map[string]json.RawMessage{}
	}
	(*all)[name] = raw
	return nil
}

// firstValid returns the first form of a value that passes the check: JSON, text or a list of
// texts. If none does, the error is that of the first form that is valid JSON.
func firstValid(check func(json.RawMessage) error, value string) (json.RawMessage, error) {
	var failed error
	for _, form := range []any{json.RawMessage(value), value,
		strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })} {
		raw, err := json.Marshal(form)
		if err != nil {
			continue // this form of the value is not valid JSON
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
