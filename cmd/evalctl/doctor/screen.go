package doctor

import (
	"fmt"
	"runtime"
)

// Terminal describes the terminal that evalctl writes to: whether there is one, its colors, its
// character set and its width in columns.
type Terminal struct {
	IsTerminal, Colors, UTF8 bool   // output goes to a terminal; it supports colors; the locale is UTF-8
	Width                    int    // in columns; 0: unknown
	Locale                   string // value of LC_ALL or LANG; "": neither is set
}

// Check returns two findings, on the terminal and on the locale. They warn if tables do not fit, or
// if symbols are replaced by ASCII.
func (s Terminal) Check() []Finding {
	terminal := newFinding("terminal", StatusSkipped, "none: the output goes to a pipe or a file, without colors")
	switch {
	case s.IsTerminal && s.Width > 0 && s.Width < 80:
		terminal = newFinding("terminal", StatusWarning, "%d columns: tables need 80", s.Width)
	case s.IsTerminal:
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

// BuildFinding returns a finding that shows the version of evalctl and Go, and the platform. It is
// always ok.
func BuildFinding(version string) Finding {
	return newFinding("build", StatusOK, "evalctl %s, %s, %s/%s", version, runtime.Version(),
		runtime.GOOS, runtime.GOARCH)
}

// CheckCache returns a finding on whether the server of a shared response cache is reachable. ping
// sends a test request to it.
func CheckCache(address string, ping func() error) Finding {
	if err := ping(); err != nil {
		return newFinding("cache", StatusFailed, "%s: %v", address, err)
	}
	return newFinding("cache", StatusOK, "%s answers", address)
}

// SkippedPaidService returns a finding for a service, such as an image generator, that is skipped
// because each call costs money.
func SkippedPaidService(address string) Finding {
	return newFinding("endpoint", StatusSkipped, "%s is not checked: it has no cheap call", address)
}

// SkippedOffline returns a finding for a check that is skipped because the user set --offline.
func SkippedOffline(check, address string) Finding {
	return newFinding(check, StatusSkipped, "%s is not checked: --offline", address)
}

// SkippedWithoutKey returns a finding for an endpoint that is skipped because its API key is not
// set. The missing key is reported separately.
func SkippedWithoutKey(address, variable string) Finding {
	return newFinding("endpoint", StatusSkipped, "%s is not checked: it requires %s", address, variable)
}

// SkippedEstimate returns a finding for a suite whose cost is not estimated, because only your own
// agents run in it.
func SkippedEstimate(suite string) Finding {
	return newFinding("estimate", StatusSkipped, "suite %s has none: the calls of your own agents are unknown", suite)
}

// InvalidSuiteFinding returns a failed finding for a suite that cannot run because of err.
func InvalidSuiteFinding(err error) Finding {
	return Finding{Check: "suite", Status: StatusFailed, Message: fmt.Sprint(err)}
}
