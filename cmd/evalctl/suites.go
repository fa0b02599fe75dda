package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"evalctl/eval/suite"
)

// suites are what the arguments name, with the flags laid over.
func (f *runFlags) suites(args []string) ([]suite.Suite, error) {
	if f.target != "" {
		if len(args) > 0 {
			return nil, errors.New("--target: goes without a suite")
		}
		s, err := f.plainSuite()
		return []suite.Suite{s}, err
	}
	if len(args) == 0 {
		args = suite.Shipped()
	}
	var list []suite.Suite
	names := map[string]bool{}
	for _, arg := range args {
		s, err := suite.Load(arg)
		if err != nil {
			return nil, err
		}
		if names[s.Name] {
			return nil, fmt.Errorf("suite %s: is named twice", s.Name)
		}
		names[s.Name] = true
		if s, err = f.over(s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// plainSuite is a run without a suite file: the target's shipped suite lends
// its models.
func (f *runFlags) plainSuite() (suite.Suite, error) {
	s, err := suite.Load(f.target)
	if err != nil {
		return s, fmt.Errorf("--target: unknown %q (known: %s)", f.target, strings.Join(suite.Targets(), ", "))
	}
	if f.dataset != "" && f.split == "" {
		s.Split = ""
	}
	s.Variants = []suite.Variant{{Name: "llm-first", Router: "llm-first"}}
	return f.over(s)
}

// over lays the flags over a suite.
func (f *runFlags) over(s suite.Suite) (suite.Suite, error) {
	if f.dataset != "" {
		if s.Dataset != f.dataset && f.split == "" {
			s.Split = "" // another set's splits are its own
		}
		s.Dataset, s.Dir = f.dataset, ""
	}
	if f.split != "" {
		s.Split = f.split
	}
	if s.Split == "all" {
		s.Split = ""
	}
	s.Limit, s.Epochs = cmp.Or(f.limit, s.Limit), cmp.Or(f.epochs, s.Epochs)
	if f.tags != nil {
		s.Tags = f.tags
	}
	var err error
	if s.Variants, err = f.variants(s.Variants); err != nil {
		return s, err
	}
	if f.faults != nil {
		s.Faults = f.faults
		for i := range s.Variants {
			s.Variants[i].Faults = nil
		}
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	return s, nil
}
