package suite

import (
	"slices"
	"sync"

	"evalctl/agent/classifier"
	"evalctl/agent/command"
	"evalctl/agent/companion"
	"evalctl/agent/newsroom"
	"evalctl/agent/remote"
	"evalctl/agent/scholar"
	"evalctl/agent/studio"
	"evalctl/agent/system"
	"evalctl/agent/toolcaller"
	"evalctl/agent/toolrouter"
)

// systems lists all agent systems, in the order of reports.
var systems = sync.OnceValue(func() []system.System {
	return []system.System{
		toolrouter.System(),
		studio.System(),
		companion.System(),
		newsroom.System(),
		scholar.System(),
		classifier.System(),
		toolcaller.System(),
		remote.System(),
		command.System(),
	}
})

// Systems lists the agent systems.
func Systems() []system.System { return slices.Clone(systems()) }

// Targets names the agent systems.
func Targets() (names []string) {
	for _, s := range Systems() {
		names = append(names, s.Name)
	}
	return names
}

// Find finds a system by its name.
func Find(name string) (system.System, bool) {
	for _, s := range systems() {
		if s.Name == name {
			return s, true
		}
	}
	return system.System{}, false
}

// Setting is a setting and the systems that have it, each with its own declaration.
type Setting struct {
	Name   string
	Owners []system.System
}

// Settings lists the settings of the named systems, or of all systems without names. Each setting
// is listed once.
func Settings(of ...string) (list []Setting) {
	at := map[string]int{}
	for _, s := range Systems() {
		if len(of) > 0 && !slices.Contains(of, s.Name) {
			continue
		}
		for _, set := range s.Settings {
			i, seen := at[set.Name]
			if !seen {
				i = len(list)
				at[set.Name] = i
				list = append(list, Setting{Name: set.Name})
			}
			list[i].Owners = append(list[i].Owners, s)
		}
	}
	return list
}

// OwnersOf names the systems that have a setting.
func OwnersOf(setting string) (names []string) {
	for _, s := range Systems() {
		if _, ok := s.Setting(setting); ok {
			names = append(names, s.Name)
		}
	}
	return names
}
