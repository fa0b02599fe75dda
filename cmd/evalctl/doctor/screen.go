package doctor

import (
	"fmt"
	"runtime"
)

// Screen is what shows what evalctl says.
type Screen struct {
	Terminal, Colours, UTF8 bool
	Width                   int
	Locale                  string // as the environment says it; "": it does not
}

// Check tells how reports will look there.
func (s Screen) Check() []Finding {
	terminal := found("terminal", Skipped, "none: the output goes to a pipe or a file, without colors")
	switch {
	case s.Terminal && s.Width > 0 && s.Width < 80:
		terminal = found("terminal", Doubt, "%d columns: tables need 80", s.Width)
	case s.Terminal:
		colours := "without colors"
		if s.Colours {
			colours = "colors"
		}
		terminal = found("terminal", Good, "%d columns, %s", s.Width, colours)
	}
	locale := found("locale", Good, "%s", s.Locale)
	switch {
	case s.UTF8:
	case s.Locale == "":
		locale = found("locale", Doubt, "neither LC_ALL nor LANG is set: symbols are shown in ASCII")
	default:
		locale = found("locale", Doubt, "%s is not UTF-8: symbols are shown in ASCII", s.Locale)
	}
	return []Finding{terminal, locale}
}

// Build tells which program this is.
func Build(version string) Finding {
	return found("build", Good, "evalctl %s, %s, %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Store asks a cache that is shared whether it is there.
func Store(address string, ask func() error) Finding {
	if err := ask(); err != nil {
		return found("cache", Bad, "%s: %v", address, err)
	}
	return found("cache", Good, "%s answers", address)
}

// Unasked is a service that is not tried: each call costs.
func Unasked(address string) Finding {
	return found("endpoint", Skipped, "%s is not checked: it has no cheap call", address)
}

// Offline tells of a call that was not to be made.
func Offline(check, address string) Finding {
	return found(check, Skipped, "%s is not checked: --offline", address)
}

// Keyless tells of an endpoint that is not asked because its key is lacking, which is
// told beside it.
func Keyless(address, variable string) Finding {
	return found("endpoint", Skipped, "%s is not checked: it requires %s", address, variable)
}

// Unfit is a suite that cannot be played as it is.
func Unfit(err error) Finding { return Finding{Check: "suite", Mark: Bad, Text: fmt.Sprint(err)} }
