package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval/floor"
	"evalctl/eval/suggest"
)

// FloorNames lists the models that are learned in the process.
func FloorNames() (names []string) {
	for _, kind := range floor.Kinds() {
		names = append(names, llm.Floor+":"+string(kind))
	}
	return names
}

// IsFloor tells a model that is learned in the process by its name, of which Check
// knows whether it is spelt right.
func IsFloor(model string) bool {
	provider, _, ok := strings.Cut(model, ":")
	return ok && strings.EqualFold(provider, llm.Floor)
}

// Floor is the kind of model that is learned in the process for the variant; ok
// is false where none is.
func (v Variant) Floor() (kind floor.Kind, ok bool) {
	return floor.Kind(strings.TrimPrefix(v.Model, llm.Floor+":")), IsFloor(v.Model)
}

// Floors are the kinds that the suite's variants have, each once, in order.
func (s Suite) Floors() (kinds []floor.Kind) {
	for _, v := range s.Variants {
		if kind, ok := v.Floor(); ok {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// HasFloor tells whether a floor stands behind a part in a variant: it can only
// decide.
func (s Suite) HasFloor(v Variant, part string) bool {
	return IsFloor(v.Model) && s.System().Decider().Name == part
}

// checkFloor finds a floor that there is not, and what none has.
func (v Variant) checkFloor() error {
	switch err := suggest.Known("baseline model", v.Model, FloorNames()); {
	case err != nil:
		return fmt.Errorf("model: %w", err)
	case v.BaseURL != "":
		return errors.New("base_url: cannot be set for a baseline model, which runs inside evalctl")
	case v.KeyEnv != "":
		return errors.New("api_key_env: cannot be set for a baseline model, which runs inside evalctl")
	}
	return nil
}

// WithFloors adds a variant for each kind of floor that none of the list has, and
// which nothing strikes. It is set up as the suite's own floor is, else as that of
// the system's shipped variants, else as the first in which a model decides.
func (s Suite) WithFloors(list []Variant, kinds []string, shipped []Variant) ([]Variant, error) {
	if len(kinds) == 0 {
		return list, nil
	}
	like, err := s.likeFloor(shipped)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	for _, kind := range kinds {
		model := llm.Floor + ":" + kind
		if slices.ContainsFunc(list, func(v Variant) bool { return v.Model == model }) {
			continue
		}
		if slices.ContainsFunc(list, func(v Variant) bool { return v.Name == kind }) {
			return nil, fmt.Errorf("%s: a variant has that name and is not this baseline model", kind)
		}
		list = append(list, Variant{Name: kind, Settings: like.Settings, Model: model, Faults: []string{}})
	}
	return list, nil
}

func (s Suite) likeFloor(shipped []Variant) (Variant, error) {
	known := slices.Concat(s.Variants, shipped)
	i := slices.IndexFunc(known, func(v Variant) bool { return IsFloor(v.Model) })
	if i < 0 {
		i = slices.IndexFunc(known, func(v Variant) bool { return s.Reaches(v, s.System().Decider().Name) })
	}
	if i < 0 {
		return Variant{}, ErrUnused
	}
	return known[i], nil
}

// WithoutFloors are the variants in which no floor decides, all where there is no
// other.
func (s Suite) WithoutFloors() []Variant {
	rest := slices.DeleteFunc(slices.Clone(s.Variants), func(v Variant) bool { return IsFloor(v.Model) })
	if len(rest) == 0 {
		return s.Variants
	}
	return rest
}

// taughtVersion changes with what a floor learns.
func taughtVersion(taught []system.Example) (string, error) {
	b, err := json.Marshal(taught)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}
