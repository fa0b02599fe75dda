package suite

import (
	"cmp"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"evalctl/agent/secret"
	"evalctl/agent/system"
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
			if value := v.Settings[set.Name]; set.IsFile && value != "" {
				path := func(e system.Element) string { return at(e.Text) }
				s.Variants[i] = s.Variants[i].with(set.Name, set.Rewrite(value, path))
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

// Elements are those of the values that a variant sets, in the order of the system's settings.
func (s Suite) Elements(v Variant) (list []system.Element) {
	for _, set := range s.System().Settings {
		list = append(list, set.Elements(v.Settings[set.Name])...)
	}
	return list
}

// WorkDir is the folder in which a variant's commands run; "": the current directory.
func (s Suite) WorkDir(v Variant) string {
	for _, set := range s.System().Settings {
		if set.WorkDir {
			return s.Path(v.Settings[set.Name])
		}
	}
	return ""
}

// File is the path that the suite was read from; "": it was not read from a file.
func (s Suite) File() string { return s.file }

// Files are those that the suite is made of, its own first.
func (s Suite) Files() (paths []string) {
	paths = append(paths, s.file, s.Dataset, s.Path(s.Labels.File))
	for _, m := range s.Models {
		paths = append(paths, s.Path(m.Script))
	}
	for _, v := range s.Variants {
		for _, e := range s.Elements(v) {
			if e.Kind == system.File {
				paths = append(paths, s.Path(e.Text))
			}
		}
	}
	return slices.DeleteFunc(paths, func(p string) bool { return p == "" })
}

// EndpointRef is a real one, and the environment variable with its key; "": it
// wants none.
type EndpointRef struct{ BaseURL, KeyEnv string }

// EndpointsAt are those of an address: one for the variable that holds its key, "" where there
// is none, and one for each variable that the address refers to. No address has none.
func EndpointsAt(base, keyEnv string) (list []EndpointRef) {
	if base == "" {
		return nil
	}
	for _, name := range append([]string{keyEnv}, secret.Variables(base)...) {
		list = append(list, EndpointRef{BaseURL: base, KeyEnv: name})
	}
	return list
}

// Endpoints are those that the suite names, each once.
func (s Suite) Endpoints() (list []EndpointRef) {
	for _, part := range slices.Sorted(maps.Keys(s.Models)) {
		list = append(list, EndpointsAt(s.Models[part].BaseURL, s.Models[part].APIKeyEnv)...)
	}
	for _, v := range s.Variants {
		list = append(list, EndpointsAt(v.BaseURL, v.KeyEnv)...)
		for _, e := range s.Elements(v) {
			if e.Kind == system.URL {
				list = append(list, EndpointsAt(e.Text, "")...)
			}
		}
		for _, set := range s.System().Settings {
			for _, name := range set.SentVariables(v.Settings[set.Name]) {
				list = append(list, EndpointRef{BaseURL: s.sentTo(v), KeyEnv: name})
			}
		}
	}
	return unique(list)
}

// Direct are the endpoints that the system contacts without a link of a part, such as an MCP
// server or a Redis: no cassette answers for them.
func (s Suite) Direct() (list []EndpointRef) {
	for _, v := range s.Variants {
		for _, set := range s.System().Settings {
			for _, e := range set.Elements(v.Settings[set.Name]) {
				linked := set.Offers || slices.ContainsFunc(s.System().Parts, func(p system.Component) bool { return p.URLFor(s.Values(v)) == e.Text })
				if e.Kind == system.URL && !linked {
					list = append(list, EndpointsAt(e.Text, "")...)
				}
			}
		}
	}
	return unique(list)
}

// unique are the elements of a list, each once.
func unique[T comparable](list []T) (once []T) {
	for _, one := range list {
		if !slices.Contains(once, one) {
			once = append(once, one)
		}
	}
	return once
}

// sentTo is where a variant's settings send what they hold.
func (s Suite) sentTo(v Variant) string {
	for _, p := range s.System().Parts {
		if at := p.URLFor(s.Values(v)); at != "" {
			return at
		}
	}
	return "nowhere"
}

// Commands are those that the suite runs, each once.
func (s Suite) Commands() (list []string) {
	for _, v := range s.Variants {
		for _, e := range s.Elements(v) {
			if e.Kind == system.Command && !slices.Contains(list, e.Text) {
				list = append(list, e.Text)
			}
		}
	}
	return list
}
