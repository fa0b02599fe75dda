package importer

import (
	"fmt"
	"path/filepath"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readPromptfoo imports tests of promptfoo. The file is YAML or JSON, with a list of tests or a
// config that contains one, or a CSV with a column __expected. The label comes from the assertions
// on the whole answer (see promptfootest.go). Variables other than the text become the state of the
// input. IDs are generated, and cases have no split.
func readPromptfoo(j *job) error {
	others := 0
	add := func(at Position, n int64, t test) error {
		r, more, err := t.toCase(at, n, j.Options.Text)
		if err != nil {
			return j.reject(at, err.Error())
		}
		others += more
		return j.add(r)
	}
	var err error
	switch ending := strings.ToLower(filepath.Ext(j.Path)); ending {
	case ".csv":
		err = j.eachRecord(j.Path, table{delimiter: ',', trim: true}, func(at Position, r record) error {
			return add(at, r.n, r.test())
		})
	case ".json":
		err = j.readTree(j.Path, asIs, func(t *jsonStream) error { return t.tests(add) })
	case ".yaml", ".yml":
		err = j.eachYAMLTest(j.Path, add)
	default:
		return fmt.Errorf("%s: ends in %q, not in .yaml, .json or .csv", oneLine(j.Path), oneLine(ending))
	}
	if others > 0 {
		j.note("assertions skipped in addition to those with a label: %d", others)
	}
	return err
}

// tests calls add for each test of a JSON list, or of a JSON config with the key tests.
func (t *jsonStream) tests(add func(at Position, n int64, one test) error) error {
	list := func() error {
		return t.list("tests", func(at Position, i int, value jsontext.Value) error {
			var one test
			if err := v2.Unmarshal(value, &one); err != nil {
				return t.job.reject(at, explain(err))
			}
			return add(at, int64(i)+1, one)
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
