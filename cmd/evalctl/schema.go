package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"

	"evalctl/datasets"
	"evalctl/eval/suite"
)

// openUnderstood reads a set with the schema of the system that it is for: a
// shipped set's own, of a file that of the first system which understands the
// first case. What nobody understands is explained as the first would.
func openUnderstood(name string) (*datasets.Dataset, error) { return openDataset(name, schemaOf(name)) }

func schemaOf(name string) datasets.Schema {
	schemas := allSchemas()
	first := firstLine(name)
	for _, s := range schemas {
		if s.Target == name {
			return s
		}
		if _, err := s.Case(first); err == nil && !isShipped(name) {
			return s
		}
	}
	return schemas[0]
}

// targetSchema is the schema of a system's cases.
func targetSchema(target string) (datasets.Schema, error) {
	s, ok := datasets.For(target, checkFault)
	if !ok {
		return s, fmt.Errorf("there is no schema of cases for %s", target)
	}
	return s, nil
}

func allSchemas() (list []datasets.Schema) {
	for _, target := range suite.Targets() {
		if s, ok := datasets.For(target, checkFault); ok {
			list = append(list, s)
		}
	}
	return list
}

// firstLine is a file's first line that is not blank; nothing of what cannot
// be read, which opening it will explain.
func firstLine(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			return line
		}
	}
	return nil
}
