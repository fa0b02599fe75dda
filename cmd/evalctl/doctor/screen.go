package doctor

import (
	"fmt"
	"runtime"
)

// Terminal describes the terminal that evalctl writes to.
type Terminal struct {
	Terminal, Colors, UTF8 bool
	Width                  int
	Locale                 string // from the environment; "": not set
}

// Check reports how output will look.
func (s Terminal) Check() []Finding {
	terminal := newFinding("terminal", Skipped, "none: the output goes to a pipe or a file, without colors")
	switch {
	case s.Terminal && s.Width > 0 && s.Width < 80:
		terminal = newFinding("terminal", StatusWarning, "%d columns: tables need 80", s.Width)
	case s.Terminal:
		colors := "without colors"
		if s.Colors {
			colors = "colors"
		}
		terminal = newFinding("terminal", StatusOK, "%d columns, %s", s.Width, colors)
	}
	locale := newFinding("locale", StatusOK, "%s", s.Locale)
	switch {
	case s.UTF8:
	case s.Locale == "":
		locale = newFinding("locale", StatusWarning, "neither LC_ALL nor LANG is set: symbols are shown in ASCII")
	default:
		locale = newFinding("locale", StatusWarning, "%s is not UTF-8: symbols are shown in ASCII", s.Locale)
	}
	return []Finding{terminal, locale}
}

// Build reports the version of evalctl.
func Build(version string) Finding {
	return newFinding("build", StatusOK, "evalctl %s, %s, %s/%s", version, runtime.Version(),
		runtime.GOOS, runtime.GOARCH)
}

// Store reports whether a shared cache is reachable.
func Store(address string, ping func() error) Finding {
	if err := ping(); err != nil {
		return newFinding("cache", StatusFailed, "%s: %v", address, err)
	}
	return newFinding("cache", StatusOK, "%s answers", address)
}

// NotChecked reports a service that is skipped because every call costs money.
func NotChecked(address string) Finding {
	return newFinding("endpoint", Skipped, "%s is not checked: it has no cheap call", address)
}

// Offline reports a call that was skipped because of --offline.
func Offline(check, address string) Finding {
	return newFinding(check, Skipped, "%s is not checked: --offline", address)
}

// MissingKey reports an endpoint that is skipped because its key is missing. The missing key has
// its own finding.
func MissingKey(address, variable string) Finding {
	return newFinding("endpoint", Skipped, "%s is not checked: it requires %s", address, variable)
}

// InvalidSuite reports a suite that cannot run.
func InvalidSuite(err error) Finding {
	return Finding{Check: "suite", Mark: StatusFailed, Text: fmt.Sprint(err)}
}
