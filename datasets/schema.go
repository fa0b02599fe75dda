package datasets

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
	"evalctl/agent/jsonerror"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// Schema defines which cases are valid for a system, with the settings of a suite.
type Schema struct {
	Target string // name of the system
	system.Contract
	KnownIDs      []string           // IDs that cases may expect as search results; nil: any
	ValidateFault func(string) error // validates a fault specification in a case's under_fault field; nil: any is valid
	Columns       CSVColumns         // columns of a CSV file

	// maximum number of labels in a dataset, without those that are tools of their turn; 0: that of
	// the target
	MaxLabels int

	// OffersTools is set if evalctl offers the tools of a turn to a model. The label of the turn must
	// then be one of them, or OOSLabel.
	OffersTools bool
	OOSLabel    string // label for turns that no tool fits; "": none

	// the system's own check of a turn and its expected values; nil: none
	check func(agent.Turn, map[string][]string) error
}

// maxLabels returns the maximum number of labels in a dataset.
func (s Schema) maxLabels() int {
	of, _ := suite.FindSystem(s.Target)
	return max(s.MaxLabels, suite.MaxLabelsOf(of))
}

// SchemaFor returns the schema for the cases of a system. values are the settings of a variant, and
// labels the labels of a system with free labels. fault validates fault specifications; nil: any is
// valid.
func SchemaFor(of system.System, values system.SettingValues, labels []system.Label, fault func(string) error) (Schema,
	error) {
	s := Schema{Target: of.Name, Contract: of.Contract, ValidateFault: fault}
	for _, l := range labels {
		s.Labels = append(s.Labels, l.Name)
	}
	var err error
	if s.RetrievableIDs != nil {
		s.KnownIDs, err = s.RetrievableIDs(values)
	}
	if s.NewTurnCheck != nil && err == nil {
		s.check, err = s.NewTurnCheck(values)
	}
	return s, err
}

// expectation validates the expect object of a turn and returns the accepted labels.
func (s Schema) expectation(raw jsontext.Value) (accepted eval.OneOf, err error) {
	fields, err := members(raw)
	if err != nil {
		return nil, err
	}
	for _, m := range fields {
		switch m.name {
		case s.LabelField:
			accepted, err = s.label(m.value)
		case "answered_by":
			_, err = s.answeredBySchema().label(m.value)
		case "under_fault":
			err = s.faultExpectations(m.value)
		default:
			err = s.aspect(m.name, m.value)
		}
		if err != nil {
			return nil, inField(quoted(m.name), err)
		}
	}
	if accepted == nil {
		return nil, wrong(s.LabelField, "is missing")
	}
	return accepted, s.checkPathStart(accepted, fields.value(s.DecisionPathField))
}

// withTools returns the schema for the expectation of a turn with these tools, whose names are
// labels.
func (s Schema) withTools(tools []agent.Tool) Schema {
	if s.Labels != nil && tools != nil {
		s.Labels = slices.Concat(s.Labels, agent.ToolNames(tools))
	}
	return s
}

// checkOffered returns an error if the model is offered none of the accepted labels of a turn with
// these tools. No answer to the turn could be correct.
func (s Schema) checkOffered(accepted eval.OneOf, tools []agent.Tool) error {
	if !s.OffersTools || tools == nil {
		return nil
	}
	names := append(agent.ToolNames(tools), s.OOSLabel)
	if slices.ContainsFunc(accepted, func(label string) bool { return slices.Contains(names, label) }) {
		return nil
	}
	return wrong(s.LabelField, "%s is not a tool of the turn: name the label for no tool with --oos-label",
		quoted(accepted.Primary()))
}

// checkPathStart returns an error unless the path, if given, starts with an accepted label.
func (s Schema) checkPathStart(accepted eval.OneOf, path jsontext.Value) error {
	if s.DecisionPathField == "" || path == nil {
		return nil
	}
	var steps []jsontext.Value
	if err := v2.Unmarshal(path, &steps); err != nil {
		return explain(err)
	}
	first, err := s.label(steps[0])
	if err != nil || slices.ContainsFunc(first, func(l string) bool { return slices.Contains(accepted, l) }) {
		return err
	}
	return wrong(s.DecisionPathField+"[0]", "has no label of %s", s.LabelField)
}

// answeredBySchema returns the schema for the field answered_by, which also accepts routes that are
// not labels.
func (s Schema) answeredBySchema() Schema {
	if s.Labels != nil {
		s.Labels = slices.Concat(s.Labels, s.OtherRoutes)
	}
	return s
}

func (s Schema) aspect(name string, raw jsontext.Value) error {
	check, ok := s.attributeValidators()[name]
	if !ok {
		return unknown("field", name,
			slices.Concat([]string{s.LabelField, "answered_by", "under_fault"},
				slices.Sorted(maps.Keys(s.attributeValidators()))))
	}
	return check(raw)
}

// faultExpectations validates the field under_fault. It maps faults to the component that is
// expected to answer.
func (s Schema) faultExpectations(raw jsontext.Value) error {
	answers, err := members(raw)
	if err == nil && len(answers) == 0 {
		err = wrong("", "is empty")
	}
	for _, m := range answers {
		if err == nil && s.ValidateFault != nil {
			err = s.ValidateFault(m.name)
		}
		if err == nil {
			_, err = s.answeredBySchema().label(m.value)
		}
		if err != nil {
			return inField("["+quoted(m.name)+"]", err)
		}
	}
	return err
}

// label validates an expected label, which is a label or a list of accepted labels.
func (s Schema) label(raw jsontext.Value) (eval.OneOf, error) {
	switch raw.Kind() {
	case '"':
		var room [64]byte
		text, err := jsontext.AppendUnquote(room[:0], raw)
		if err != nil {
			return nil, explain(err)
		}
		return s.matchLabel(string(text))
	case '[':
		return s.labelList(raw)
	}
	return nil, wrong("", "must be a label or a list of labels, got %s", jsonerror.KindName(raw.Kind()))
}

func (s Schema) labelList(raw jsontext.Value) (eval.OneOf, error) {
	var l eval.OneOf
	if err := v2.Unmarshal(raw, (*[]string)(&l)); err != nil {
		return nil, explain(err)
	}
	switch {
	case len(l) == 0:
		return nil, wrong("", "is an empty list")
	case len(l) > maxList:
		return nil, wrong("", "has more than %d labels", maxList)
	}
	for i, one := range l {
		if _, err := s.matchLabel(one); err != nil {
			return nil, err
		}
		if slices.Contains(l[:i], one) {
			return nil, wrong("", "%s is given twice", one)
		}
	}
	return l, nil
}

// matchLabel validates one label. Fixed labels must be in Labels; free labels must be printable.
func (s Schema) matchLabel(label string) (eval.OneOf, error) {
	if s.Labels == nil {
		if err := suite.CheckLabel(label); err != nil {
			return nil, wrong("", "%v", err)
		}
		return eval.OneOf{label}, nil
	}
	i := slices.Index(s.Labels, label)
	if i < 0 {
		return nil, wrong("", "unknown label %s (known: %s)", quoted(label), strings.Join(s.Labels, ", "))
	}
	return s.Labels[i : i+1 : i+1], nil
}

func (s Schema) options(options map[string]json.RawMessage) error {
	if len(options) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		field := fmt.Sprintf("options.%s", quoted(name))
		check := s.OptionCheck(name)
		if check == nil {
			return wrong(field, "unknown switch (known: %s)", cmp.Or(strings.Join(s.OptionNames(), ", "), "none"))
		}
		if err := check(options[name]); err != nil {
			return wrong(field, "%v", err)
		}
	}
	return nil
}
