package main

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/datasets"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// trustRequirements lists what a suite file does that the flags do not request and that requires
// --trust. It can send keys to hosts, send files outside its directory to an endpoint, and run
// commands.
type trustRequirements struct {
	hosts    []string // hosts that are contacted
	keys     []string // each as "KEY to HOST"
	files    []string
	commands []string
}

// namedInFlags lists the commands, endpoints and files that flags name for a suite. These do not
// require --trust.
type namedInFlags struct {
	elements  []system.SettingElement
	endpoints []suite.EndpointRef
	files     []string
}

// exposure returns what a suite does that the flags do not request. folder is the directory of the
// suite file. Files of a resumed run are omitted, because the manifest stores their hashes.
func (f *runFlags) exposure(s suite.Suite, folder string) trustRequirements {
	e := trustRequirementsOf(s, folder, f.namedByFlags(s), f.cassette.replay != "")
	if f.resume != "" {
		e.files = nil
	}
	return e
}

// trustRequirementsOf returns what a suite does that the flags (by) do not request. If a cassette
// is replayed, it lists only endpoints that the system contacts directly, without the cassette.
func trustRequirementsOf(s suite.Suite, folder string, by namedInFlags, replayed bool) (e trustRequirements) {
	for _, command := range s.Commands() {
		if !slices.Contains(by.elements, system.SettingElement{Kind: system.ElementCommand, Text: command}) ||
			by.setsWorkDir(s) {
			e.commands = append(e.commands, command)
		}
	}
	endpoints, direct := s.Endpoints(), s.SystemEndpoints()
	sendsElsewhere := false
	for _, one := range endpoints {
		if slices.Contains(by.endpoints, one) {
			continue
		}
		sendsElsewhere = true
		if replayed && !slices.Contains(direct, one) {
			continue
		}
		host := hostOf(one.BaseURL)
		e.hosts = appendUnique(e.hosts, host)
		if one.KeyEnv != "" {
			e.keys = appendUnique(e.keys, one.KeyEnv+" to "+host)
		}
	}
	if !sendsElsewhere {
		return e
	}
	for _, path := range s.Files() {
		known := path == s.File() || slices.Contains(datasets.BuiltInNames(), path) || by.namesFile(path)
		if !known && !inFolder(path, folder) {
			e.files = append(e.files, path)
		}
	}
	return e
}

// merge returns what two suites together do that the flags do not request.
func (e trustRequirements) merge(other trustRequirements) trustRequirements {
	join := func(a, b []string) []string {
		list := slices.Concat(a, b)
		slices.Sort(list)
		return slices.Compact(list)
	}
	return trustRequirements{
		hosts:    join(e.hosts, other.hosts),
		keys:     join(e.keys, other.keys),
		files:    join(e.files, other.files),
		commands: join(e.commands, other.commands),
	}
}

// setsWorkDir reports whether the suite, not a flag, sets the working directory of commands. This
// directory determines the program that a relative path refers to.
func (n namedInFlags) setsWorkDir(s suite.Suite) bool {
	return slices.ContainsFunc(s.Variants, func(v suite.Variant) bool {
		dir := s.WorkDir(v)
		return dir != "" && !slices.ContainsFunc(n.elements, func(e system.SettingElement) bool {
			return e.Kind == system.ElementFile && isSamePath(e.Text, dir)
		})
	})
}

// namesFile reports whether a flag names the file at path, as dataset, labels or setting.
func (n namedInFlags) namesFile(path string) bool {
	return slices.ContainsFunc(n.files, func(one string) bool { return isSamePath(one, path) })
}

func isSamePath(given, path string) bool {
	full, err := filepath.Abs(given)
	return given != "" && err == nil && (given == path || full == path)
}

// checkExposure returns an error if a suite requires --trust and the user did not give it. Before
// any request, it prints the hosts and keys that the source names. This security notice also
// appears with -q.
func (f *runFlags) checkExposure(s suite.Suite, folder, source string) error {
	e := f.exposure(s, folder)
	if err := e.check(s.Name, f.trust); err != nil || f.notices == nil {
		return err
	}
	notice := func(what string, list []string) {
		list = slices.DeleteFunc(list, func(text string) bool { return slices.Contains(f.listed, text) })
		if f.listed = append(f.listed, list...); len(list) > 0 {
			fmt.Fprintf(f.notices, "%s: %s\n", what, suggest.JoinWords(list))
		}
	}
	notice("hosts that the "+source+" names", e.hosts)
	notice("keys", e.keys)
	return nil
}

// namedByFlags returns the commands, endpoints and files that the flags name for a suite.
func (f *runFlags) namedByFlags(s suite.Suite) namedInFlags {
	n := namedInFlags{files: []string{f.dataset, f.labels}}
	var sent []string
	for _, a := range f.axes() {
		for _, of := range s.Systems() {
			set, ok := of.Setting(a.Setting)
			if !ok {
				continue
			}
			for _, value := range a.Values {
				n.elements = append(n.elements, set.Elements(value)...)
				sent = append(sent, set.SentEnvVariables(value)...)
			}
		}
	}
	for _, model := range f.models {
		if v, err := f.withModel(suite.Variant{}, model); err == nil {
			n.endpoints = append(n.endpoints, suite.EndpointRefsForURL(v.BaseURL, v.KeyEnv)...)
		}
	}
	for _, e := range n.elements {
		switch e.Kind {
		case system.ElementURL:
			n.endpoints = append(n.endpoints, suite.EndpointRefsForURL(e.Text, "")...)
		case system.ElementFile:
			n.files = append(n.files, e.Text)
		}
	}
	for _, at := range slices.Clone(n.endpoints) {
		for _, name := range sent { // the flags name the address and the key
			n.endpoints = append(n.endpoints, suite.EndpointRef{BaseURL: at.BaseURL, KeyEnv: name})
		}
	}
	n.endpoints = append(n.endpoints, suite.EndpointRefsForURL(f.baseURL, f.keyEnv)...)
	return n
}

// inFolder reports whether a file is inside a directory, after resolving links. A path of a missing
// file is compared as it is written.
func inFolder(path, folder string) bool {
	resolved := func(p string) string {
		if full, err := filepath.Abs(p); err == nil {
			p = full
		}
		if linked, err := filepath.EvalSymlinks(p); err == nil {
			return linked
		}
		return p
	}
	rel, err := filepath.Rel(resolved(folder), resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return cmp.Or(u.Host, base)
}

// masked returns commands with their secrets masked, for messages.
func masked(commands []string) (list []string) {
	for _, c := range commands {
		list = append(list, secret.Mask(c))
	}
	return list
}

// describe returns a phrase for what requires --trust, or "" if nothing does.
func (e trustRequirements) describe() string {
	var parts []string
	if len(e.keys) > 0 {
		parts = append(parts, "sends "+suggest.JoinWords(e.keys))
	}
	if len(e.files) > 0 {
		parts = append(parts, "reads "+suggest.JoinWords(e.files)+" for an endpoint of its own")
	}
	if len(e.commands) > 0 {
		parts = append(parts, "runs "+suggest.JoinWords(masked(e.commands)))
	}
	return strings.Join(parts, " and ")
}

// check returns an error that describes what requires --trust, unless trust is true.
func (e trustRequirements) check(name string, trust bool) error {
	needs := e.describe()
	if trust || needs == "" {
		return nil
	}
	return fmt.Errorf("suite %s: %s. To allow this, add --trust", name, needs)
}
