package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

	"evalctl/mocks/random"
)

// appendFields appends the slots and extra fields of a decision as JSON members, sorted by name.
func (l *SimulatedRouter) appendFields(b []byte, r Request, label string) ([]byte, error) {
	fields, slots := map[string]any{}, l.drawSlots(r)
	if l.ExtraFields != nil {
		maps.Copy(fields, l.ExtraFields(r.Text, label, slots))
	}
	if !l.SlotsInExtra {
		for name, value := range slots {
			fields[name] = value
		}
	}
	if len(fields) == 0 {
		return b, nil
	}
	var object bytes.Buffer
	e := json.NewEncoder(&object)
	e.SetEscapeHTML(false) // like jsontext.AppendString
	if err := e.Encode(fields); err != nil {
		return nil, fmt.Errorf("SimulatedRouter.Extra: %w", err)
	}
	inner := bytes.TrimSuffix(object.Bytes()[1:], []byte("}\n"))
	return append(append(b, ','), inner...), nil
}

// drawSlots returns the slot values for the answer; nil if the model has no Slots. Each slot has
// its own random draw. A slot that is correct at some accuracy is therefore correct at any higher
// one.
func (l *SimulatedRouter) drawSlots(r Request) map[string]string {
	if l.Slots == nil {
		return nil
	}
	slots := map[string]string{}
	for name, value := range l.Slots(r.Text) {
		d := random.Rand{Seed: random.Hash(r.seedOf(l.Seed), name)}
		if d.Float64() >= l.SlotAccuracy {
			value = ""
		}
		slots[name] = value
	}
	return slots
}
