package importer

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// eachYAMLTest reads the tests of a YAML file: a list of tests, or a config with the key
// tests. It splits the file into list items and parses one item at a time, because parsed YAML
// takes a hundred times its size.
func (j *job) eachYAMLTest(path string, to testReader) error {
	c := yamlSplitter{
		job:    j,
		path:   path,
		indent: -1,
		to:     to,
	}
	err := eachLine(path, func(n int, line []byte, long bool) error {
		if c.line = n; long {
			return fmt.Errorf("%s:%d: %w", oneLine(path), n, errTooLong)
		}
		return c.addLine(bytes.TrimRight(line, "\r\n"))
	})
	if err != nil {
		return err
	}
	return c.end()
}

// yamlSplitter splits a YAML document into the items of its list of tests, line by line.
type yamlSplitter struct {
	job    *job
	path   string
	to     testReader
	line   int
	listed bool   // the current line is in the list of tests
	found  bool   // the document has a list of tests
	config bool   // the document is a config with keys, not a list
	indent int    // columns before the dashes of the list; -1: unknown
	item   []byte // text of the current item, with a space in place of the dash
	at     int    // line number at which the item starts; 0: there is no item
}

var topKey = regexp.MustCompile(`^["']?([A-Za-z_$][\w$-]*)["']?\s*:(.*)$`)

// addLine processes a line. It starts an item, continues one, or starts another key.
func (c *yamlSplitter) addLine(line []byte) error {
	text := bytes.TrimLeft(line, " ")
	indent := len(line) - len(text)
	dash := len(text) == 1 && text[0] == '-' || bytes.HasPrefix(text, []byte("- "))
	switch {
	case len(text) == 0 || text[0] == '#' && (c.indent < 0 || indent <= c.indent):
		return c.appendLine(line)
	case bytes.HasPrefix(line, []byte("---")), bytes.HasPrefix(line, []byte("%")) && !c.found:
		return nil
	case dash && indent == 0 && !c.config && !c.found:
		c.listed = true
		c.found = true
		c.indent = 0
	case dash && c.listed && c.indent < 0:
		c.indent = indent
	}
	switch {
	case c.listed && c.indent >= 0 && indent == c.indent && dash:
		if err := c.flush(); err != nil {
			return err
		}
		c.at = c.line
		text[0] = ' ' // aligns the first line of the item with the others
		return c.appendLine(line)
	case c.listed && c.indent >= 0 && indent > c.indent:
		return c.appendLine(line)
	case indent == 0 && topKey.Match(line):
		return c.key(string(line))
	case c.listed || !c.config:
		return fmt.Errorf("%s:%d: is neither in a list of tests nor in a config with one", oneLine(c.path), c.line)
	}
	return c.job.ctx.Err() // the line belongs to the value of another key
}

func (c *yamlSplitter) key(line string) error {
	if err := c.flush(); err != nil {
		return err
	}
	m := topKey.FindStringSubmatch(line)
	if c.found && !c.config {
		return fmt.Errorf("%s:%d: is a key behind a list", oneLine(c.path), c.line)
	}
	c.config = true
	c.listed = m[1] == "tests"
	c.indent = -1
	c.job.noteIgnored(c.path, m[1])
	if !c.listed {
		return nil
	}
	c.found = true
	rest, _, _ := strings.Cut(m[2], " #")
	switch rest = unquoted(rest); {
	case isTestFile(rest):
		c.listed = false
		return c.to.only(rest)
	case rest != "":
		return fmt.Errorf("%s:%d: tests must be a list with a dash before each test, or file://FILE",
			oneLine(c.path), c.line)
	}
	return nil
}

// appendLine adds a line to the current item, if there is one.
func (c *yamlSplitter) appendLine(line []byte) error {
	if c.at == 0 {
		return c.job.ctx.Err()
	}
	if len(c.item)+len(line) > maxField {
		return fmt.Errorf("%s:%d: a test %w", oneLine(c.path), c.at, errTooLong)
	}
	c.item = append(append(c.item, line...), '\n')
	return nil
}

func (c *yamlSplitter) flush() error {
	if c.at == 0 {
		return nil
	}
	at := Position{File: c.path, Line: c.at}
	text, _, _ := strings.Cut(string(c.item), " #")
	if text = unquoted(text); strings.HasPrefix(text, fileScheme) {
		c.item, c.at = c.item[:0], 0
		return c.to.include(at, text)
	}
	one, err := parseTest(c.item)
	c.item, c.at = c.item[:0], 0
	if err != nil {
		return c.job.reject(at, err.Error())
	}
	return c.to.add(at, one)
}

// unquoted returns a plain or quoted YAML scalar on one line, without quotes and spaces.
func unquoted(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && text[0] == text[n-1] && (text[0] == '"' || text[0] == '\'') {
		return text[1 : n-1]
	}
	return text
}

func (c *yamlSplitter) end() error {
	if err := c.flush(); err != nil {
		return err
	}
	if !c.found {
		return fmt.Errorf("%s: has no list of tests", oneLine(c.path))
	}
	return nil
}
