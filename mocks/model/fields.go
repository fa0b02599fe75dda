package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

	"evalctl/mocks/random"
)

// appendFields writes slots and extra fields, in the order of their names.
func (l *Labelled) appendFields(b []byte, text, label string) ([]byte, error) {
	fields := map[string]any{}
	if l.Extra != nil {
		maps.Copy(fields, l.Extra(text, label))
	}
	if l.Slots != nil {
		l.fill(fields, text)
	}
	if len(fields) == 0 {
		return b, nil
	}
	var object bytes.Buffer
	e := json.NewEncoder(&object)
	e.SetEscapeHTML(false) // as appendString
	if err := e.Encode(fields); err != nil {
		return nil, fmt.Errorf("Labelled.Extra: %w", err)
	}
	inner := bytes.TrimSuffix(object.Bytes()[1:], []byte("}\n"))
	return append(append(b, ','), inner...), nil
}

// fill adds the slots. Each has dice of its own, so that those given with a
// lower accuracy are among those given with a higher one.
func (l *Labelled) fill(fields map[string]any, text string) {
	for name, value := range l.Slots(text) {
		d := random.Dice{Seed: random.Hash(random.Hash(l.Seed, text), name)}
		if d.Unit() >= l.SlotAccuracy {
			value = ""
		}
		fields[name] = value
	}
}
