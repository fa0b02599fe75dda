package suite

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/label"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// ResolveLabels returns the labels of a target with free labels: those of the suite, or else the
// labels of its dataset. tools are the labels of the cases that have tools of their own. With them,
// there may be fewer than two other labels. nil: no case has tools.
func (s Suite) ResolveLabels(dataset, tools []string) ([]system.Label, error) {
	list := s.Labels.List
	switch {
	case s.Labels.File != "":
		var err error
		if list, err = openLabels(s.ResolvePath(s.Labels.File)); err != nil {
			return nil, fmt.Errorf("labels: %w", err)
		}
	case list == nil:
		for _, name := range dataset {
			list = append(list, system.Label{Name: name})
		}
	}
	if err := checkLabels(list, MaxLabelsOf(s.System())); err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	if len(list) < 2 && tools == nil {
		return nil, errors.New("labels: the list has fewer than two labels")
	}
	known := slices.ContainsFunc(list, func(l system.Label) bool { return l.Name == s.OOSLabel })
	if s.OOSLabel != "" && !known {
		return nil, fmt.Errorf("oos_label: %q is not one of the labels", s.OOSLabel)
	}
	names := system.LabelNames(list)
	if tools != nil {
		names = slices.Compact(slices.Sorted(slices.Values(append(names, tools...))))
	}
	return list, s.checkAliases(names)
}

// checkAliases returns an error if an alias is a label itself, or if its label is not one of names.
func (s Suite) checkAliases(names []string) error {
	if len(s.Aliases) > MaxLabels {
		return fmt.Errorf("aliases: %d aliases are more than %d", len(s.Aliases), MaxLabels)
	}
	labels, folded := label.NewSet(names...), map[string]string{}
	for _, alias := range slices.Sorted(maps.Keys(s.Aliases)) {
		name := s.Aliases[alias]
		if err := CheckLabel(alias); err != nil {
			return fmt.Errorf("aliases: %w", err)
		}
		if err := suggest.CheckKnown("label", name, names); err != nil {
			return fmt.Errorf("aliases: %q: %w", alias, err)
		}
		if known, ok := labels.Find(alias); ok {
			return fmt.Errorf("aliases: %q is read as the label %q already: remove the alias", alias, known)
		}
		key := label.Fold(alias)
		if other, twice := folded[key]; twice && s.Aliases[other] != name {
			return fmt.Errorf("aliases: %q and %q differ only in spelling, and mean two labels", other, alias)
		}
		folded[key] = alias
	}
	return nil
}

// checkLabels returns an error if the suite gives labels although its target has fixed labels.
func (s Suite) checkLabels() error {
	switch {
	case s.System().Contract.HasDatasetLabels():
		return nil
	case !s.Labels.IsZero():
		return fmt.Errorf("labels: %s has its own: %s", s.Target, strings.Join(s.System().Contract.Labels, ", "))
	case s.OOSLabel != "":
		return fmt.Errorf("oos_label: %s has labels of its own", s.Target)
	case len(s.Aliases) > 0:
		return fmt.Errorf("aliases: %s has labels of its own", s.Target)
	}
	return nil
}
