package datasets

import (
	"bufio"
	"bytes"
	"slices"

	"evalctl/agent/file"
	"evalctl/agent/system"
	"evalctl/eval/suite"
)

// DetectSystem guesses which system a dataset is for. A built-in dataset is for its own system. For
// a file, it is the first system that accepts one of the first cases. If none does, it is the first
// system whose label field occurs in one of them. Systems with fixed labels are tried before
// systems with free labels. If nothing matches, Detect returns the first system, whose validation
// errors then describe the problem.
func DetectSystem(nameOrPath string) system.System {
	return DetectSystemInCSV(nameOrPath, CSVColumns{})
}

// DetectSystemInCSV is like DetectSystem, for a CSV file with these columns.
func DetectSystemInCSV(nameOrPath string, columns CSVColumns) system.System {
	// external targets use cases of other systems
	systems := slices.DeleteFunc(suite.Systems(), system.System.IsExternal)
	if slices.Contains(BuiltInNames(), nameOrPath) {
		of, _ := suite.FindSystem(nameOrPath)
		return of
	}
	slices.SortStableFunc(systems, func(a, b system.System) int {
		switch {
		case a.Contract.HasDatasetLabels() == b.Contract.HasDatasetLabels():
			return 0
		case a.Contract.HasDatasetLabels():
			return 1
		}
		return -1
	})
	lines := firstLines(nameOrPath, columns)
	for _, accepts := range []func(system.System, []byte) bool{
		func(s system.System, line []byte) bool {
			_, err := Schema{Target: s.Name, Contract: s.Contract}.ParseCase(line)
			return err == nil
		},
		func(s system.System, line []byte) bool {
			return bytes.Contains(line, []byte(`"`+s.Contract.LabelField+`"`))
		},
	} {
		for _, s := range systems {
			if slices.ContainsFunc(lines, func(line []byte) bool { return accepts(s, line) }) {
				return s
			}
		}
	}
	return systems[0]
}

// detectCases is the number of cases that DetectSystem reads from a file.
const detectCases = 100

// firstLines returns the first lines that are not blank, or the first valid rows of a table as such
// lines. nil: the file cannot be read.
func firstLines(path string, columns CSVColumns) (list [][]byte) {
	f, err := file.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if IsTableFile(path) {
		s := Schema{Columns: columns}
		_, _ = s.eachRow(path, f, func(_ int, line []byte, bad error) bool {
			if bad == nil {
				list = append(list, bytes.Clone(line))
			}
			return len(list) < detectCases
		}, func(error) bool { return false }) // validation reports the error
		return list
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for len(list) < detectCases && lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			list = append(list, bytes.Clone(line))
		}
	}
	return list
}
