package datasets

import (
	"fmt"
	"iter"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
)

// trainingSet returns the labeled texts of the train split. The baseline models of a suite learn
// from them. It returns an error if they are too few.
func (d *Dataset) trainingSet(s suite.Suite) ([]system.LabeledExample, error) {
	if d.hasTools {
		return nil, fmt.Errorf("dataset %s: %s:%s cannot learn from it: a baseline model learns one list of labels, "+
			"and these cases have tools of their own; run it without a baseline model",
			oneLine(d.Name), llm.BaselineProvider, s.BaselineModels()[0])
	}
	list, err := floor.Subsample(d.labeledTexts(s.System().Contract.LabelField))
	if err != nil {
		return nil, err
	}
	if err := floor.CheckExamples(list); err != nil {
		return nil, fmt.Errorf("dataset %s: %s:%s learns split train, which has %d labelled texts: %w; give lines \"split\":\"train\"",
			oneLine(d.Name), llm.BaselineProvider, s.BaselineModels()[0], len(list), err)
	}
	return list, nil
}

// countTraining counts the cases of the train split that the suite runs. Baseline models were
// trained on these cases.
func (d *Dataset) countTraining(s suite.Suite, seed uint64) error {
	if s.Split != "" && s.Split != trainSplit {
		return nil
	}
	for c, err := range d.Stream(FilterForSuite(s, seed)) {
		if err != nil {
			return err
		}
		if c.Split == trainSplit {
			d.TrainingCases++
		}
	}
	return nil
}

// trainSplit is the name of the split that baseline models are trained on.
const trainSplit = "train"

// labeledTexts returns the turns of the train split whose label follows from the text alone. It
// omits turns without a text, with a mask or with options, because an option may disable the route
// that the text requests.
func (d *Dataset) labeledTexts(field string) iter.Seq2[system.LabeledExample, error] {
	return func(yield func(system.LabeledExample, error) bool) {
		for c, err := range d.Stream(Filter{Split: trainSplit}) {
			if err != nil {
				yield(system.LabeledExample{}, err)
				return
			}
			for _, step := range c.Turns {
				if e, ok := trainingExample(step, field); ok && !yield(e, nil) {
					return
				}
			}
		}
	}
}

func trainingExample(step eval.LabeledTurn, field string) (e system.LabeledExample, ok bool) {
	if step.Expected == nil || step.Text == "" || step.Mask != "" || len(step.Options) > 0 {
		return e, false
	}
	want, err := step.Labels(field)
	return system.LabeledExample{Text: step.Text, Label: want.Primary()}, err == nil && want != nil
}
