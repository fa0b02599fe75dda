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

// systems returns all agent systems, in the order in which reports list them.
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

// Systems returns the agent systems that evalctl contains.
func Systems() []system.System { return slices.Clone(systems()) }

// Targets returns the names of the agent systems, as used in the target field of a suite.
func Targets() (names []string) {
	for _, s := range Systems() {
		names = append(names, s.Name)
	}
	return names
}

// FindSystem returns the agent system with this name. ok is false if there is none.
func FindSystem(name string) (system.System, bool) {
	for _, s := range systems() {
		if s.Name == name {
			return s, true
		}
	}
	return system.System{}, false
}

// Setting is the name of a setting with all systems that have it. Each system has its own
// declaration of the setting.
type Setting struct {
	Name    string
	Systems []system.System
}

// Settings returns the settings of the named systems, or of all systems if none is named. Each
// setting is listed once.
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
			list[i].Systems = append(list[i].Systems, s)
		}
	}
	return list
}

// SystemsWithSetting returns the names of the systems that have the setting.
func SystemsWithSetting(setting string) (names []string) {
	for _, s := range Systems() {
		if _, ok := s.Setting(setting); ok {
			names = append(names, s.Name)
		}
	}
	return names
}
