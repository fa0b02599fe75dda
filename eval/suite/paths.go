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

// ResolvePath returns the path p, resolved relative to the suite's directory.
func (s Suite) ResolvePath(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(cmp.Or(s.Dir, "."), p)
}

// WithAbsolutePaths returns the suite with absolute paths, so that it does not depend on the current
// directory. The path of the dataset is not changed.
func (s Suite) WithAbsolutePaths() (Suite, error) {
	var errs []error
	abs := s.withPaths(func(path string) string {
		full, err := filepath.Abs(s.ResolvePath(path))
		errs = append(errs, err)
		return full
	})
	abs.Dir = ""
	return abs, errors.Join(errs...)
}

// MapPaths returns the suite with every path replaced by the result of at. isFile reports whether
// the dataset is a file, whose path is then replaced too.
func (s Suite) MapPaths(isFile bool, at func(path string) string) Suite {
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
		for _, set := range s.SystemOf(v).Settings {
			if value := v.Settings[set.Name]; set.IsFile && value != "" {
				path := func(e system.SettingElement) string { return at(e.Text) }
				s.Variants[i] = s.Variants[i].with(set.Name, set.ReplaceElements(value, path))
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

// SettingElements returns the elements of a variant's settings, such as files, URLs and commands.
// They have the order of the target's settings.
func (s Suite) SettingElements(v Variant) (list []system.SettingElement) {
	for _, set := range s.SystemOf(v).Settings {
		list = append(list, set.Elements(v.Settings[set.Name])...)
	}
	return list
}

// WorkDir returns the directory in which a variant's commands run; "": the current directory.
func (s Suite) WorkDir(v Variant) string {
	for _, set := range s.SystemOf(v).Settings {
		if set.IsWorkDir {
			return s.ResolvePath(v.Settings[set.Name])
		}
	}
	return ""
}

// File returns the path of the suite file, or "" if the suite was not read from a file.
func (s Suite) File() string { return s.file }

// Files returns the paths of all files that the suite consists of or refers to, starting with the
// suite file.
func (s Suite) Files() (paths []string) {
	paths = append(paths, s.file, s.Dataset, s.ResolvePath(s.Labels.File))
	for _, m := range s.Models {
		paths = append(paths, s.ResolvePath(m.Script))
	}
	for _, v := range s.Variants {
		for _, e := range s.SettingElements(v) {
			if e.Kind == system.ElementFile {
				paths = append(paths, s.ResolvePath(e.Text))
			}
		}
	}
	return slices.DeleteFunc(paths, func(p string) bool { return p == "" })
}

// EndpointRef is a real endpoint and the environment variable that contains its API key; "": it
// requires no key.
type EndpointRef struct{ BaseURL, KeyEnv string }

// EndpointRefsForURL returns an EndpointRef for each environment variable that the endpoint at this
// URL needs: its key, and the variables in the URL. It returns nil if the URL is empty.
func EndpointRefsForURL(base, keyEnv string) (list []EndpointRef) {
	if base == "" {
		return nil
	}
	for _, name := range append([]string{keyEnv}, secret.EnvReferences(base)...) {
		list = append(list, EndpointRef{BaseURL: base, KeyEnv: name})
	}
	return list
}

// Endpoints returns the real endpoints that the suite calls, without duplicates. It is used to
// check keys before a run.
func (s Suite) Endpoints() (list []EndpointRef) {
	for _, part := range slices.Sorted(maps.Keys(s.Models)) {
		list = append(list, EndpointRefsForURL(s.Models[part].BaseURL, s.Models[part].APIKeyEnv)...)
	}
	for _, v := range s.Variants {
		list = append(list, EndpointRefsForURL(v.BaseURL, v.KeyEnv)...)
		for _, e := range s.SettingElements(v) {
			if e.Kind == system.ElementURL {
				list = append(list, EndpointRefsForURL(e.Text, "")...)
			}
		}
		for _, set := range s.SystemOf(v).Settings {
			for _, name := range set.SentEnvVariables(v.Settings[set.Name]) {
				list = append(list, EndpointRef{BaseURL: s.sentTo(v), KeyEnv: name})
			}
		}
	}
	return unique(list)
}

// SystemEndpoints returns the endpoints that the system itself connects to, such as an MCP server
// or Redis. Their calls are not recorded in a cassette.
func (s Suite) SystemEndpoints() (list []EndpointRef) {
	for _, v := range s.Variants {
		for _, set := range s.SystemOf(v).Settings {
			for _, e := range set.Elements(v.Settings[set.Name]) {
				linked := set.IsSelectablePerRequest ||
					slices.ContainsFunc(s.SystemOf(v).Components,
						func(p system.Component) bool { return p.URLFor(s.SettingValues(v)) == e.Text })
				if e.Kind == system.ElementURL && !linked {
					list = append(list, EndpointRefsForURL(e.Text, "")...)
				}
			}
		}
	}
	return unique(list)
}

// unique returns the list without duplicates, in the same order.
func unique[T comparable](list []T) (once []T) {
	for _, one := range list {
		if !slices.Contains(once, one) {
			once = append(once, one)
		}
	}
	return once
}

// sentTo returns the URL to which a variant sends the values of environment variables.
func (s Suite) sentTo(v Variant) string {
	for _, p := range s.SystemOf(v).Components {
		if at := p.URLFor(s.SettingValues(v)); at != "" {
			return at
		}
	}
	return "nowhere"
}

// Commands returns the commands that the suite runs, without duplicates.
func (s Suite) Commands() (list []string) {
	for _, v := range s.Variants {
		for _, e := range s.SettingElements(v) {
			if e.Kind == system.ElementCommand && !slices.Contains(list, e.Text) {
				list = append(list, e.Text)
			}
		}
	}
	return list
}
