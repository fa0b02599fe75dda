// Package build identifies the running build of evalctl. Results of two builds are never combined
// in one run, because two builds may decide or count differently.
package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
)

// module is the import path of evalctl's own module. It is derived from this package, so that it
// stays right if the repository moves to another host.
var module = strings.TrimSuffix(reflect.TypeFor[packageMarker]().PkgPath(), "/cmd/evalctl/build")

type packageMarker struct{}

// Version returns the module version of evalctl and its VCS revision, for display. It returns
// "unknown" if the executable has no build information.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v, _ := versionOf(info)
	return v
}

// Identity returns a text that differs between any two builds with different code. For a build of
// unmodified sources, it is Version. For any other build, it is Version and a hash of the
// executable. Identity computes the hash once. It returns an error if the executable cannot be
// read.
var Identity = sync.OnceValues(func() (string, error) {
	info, ok := debug.ReadBuildInfo()
	version, stamped := "unknown", false
	if ok {
		version, stamped = versionOf(info)
	}
	return identify(version, stamped, executable)
})

func identify(version string, stamped bool, open func() (io.ReadCloser, error)) (string, error) {
	if stamped {
		return version, nil
	}
	hash, err := hashOf(open)
	if err != nil {
		return "", fmt.Errorf("evalctl %s has no version stamp of unmodified sources, and its executable cannot be read to identify it: %w",
			version, err)
	}
	return version + " " + hash, nil
}

// versionOf returns evalctl's version in a program that is evalctl or imports it. stamped is true
// if all code comes from unmodified, versioned sources.
func versionOf(info *debug.BuildInfo) (version string, stamped bool) {
	stamped = true
	for _, dep := range info.Deps {
		of := dep
		if dep.Replace != nil {
			of = dep.Replace // a replacement by a local directory has no version
		}
		stamped = stamped && isRelease(of.Version)
		if dep.Path == module {
			version = dep.Version
		}
	}
	if version != "" {
		return version, stamped
	}
	version = info.Main.Version
	revision, modified := "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value != "false"
		}
	}
	if len(revision) >= 12 {
		version += " " + revision[:12]
	}
	return version, stamped && !modified && (revision != "" || isRelease(info.Main.Version))
}

// isRelease reports whether a module version identifies unmodified sources.
func isRelease(version string) bool {
	return strings.HasPrefix(version, "v") && !strings.Contains(version, "+dirty")
}

func hashOf(open func() (io.ReadCloser, error)) (string, error) {
	f, err := open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, make([]byte, 1<<20)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// executable opens the file of the running process, even if a newer build has replaced the file.
func executable() (io.ReadCloser, error) {
	if f, err := os.Open("/proc/self/exe"); err == nil {
		return f, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}
