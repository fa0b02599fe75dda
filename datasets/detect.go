package datasets

import (
	"bufio"
	"bytes"
	"slices"

	"evalctl/agent/file"
	"evalctl/agent/system"
	"evalctl/eval/suite"
)

// Detect finds the system whose cases a set holds: a shipped set's own; of a
// file the first system that understands one of its first cases, else the
// first whose label one of them names. Systems with labels of their own come
// before those that take any. What nobody understands is explained as the first
// system would.
func Detect(nameOrPath string) system.System {
	systems := slices.DeleteFunc(suite.Systems(), system.System.IsExternal) // whose cases are those of others
	if slices.Contains(Shipped(), nameOrPath) {
		of, _ := suite.Find(nameOrPath)
		return of
	}
	slices.SortStableFunc(systems, func(a, b system.System) int {
		switch {
		case a.Contract.IsOpen() == b.Contract.IsOpen():
			return 0
		case a.Contract.IsOpen():
			return 1
		}
		return -1
	})
	lines := firstLines(nameOrPath)
	for _, understands := range []func(system.System, []byte) bool{
		func(s system.System, line []byte) bool {
			_, err := Schema{Target: s.Name, Contract: s.Contract}.ParseCase(line)
			return err == nil
		},
		func(s system.System, line []byte) bool {
			return bytes.Contains(line, []byte(`"`+s.Contract.LabelField+`"`))
		},
	} {
		for _, s := range systems {
			if slices.ContainsFunc(lines, func(line []byte) bool { return understands(s, line) }) {
				return s
			}
		}
	}
	return systems[0]
}

// glimpse is how many cases are looked at to tell whose they are.
const glimpse = 100

// firstLines are a file's first lines that are not blank; none of what cannot
// be read, which opening it will explain.
func firstLines(path string) (list [][]byte) {
	f, err := file.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for len(list) < glimpse && lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			list = append(list, bytes.Clone(line))
		}
	}
	return list
}
