package main

import (
	"cmp"
	"fmt"
	"io"
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

// exposure is what a suite would hand out: keys to hosts, files from outside its folder
// to a host of its choice, and the machine to a command.
type exposure struct {
	hosts    []string // that are asked, beside those of the flags
	keys     []string // KEY to HOST
	files    []string
	commands []string
}

// exposes says what a suite's file hands out that the flags do not: a suite that
// names no endpoint sends nothing anywhere but to where the flags say.
func (f *runFlags) exposes(s suite.Suite, file string) (e exposure) {
	given := f.elements(s)
	for _, command := range s.Commands() {
		if !slices.Contains(given, system.Element{Kind: system.Command, Text: command}) || f.movesCommands(s, given) {
			e.commands = append(e.commands, command)
		}
	}
	if f.tape.replay != "" {
		return e // nothing leaves the machine
	}
	named := f.named(s)
	abroad := false
	for _, one := range s.Endpoints() {
		if slices.Contains(named, one) {
			continue
		}
		abroad = true
		if host := hostOf(one.BaseURL); !slices.Contains(e.hosts, host) {
			e.hosts = append(e.hosts, host)
		}
		if text := one.KeyEnv + " to " + hostOf(one.BaseURL); one.KeyEnv != "" && !slices.Contains(e.keys, text) {
			e.keys = append(e.keys, text)
		}
	}
	if !abroad {
		return e
	}
	for _, path := range s.Files() {
		known := path == file || slices.Contains(datasets.Shipped(), path) || f.names(given, path)
		if !known && !inFolder(path, filepath.Dir(file)) {
			e.files = append(e.files, path)
		}
	}
	return e
}

// movesCommands reports whether the suite, and not the flags, says in which folder commands
// run: that folder decides which program a relative path in them names.
func (f *runFlags) movesCommands(s suite.Suite, given []system.Element) bool {
	return slices.ContainsFunc(s.Variants, func(v suite.Variant) bool {
		dir := s.WorkDir(v)
		return dir != "" && !slices.ContainsFunc(given, func(e system.Element) bool {
			return e.Kind == system.File && e.Text != "" && f.names([]system.Element{e}, dir)
		})
	})
}

// tellExposure says where the suites' files have something sent.
func (f *runFlags) tellExposure(stderr io.Writer) {
	if f.Quiet {
		return
	}
	slices.Sort(f.asks)
	if hosts := slices.Compact(f.asks); len(hosts) > 0 {
		fmt.Fprintln(stderr, "asks, as the suite's file says:", suggest.Join(hosts))
	}
	if len(f.handsOut) > 0 {
		fmt.Fprintln(stderr, "keys:", suggest.Join(f.handsOut))
	}
}

// elements are those of the settings that the flags give to a suite's system.
func (f *runFlags) elements(s suite.Suite) (list []system.Element) {
	for _, a := range f.axes() {
		if set, ok := s.System().Setting(a.Setting); ok {
			for _, value := range a.Values {
				list = append(list, set.Elements(value)...)
			}
		}
	}
	return list
}

// named are the endpoints that the flags name for a suite.
func (f *runFlags) named(s suite.Suite) (list []suite.Endpoint) {
	for _, model := range f.models {
		if v, err := f.withModel(suite.Variant{}, model); err == nil {
			list = append(list, suite.Endpoint{BaseURL: v.BaseURL, KeyEnv: v.KeyEnv})
		}
	}
	for _, e := range f.elements(s) {
		if e.Kind == system.URL {
			list = append(list, suite.Endpoint{BaseURL: e.Text})
		}
	}
	var sent []string
	for _, a := range f.axes() {
		if set, ok := s.System().Setting(a.Setting); ok {
			for _, value := range a.Values {
				sent = append(sent, set.Sends(value)...)
			}
		}
	}
	for _, at := range slices.Clone(list) {
		for _, name := range sent { // both are the user's own words
			list = append(list, suite.Endpoint{BaseURL: at.BaseURL, KeyEnv: name})
		}
	}
	return append(list, suite.Endpoint{BaseURL: f.baseURL, KeyEnv: f.keyEnv})
}

// names reports whether the flags name a file, as the dataset, the labels or in a setting.
func (f *runFlags) names(given []system.Element, path string) bool {
	files := []string{f.dataset, f.labels}
	for _, e := range given {
		if e.Kind == system.File {
			files = append(files, e.Text)
		}
	}
	return slices.ContainsFunc(files, func(one string) bool {
		full, err := filepath.Abs(one)
		return one != "" && err == nil && (one == path || full == path)
	})
}

// inFolder tells a file that lies in a folder, links followed. One that is not
// there is told by its path.
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

// masked are commands without secrets.
func masked(commands []string) (list []string) {
	for _, c := range commands {
		list = append(list, secret.Mask(c))
	}
	return list
}

// check refuses what nobody has said yes to.
func (e exposure) check(name string, trust bool) error {
	var parts []string
	if len(e.keys) > 0 {
		parts = append(parts, "sends "+suggest.Join(e.keys))
	}
	if len(e.files) > 0 {
		parts = append(parts, "reads "+suggest.Join(e.files)+" for an endpoint of its own")
	}
	if len(e.commands) > 0 {
		parts = append(parts, "runs "+suggest.Join(masked(e.commands)))
	}
	if trust || len(parts) == 0 {
		return nil
	}
	return fmt.Errorf("suite %s: %s: if that is what you want, say --trust", name, strings.Join(parts, " and "))
}
