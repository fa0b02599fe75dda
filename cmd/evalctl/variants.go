package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"evalctl/agent/llm"
	"evalctl/eval/suite"
)

// axis multiplies the variants that it suits by its values.
type axis[T any] struct {
	flag   string
	values []T
	suits  func(suite.Variant) bool
	told   bool // by the name, also where there is one value: the report shows it nowhere else
	set    func(*suite.Variant, T) (name string, err error)
}

// variants crosses the suite's variants, or those that --router, --profile and
// --critic name, with the other axes. A variant's name tells where it stands on
// them.
func (f *runFlags) variants(s suite.Suite) ([]suite.Variant, error) {
	if err := f.wantsModel(f.models != nil); err != nil {
		return nil, err
	}
	list, err := f.named(s)
	if err != nil {
		return nil, err
	}
	asksModel := func(v suite.Variant) bool { return s.Reaches(v, "router") }
	if list, err = cross(list, axis[string]{"prompt", f.prompts, asksModel, true, f.withPrompt}); err != nil {
		return nil, err
	}
	if list, err = cross(list, axis[string]{"model", f.models, asksModel, false, f.withModel}); err != nil {
		return nil, err
	}
	return cross(list, axis[float64]{"threshold", f.thresholds,
		func(v suite.Variant) bool { return v.Router == "llm-first" }, true,
		func(v *suite.Variant, t float64) (string, error) {
			v.Threshold = &t
			return fmt.Sprint(t), nil
		}})
}

// named are the variants that the flags name, else the suite's own.
func (f *runFlags) named(s suite.Suite) ([]suite.Variant, error) {
	for _, axis := range []struct {
		name  string
		given bool
	}{{"router", f.routers != nil}, {"profile", f.profiles != nil}, {"critic", f.critics != nil}} {
		if axis.given && !suite.Has(s.Target, axis.name) {
			return nil, flagError(axis.name, fmt.Errorf("%s has none", s.Target))
		}
	}
	var list []suite.Variant
	switch {
	case f.routers != nil:
		for _, r := range f.routers {
			list = append(list, suite.Variant{Name: r, Router: r})
		}
	case f.critics != nil:
		for _, p := range orElse(f.profiles, "v2") {
			for _, c := range f.critics {
				list = append(list, suite.Variant{Name: p + "-" + c, Profile: p, Critic: c})
			}
		}
	case f.profiles != nil:
		for _, p := range f.profiles {
			list = append(list, suite.Variant{Name: p, Profile: p})
		}
	default:
		return s.Variants, nil
	}
	return list, nil
}

func orElse(list []string, usual string) []string {
	if list == nil {
		return []string{usual}
	}
	return list
}

// cross fails when no variant makes use of the axis: what was asked for must
// not be passed over.
func cross[T any](list []suite.Variant, a axis[T]) ([]suite.Variant, error) {
	if len(a.values) == 0 {
		return list, nil
	}
	var out []suite.Variant
	used := false
	for _, v := range list {
		if !a.suits(v) {
			out = append(out, v)
			continue
		}
		used = true
		for _, value := range a.values {
			one := v
			name, err := a.set(&one, value)
			if err != nil {
				return nil, flagError(a.flag, err)
			}
			if a.told || len(a.values) > 1 {
				one.Name += " " + a.flag + "=" + name
			}
			out = append(out, one)
		}
	}
	if !used {
		return nil, flagError(a.flag, errors.New("no variant makes use of it"))
	}
	return out, nil
}

// withPrompt names the variant by the file, and by the path where two files
// have one name.
func (f *runFlags) withPrompt(v *suite.Variant, file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	v.Prompt = path
	if _, err := llm.LoadPromptFile(file); err != nil {
		return "", err
	}
	for _, other := range f.prompts {
		if other != file && filepath.Base(other) == filepath.Base(file) {
			return file, nil
		}
	}
	return filepath.Base(file), nil
}
