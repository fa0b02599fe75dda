package suite

import (
	"cmp"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Path makes a suite's relative path one from here.
func (s Suite) Path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(cmp.Or(s.Dir, "."), p)
}

// Absolute frees the suite of the folder that its paths start from; its dataset
// stays as it is.
func (s Suite) Absolute() (Suite, error) {
	var errs []error
	abs := s.withPaths(func(path string) string {
		full, err := filepath.Abs(s.Path(path))
		errs = append(errs, err)
		return full
	})
	abs.Dir = ""
	return abs, errors.Join(errs...)
}

// WithPaths is the suite with other paths in the place of its own, also of its
// dataset, where that is a file.
func (s Suite) WithPaths(isFile bool, at func(path string) string) Suite {
	s = s.withPaths(at)
	if isFile {
		s.Dataset = at(s.Dataset)
	}
	return s
}

func (s Suite) withPaths(at func(path string) string) Suite {
	given := func(path string) string {
		if path == "" {
			return ""
		}
		return at(path)
	}
	s.Variants = slices.Clone(s.Variants)
	for i, v := range s.Variants {
		for _, set := range s.System().Settings {
			if path := v.Settings[set.Name]; set.File && path != "" {
				s.Variants[i] = s.Variants[i].with(set.Name, at(path))
			}
		}
	}
	s.Models = maps.Clone(s.Models)
	for name, m := range s.Models {
		m.Script = given(m.Script)
		s.Models[name] = m
	}
	s.Labels.File = given(s.Labels.File)
	return s
}

// Files are those that the suite is made of, its own first.
func (s Suite) Files() (paths []string) {
	paths = append(paths, s.file, s.Dataset, s.Path(s.Labels.File))
	for _, m := range s.Models {
		paths = append(paths, s.Path(m.Script))
	}
	for _, v := range s.Variants {
		for _, set := range s.System().Settings {
			if set.File {
				paths = append(paths, s.Path(v.Settings[set.Name]))
			}
		}
	}
	return slices.DeleteFunc(paths, func(p string) bool { return p == "" })
}

// Endpoint is a real one, and the environment variable with its key; "": it
// wants none.
type Endpoint struct{ BaseURL, KeyEnv string }

// Endpoints are those that the suite names, each once.
func (s Suite) Endpoints() (list []Endpoint) {
	add := func(e Endpoint) {
		if e.BaseURL != "" && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	for _, part := range slices.Sorted(maps.Keys(s.Models)) {
		add(Endpoint{BaseURL: s.Models[part].BaseURL, KeyEnv: s.Models[part].KeyEnv})
	}
	for _, v := range s.Variants {
		add(Endpoint{BaseURL: v.BaseURL, KeyEnv: v.KeyEnv})
		for _, set := range s.System().Settings {
			value := v.Settings[set.Name]
			if set.Address && strings.Contains(value, "://") {
				add(Endpoint{BaseURL: value})
			}
			for _, name := range set.Sends(value) {
				add(Endpoint{BaseURL: s.sentTo(v), KeyEnv: name})
			}
		}
	}
	return list
}

// sentTo is where a variant's settings send what they hold.
func (s Suite) sentTo(v Variant) string {
	for _, p := range s.System().Parts {
		if at := p.At(s.Values(v)); at != "" {
			return at
		}
	}
	return "nowhere"
}

// Commands are those that the suite runs, each once.
func (s Suite) Commands() (list []string) {
	for _, v := range s.Variants {
		for _, set := range s.System().Settings {
			value := v.Settings[set.Name]
			if set.Runs && value != "" && !(set.Address && strings.Contains(value, "://")) && !slices.Contains(list, value) {
				list = append(list, value)
			}
		}
	}
	return list
}
