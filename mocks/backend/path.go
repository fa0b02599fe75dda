package backend

import (
	"encoding/json"
	"slices"

	"evalctl/eval"
)

// pathOf returns the sequence of decisions that a turn expects, each as a list of accepted labels;
// nil: none.
func pathOf(s eval.LabeledTurn, field string) (path [][]string, err error) {
	if len(s.Expected) == 0 {
		return nil, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(s.Expected, &fields); err != nil || fields[field] == nil {
		return nil, err
	}
	var labels []eval.OneOf
	err = json.Unmarshal(fields[field], &labels)
	for _, l := range labels {
		path = append(path, l)
	}
	return path, err
}

// acceptedNext returns the labels that are accepted for the next decision. next considers only the
// first accepted label of each decision, so the lists are rotated to find the alternatives.
func acceptedNext(path [][]string, next func([][]string) string) eval.OneOf {
	accepted := eval.OneOf{next(path)}
	longest := 0
	for _, labels := range path {
		longest = max(longest, len(labels))
	}
	for first := 1; first < longest; first++ {
		rotated := make([][]string, len(path))
		for i, labels := range path {
			at := min(first, len(labels))
			rotated[i] = slices.Concat(labels[at:], labels[:at])
		}
		if other := next(rotated); !accepted.Has(other) {
			accepted = append(accepted, other)
		}
	}
	return accepted
}
