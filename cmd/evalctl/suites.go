package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"evalctl/eval/suite"
	"evalctl/mocks/component"
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
		var err error
		if args, err = f.fitting(); err != nil {
			return nil, err
		}
	}
	if len(args) > 1 && f.prompts != nil {
		return nil, flagError("prompt", fmt.Errorf("name the one suite whose prompt it is: %s", join(args)))
	}
	var list []suite.Suite
	names := map[string]bool{}
	for _, arg := range args {
		s, err := loadSuite(arg)
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

// loadSuite reads a suite and frees it of the folder that its paths start
// from. A dataset stays as near to what its user wrote as it can, for messages.
func loadSuite(arg string) (suite.Suite, error) {
	s, err := suite.Load(arg)
	if err != nil {
		_, missing := os.Stat(arg)
		if near, ok := closest(arg, suite.Shipped()); ok && errors.Is(missing, fs.ErrNotExist) {
			return s, fmt.Errorf("suite %s: no such file, did you mean the shipped suite %q?", arg, near)
		}
		return s, err
	}
	if !isShipped(s.Dataset) {
		s.Dataset = s.Path(s.Dataset)
	}
	abs := func(path string) string {
		if path == "" {
			return ""
		}
		full, e := filepath.Abs(s.Path(path))
		err = errors.Join(err, e)
		return full
	}
	for i := range s.Variants {
		v := &s.Variants[i]
		v.Prompt, v.Review, v.Library = abs(v.Prompt), abs(v.Review), abs(v.Library)
	}
	for name, m := range s.Models {
		m.Script = abs(m.Script)
		s.Models[name] = m
	}
	s.Dir = ""
	return s, err
}

// plainSuite is a run without a suite file: the target's shipped suite lends
// its models.
func (f *runFlags) plainSuite() (suite.Suite, error) {
	s, err := suite.Load(f.target)
	if err != nil {
		return s, flagError("target", err)
	}
	if f.dataset != "" && f.split == "" {
		s.Split = ""
	}
	s.Variants = []suite.Variant{suite.Plain(f.target)}
	return f.over(s)
}

// fitting are the shipped suites that what was asked for can be asked of.
func (f *runFlags) fitting() (names []string, err error) {
	for _, target := range suite.Shipped() {
		if f.fits(target) {
			names = append(names, target)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no shipped suite (%s) knows all of these axes and faults", join(suite.Shipped()))
	}
	return names, nil
}

func (f *runFlags) fits(target string) bool {
	for setting, asked := range map[string]bool{
		"router": f.routers != nil, "threshold": f.thresholds != nil, "profile": f.profiles != nil, "critic": f.critics != nil,
	} {
		if asked && !suite.Has(target, setting) {
			return false
		}
	}
	if f.dataset != "" && schemaOf(f.dataset).Target != target {
		return false
	}
	for _, spec := range f.faults {
		faults, err := parseFaults(spec)
		if err != nil {
			return false
		}
		for _, fault := range faults {
			if !strikable(target, fault.Part) {
				return false
			}
		}
	}
	return true
}

// strikable tells whether a system has the component. Whether a variant polls
// for pictures, its suite knows.
func strikable(target, part string) bool {
	return part == string(component.Poll) || slices.Contains(suite.Components(target), part)
}

// over lays the flags over a suite.
func (f *runFlags) over(s suite.Suite) (suite.Suite, error) {
	if f.dataset != "" {
		if s.Dataset != f.dataset && f.split == "" {
			s.Split = "" // another set's splits are its own
		}
		s.Dataset = f.dataset
	}
	s.Split = cmp.Or(f.split, s.Split)
	if s.Split == "all" {
		s.Split = ""
	}
	s.Limit, s.Epochs = cmp.Or(f.limit, s.Limit), cmp.Or(f.epochs, s.Epochs)
	if f.tags != nil {
		s.Tags = f.tags
	}
	if f.faults != nil || f.models != nil {
		s.Faults = f.faults // each fault would cost a real model as much again
		s.Variants = slices.Clone(s.Variants)
		for i := range s.Variants {
			s.Variants[i].Faults = nil
		}
	}
	var err error
	if s.Variants, err = f.variants(s); err != nil {
		return s, err
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	return s, nil
}
