package doctor

import (
	"fmt"
	"runtime"
)

// Terminal is what shows what evalctl says.
type Terminal struct {
	Terminal, Colors, UTF8 bool
	Width                  int
	Locale                 string // as the environment says it; "": it does not
}

// Check tells how reports will look there.
func (s Terminal) Check() []Finding {
	terminal := found("terminal", Skipped, "none: the output goes to a pipe or a file, without colors")
	switch {
	case s.Terminal && s.Width > 0 && s.Width < 80:
		terminal = found("terminal", StatusWarning, "%d columns: tables need 80", s.Width)
	case s.Terminal:
		colors := "without colors"
		if s.Colors {
			colors = "colors"
		}
		terminal = found("terminal", StatusOK, "%d columns, %s", s.Width, colors)
	}
	locale := found("locale", StatusOK, "%s", s.Locale)
	switch {
	case s.UTF8:
	case s.Locale == "":
		locale = found("locale", StatusWarning, "neither LC_ALL nor LANG is set: symbols are shown in ASCII")
	default:
		locale = found("locale", StatusWarning, "%s is not UTF-8: symbols are shown in ASCII", s.Locale)
	}
	return []Finding{terminal, locale}
}

// Build tells which program this is.
func Build(version string) Finding {
	return found("build", StatusOK, "evalctl %s, %s, %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Store asks a cache that is shared whether it is there.
func Store(address string, ask func() error) Finding {
	if err := ask(); err != nil {
		return found("cache", StatusFailed, "%s: %v", address, err)
	}
	return found("cache", StatusOK, "%s answers", address)
}

// NotChecked is a service that is not tried: each call costs.
func NotChecked(address string) Finding {
	return found("endpoint", Skipped, "%s is not checked: it has no cheap call", address)
}

// Offline tells of a call that was not to be made.
func Offline(check, address string) Finding {
	return found(check, Skipped, "%s is not checked: --offline", address)
}

// MissingKey tells of an endpoint that is not asked because its key is lacking, which is
// told beside it.
func MissingKey(address, variable string) Finding {
	return found("endpoint", Skipped, "%s is not checked: it requires %s", address, variable)
}

// InvalidSuite is a suite that cannot be played as it is.
func InvalidSuite(err error) Finding {
	return Finding{Check: "suite", Mark: StatusFailed, Text: fmt.Sprint(err)}
}
