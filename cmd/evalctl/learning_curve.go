package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/curve"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
)

// learningFlags names the flags of evalctl curve that apply to a learning curve.
var learningFlags = []string{"train-sizes", "format", "target", "dataset", "text-column", "label-column",
	"id-column", "split", "limit", "sample", "tags", "labels", "oos-label", "seed", "quiet"}

// learningCurves returns, for each suite, the accuracy of the baseline model over the number of
// training texts.
func (f *curveFlags) learningCurves(ctx context.Context, args []string) (list []curve.Curve, err error) {
	for _, n := range f.train {
		if err := atLeast(1, n); err != nil {
			return nil, flagError("train-sizes", err)
		}
	}
	if f.split == "train" || f.split == "all" {
		return nil, flagError("split",
			errors.New("the train split trains the baseline models and cannot be scored: use dev or test"))
	}
	suites, err := f.suites(args)
	if err != nil {
		return nil, err
	}
	for _, s := range suites {
		c, err := f.learningCurve(ctx, s)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// learningCurve trains the baseline model on growing parts of the train split and scores it on the
// cases of the suite.
func (f *curveFlags) learningCurve(ctx context.Context, s suite.Suite) (c curve.Curve, err error) {
	s.Split = cmp.Or(s.Split, "test")
	s.Variants = []suite.Variant{{Name: string(floor.Linear), Model: llm.BaselineProvider + ":" + string(floor.Linear)}}
	data, material, err := datasets.OpenForSuite(s, f.seed, checkFault)
	if err != nil {
		return c, err
	}
	scored, err := labeledCases(data, s, f.seed)
	if err != nil {
		return c, err
	}
	how := curve.LearningCurve{Sizes: f.train, Seed: f.seed,
		Train: func(texts []system.LabeledExample) (func(string) string, error) {
			if ctx.Err() != nil {
				return nil, exit.ErrInterrupted
			}
			m, err := floor.CrossFit(floor.Linear, texts)
			return func(text string) string { label, _ := m.Predict(text); return label }, err
		}}
	c = curve.Curve{Suite: s.Name, Name: string(floor.Linear) + ": " + floor.Linear.Describe(), Axis: "training texts"}
	if of := s.System(); len(of.DecisionSources) > 1 {
		c.SkippedSystem = of.Name
	}
	if c.Points, err = how.Run(material.TrainingSet, scored); err != nil {
		return c, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	return c, nil
}

// labeledCases returns the cases of a suite that have labeled turns, with only these turns.
func labeledCases(data *datasets.Dataset, s suite.Suite, seed uint64) (list []curve.TestCase, err error) {
	for c, err := range data.Stream(datasets.FilterForSuite(s, seed)) {
		if err != nil {
			return nil, err
		}
		if one := labeledTurns(c, s.System().Contract.LabelField); len(one) > 0 {
			list = append(list, one)
		}
	}
	return list, nil
}

func labeledTurns(c eval.Case, field string) (list curve.TestCase) {
	for _, step := range c.Turns {
		if step.Expected == nil {
			continue
		}
		if want, err := step.Labels(field); err == nil && want != nil {
			list = append(list, curve.TestTurn{Text: step.Text, Expected: want})
		}
	}
	return list
}
