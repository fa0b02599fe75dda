package importer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/file"
)

// readPromptfoo imports tests of promptfoo. The file is YAML or JSON, with a list of tests or a
// config that contains one, or JSON Lines, or a CSV with a column __expected. A config can name
// files of tests, as in tests: file://cases.csv. The label comes from the assertions on the whole
// answer (see promptfootest.go). Variables other than the text become the state of the input. IDs
// are generated, and cases have no split.
func readPromptfoo(j *job) error {
	p := promptfoo{job: j}
	err := p.readFile(testFile{path: j.Path})
	if p.others > 0 {
		j.note("assertions skipped in addition to those with a label: %d", p.others)
	}
	return err
}

// promptfoo is an import of tests of promptfoo in progress.
type promptfoo struct {
	job    *job
	others int // number of assertions that are not imported
}

// testFile is a file of tests.
type testFile struct {
	path     string
	included bool // a config names the file
}

// testReader receives the tests of a file.
type testReader struct {
	add     func(at Position, one test) error
	only    func(ref string) error              // reads the file that is named in place of a list of tests
	include func(at Position, ref string) error // reads a file that the list of tests names
}

func (p *promptfoo) readFile(f testFile) error {
	to := testReader{
		add: func(at Position, t test) error {
			r, more, err := t.toCase(at, p.job.Options.Text)
			if err != nil {
				return p.job.reject(at, err.Error())
			}
			r.id = p.job.made.id("promptfoo", p.job.split, r.turns)
			p.others += more
			return p.job.add(r)
		},
		only: func(ref string) error {
			path, err := f.resolve(ref)
			if err != nil {
				return fmt.Errorf("%s: tests: %w", oneLine(f.path), err)
			}
			return p.readFile(testFile{path: path, included: true})
		},
		include: func(at Position, ref string) error {
			path, err := f.resolve(ref)
			if err == nil {
				_, err = os.Stat(path)
				err = file.UnwrapPathError(err)
			}
			if err != nil {
				return p.job.reject(at, fmt.Sprintf("%s: %v", quoted(ref), err))
			}
			return p.readFile(testFile{path: path, included: true})
		},
	}
	switch ending := strings.ToLower(filepath.Ext(f.path)); ending {
	case ".csv":
		return p.job.eachRecord(f.path, table{delimiter: ',', trim: true}, func(at Position, r record) error {
			return to.add(at, r.test())
		})
	case ".json":
		return p.job.readTree(f.path, asIs, func(t *jsonStream) error { return t.tests(to) })
	case ".jsonl":
		return eachObject(p.job, f.path, to.add)
	case ".yaml", ".yml":
		return p.job.eachYAMLTest(f.path, to)
	default:
		return fmt.Errorf("%s: ends in %q, not in .yaml, .json, .jsonl or .csv", oneLine(f.path), oneLine(ending))
	}
}

// resolve returns the path of a file that the tests of f name, relative to the directory of f.
func (f testFile) resolve(ref string) (string, error) {
	path := strings.TrimPrefix(ref, fileScheme)
	switch {
	case f.included:
		return "", fmt.Errorf("%s is a file in a file: only a config can name files of tests", quoted(ref))
	case strings.Contains(path, "://"):
		return "", fmt.Errorf("%s is not a file: download it first", quoted(ref))
	case strings.ContainsAny(path, "*?[{"):
		return "", fmt.Errorf("%s is a pattern, not one file", quoted(ref))
	case filepath.IsAbs(path):
		return path, nil
	}
	return filepath.Join(filepath.Dir(f.path), path), nil
}

// fileScheme precedes the path of a file in a config.
const fileScheme = "file://"

// isTestFile reports whether a value in place of tests names a file of tests.
func isTestFile(value string) bool {
	return strings.HasPrefix(value, fileScheme) ||
		slices.Contains([]string{".csv", ".json", ".jsonl", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(value)))
}

// tests reads the tests of a JSON list, or of a JSON config with the key tests.
func (t *jsonStream) tests(to testReader) error {
	list := func() error {
		if t.kind() == '"' {
			token, err := t.token()
			if err != nil {
				return err
			}
			return to.only(token.String())
		}
		return t.list("tests", func(at Position, _ int, value jsontext.Value) error {
			var ref string
			if value.Kind() == '"' && v2.Unmarshal(value, &ref) == nil && isTestFile(ref) {
				return to.include(at, ref)
			}
			var one test
			if err := v2.Unmarshal(value, &one); err != nil {
				return t.job.reject(at, explain(err))
			}
			return to.add(at, one)
		})
	}
	if t.kind() != '{' {
		return list()
	}
	found := false
	err := t.object("the document", func(name string) error {
		if name == "tests" {
			found = true
			return list()
		}
		t.job.noteIgnored(t.path, name)
		return t.skip()
	})
	if err == nil && !found {
		err = &shapeError{"has no tests"}
	}
	return err
}

// test converts a row of a CSV. Columns with two leading underscores are not variables.
func (r record) test() test {
	t := test{Vars: map[string]any{}}
	for i, column := range r.columns {
		switch {
		case strings.HasPrefix(column, "__expected"):
			if strings.TrimSpace(r.fields[i]) != "" {
				t.Assert = append(t.Assert, parseAssertion(r.fields[i]))
			}
		case !strings.HasPrefix(column, "__"):
			t.Vars[column] = r.fields[i]
		}
	}
	return t
}
