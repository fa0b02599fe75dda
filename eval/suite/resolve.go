package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/system"
)

// ResolveLabels returns the labels of a target with free labels: those of the suite, or else the
// labels of its dataset.
func (s Suite) ResolveLabels(dataset []string) ([]system.Label, error) {
	list := s.Labels.List
	switch {
	case s.Labels.File != "":
		var err error
		if list, err = openLabels(s.Path(s.Labels.File)); err != nil {
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
	if len(list) < 2 {
		return nil, errors.New("labels: the list has fewer than two labels")
	}
	known := slices.ContainsFunc(list, func(l system.Label) bool { return l.Name == s.OOSLabel })
	if s.OOSLabel != "" && !known {
		return nil, fmt.Errorf("oos_label: %q is not one of the labels", s.OOSLabel)
	}
	return list, nil
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
	}
	return nil
}
