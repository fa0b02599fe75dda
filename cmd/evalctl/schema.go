package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"

	"evalctl/agent/knowledge"
	"evalctl/datasets"
	"evalctl/eval/suite"
)

// openUnderstood reads a set with the schema of the system that it is for.
func openUnderstood(name string) (*datasets.Dataset, error) { return openDataset(name, schemaOf(name)) }

// schemaOf is a shipped set's own schema, of a file that of the first system
// which understands one of its first cases, else whose label one of them names.
// What nobody understands is explained as the first system would.
func schemaOf(name string) datasets.Schema {
	schemas := allSchemas()
	for _, s := range schemas {
		if s.Target == name {
			return s
		}
	}
	if isShipped(name) {
		return schemas[0]
	}
	lines := firstLines(name)
	for _, understands := range []func(datasets.Schema, []byte) bool{
		func(s datasets.Schema, line []byte) bool { _, err := s.Case(line); return err == nil },
		func(s datasets.Schema, line []byte) bool { return bytes.Contains(line, []byte(`"`+s.Label+`"`)) },
	} {
		for _, line := range lines {
			for _, s := range schemas {
				if understands(s, line) {
					return s
				}
			}
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
	var err error
	s.Style, err = shippedStyle()
	return s, err
}

// shippedStyle finds ids of styles that the shipped library does not have.
func shippedStyle() (func(id string) error, error) {
	styles, err := knowledge.Shipped()
	ids := make([]string, len(styles))
	for i, s := range styles {
		ids[i] = s.ID
	}
	return func(id string) error { return checkKnown("style", id, ids) }, err
}

func allSchemas() (list []datasets.Schema) {
	for _, target := range suite.Targets() {
		if s, err := targetSchema(target); err == nil {
			list = append(list, s)
		}
	}
	return list
}

// glimpse is how many cases are looked at to tell whose they are.
const glimpse = 100

// firstLines are a file's first lines that are not blank; none of what cannot
// be read, which opening it will explain.
func firstLines(path string) (list [][]byte) {
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
	for len(list) < glimpse && lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			list = append(list, bytes.Clone(line))
		}
	}
	return list
}
