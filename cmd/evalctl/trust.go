package main

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

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
	for _, command := range s.Commands() {
		if !f.runs(command) {
			e.commands = append(e.commands, command)
		}
	}
	if f.tape.replay != "" {
		return e // nothing leaves the machine
	}
	named := f.named()
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
		known := path == file || slices.Contains(datasets.Shipped(), path) || f.names(path)
		if !known && !inFolder(path, filepath.Dir(file)) {
			e.files = append(e.files, path)
		}
	}
	return e
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

// named are the endpoints that the flags name.
func (f *runFlags) named() (list []suite.Endpoint) {
	for _, model := range f.models {
		if v, err := f.withModel(suite.Variant{}, model); err == nil {
			list = append(list, suite.Endpoint{BaseURL: v.BaseURL, KeyEnv: v.KeyEnv})
		}
	}
	var sent []string
	for _, a := range f.axes() {
		for _, value := range a.Values {
			list = append(list, suite.Endpoint{BaseURL: value})
			sent = append(sent, sentBy(a.Setting, value)...)
		}
	}
	for _, at := range slices.Clone(list) {
		for _, name := range sent { // both are the user's own words
			list = append(list, suite.Endpoint{BaseURL: at.BaseURL, KeyEnv: name})
		}
	}
	return append(list, suite.Endpoint{BaseURL: f.baseURL, KeyEnv: f.keyEnv})
}

// runs tells a command that the flags name.
func (f *runFlags) runs(command string) bool {
	return slices.ContainsFunc(f.axes(), func(a suite.Axis) bool { return slices.Contains(a.Values, command) })
}

// sentBy are the variables that a setting sends, in whatever system has it.
func sentBy(setting, value string) (names []string) {
	for _, of := range suite.Systems() {
		if set, ok := of.Setting(setting); ok {
			names = append(names, set.Sends(value)...)
		}
	}
	return names
}

// names tells a file that the flags name.
func (f *runFlags) names(path string) bool {
	given := []string{f.dataset, f.labels}
	for _, a := range f.axes() {
		given = append(given, a.Values...)
	}
	return slices.ContainsFunc(given, func(one string) bool {
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
		parts = append(parts, "runs "+suggest.Join(e.commands))
	}
	if trust || len(parts) == 0 {
		return nil
	}
	return fmt.Errorf("suite %s: %s: if that is what you want, say --trust", name, strings.Join(parts, " and "))
}
