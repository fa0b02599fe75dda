package importer

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"evalctl/agent/foreign"
)

// readJSON imports any JSON Lines file, or any JSON document with a list of objects, or a directory
// of such files. The options are paths in an object. Without them, text and label are members with
// usual names.
func readJSON(j *job) error {
	given := j.Options.given()
	for _, name := range []string{"text-path", "label-path", "id-path", "split-path", "items-path"} {
		if err := foreign.CheckPath(given[name]); given[name] != "" && err != nil {
			return &OptionError{Option: name, Reason: err.Error()}
		}
	}
	paths, err := filesAt(j.Path, func(name string) bool { return isJSONLines(name) || filepath.Ext(name) == ".json" },
		"holds no .json or .jsonl file")
	if err != nil {
		return err
	}
	o := j.Options
	r := jsonReader{job: j, paths: columns{
		text:  o.TextPath,
		label: o.LabelPath,
		id:    o.IDPath,
		split: o.SplitPath,
	}}
	for _, path := range paths {
		r.keys = nil
		switch {
		case !isJSONLines(path):
			err = j.readTree(path, asIs, r.readDocument)
		case o.ItemsPath != "":
			err = &OptionError{Option: "items-path", Reason: "is for a JSON document, not for JSON Lines"}
		default:
			err = eachObject(j, path, func(at Position, value jsontext.Value) error { return r.add(at, value, "") })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isJSONLines(path string) bool {
	return slices.Contains([]string{".jsonl", ".ndjson"}, strings.ToLower(filepath.Ext(path)))
}

// jsonReader reads the objects of a file as cases.
type jsonReader struct {
	job   *job
	paths columns  // paths that the user has given
	keys  *columns // members with usual names, for paths that are not given; nil: no object has been read
}

// readDocument reads the list at the path of the items. Without a path, it is the document, or the
// members of the document that have the name of a split, or its first list of objects.
func (r *jsonReader) readDocument(t *jsonStream) error {
	list := func(part, split string) error {
		return t.list(part, func(at Position, _ int, value jsontext.Value) error { return r.add(at, value, split) })
	}
	if r.job.Options.ItemsPath != "" {
		return r.descend(t, pathSteps(r.job.Options.ItemsPath), list)
	}
	if t.kind() != '{' {
		return list("items", "")
	}
	found := false
	var nested listPaths
	err := t.object("the document", func(name string) error {
		split, isSplit := splits[strings.ToLower(name)]
		if t.kind() != '[' || found && !isSplit {
			return nested.collect(t, name)
		}
		if err := t.begin('[', name); err != nil {
			return err
		}
		isObjects := t.kind() == '{'
		found = found || isObjects
		return t.elements(name, func(at Position, _ int, value jsontext.Value) error {
			if !isObjects {
				return nil
			}
			return r.add(at, value, split)
		})
	})
	if err == nil && !found {
		err = &shapeError{"is an object" + nested.advice()}
	}
	return err
}

// maxListPaths limits how many paths of lists a message names, and maxListDepth how long they are.
const (
	maxListPaths = 3
	maxListDepth = 20
)

// listPaths contains the paths of lists of objects in a document, as --items-path takes them.
type listPaths struct{ paths []string }

// collect skips the next value, which has this path, and adds the paths of the lists in it.
func (l *listPaths) collect(t *jsonStream, path ...string) error {
	depth := t.dec.StackDepth()
	switch {
	case len(l.paths) == maxListPaths || len(path) > maxListDepth:
	case t.kind() == '{':
		return t.object("", func(name string) error { return l.collect(t, append(path, name)...) })
	case t.kind() == '[':
		if err := t.begin('[', ""); err != nil {
			return err
		}
		if text := joinSteps(path); t.kind() == '{' && text != "" {
			l.paths = append(l.paths, text)
		}
		for t.dec.StackDepth() > depth {
			if _, err := t.token(); err != nil {
				return err
			}
		}
		return nil
	}
	return t.skip()
}

// joinSteps returns the path whose steps pathSteps returns; "": there is none.
func joinSteps(steps []string) string {
	for _, path := range []string{strings.Join(steps, "."), "/" + strings.Join(steps, "/")} {
		if slices.Equal(pathSteps(path), steps) && foreign.CheckPath(path) == nil {
			return path
		}
	}
	return ""
}

// advice returns the end of a message about a missing list: which path to name.
func (l *listPaths) advice() string {
	if len(l.paths) == 0 {
		return ". It has no list of objects"
	}
	text := ": write --items-path " + quoted(l.paths[0])
	for _, path := range l.paths[1:] {
		text += " or " + quoted(path)
	}
	return text
}

// descend reads the list at the steps of a path.
func (r *jsonReader) descend(t *jsonStream, steps []string, list func(part, split string) error) error {
	path := pathSteps(r.job.Options.ItemsPath)
	above := path[:len(path)-len(steps)]
	var nested listPaths
	if len(steps) == 0 && t.kind() == '{' {
		if err := nested.collect(t, above...); err != nil {
			return err
		}
		return &shapeError{quoted(r.job.Options.ItemsPath) + " is an object, not a list" + nested.advice()}
	}
	if len(steps) == 0 {
		return list(r.job.Options.ItemsPath, "")
	}
	found := false
	err := t.object(fmt.Sprintf("the parent of %s", quoted(steps[0])), func(name string) error {
		if name != steps[0] {
			return nested.collect(t, append(slices.Clone(above), name)...)
		}
		found = true
		return r.descend(t, steps[1:], list)
	})
	if err == nil && !found {
		err = &shapeError{fmt.Sprintf("has no %s", quoted(r.job.Options.ItemsPath)) + nested.advice()}
	}
	return err
}

// pathSteps returns the names of members on a path.
func pathSteps(path string) []string {
	if pointer, ok := strings.CutPrefix(path, "/"); ok {
		return strings.Split(pointer, "/")
	}
	return strings.Split(path, ".")
}

// add adds an object as a case. split is the split of its list; "": none.
func (r *jsonReader) add(at Position, value jsontext.Value, split string) error {
	if value.Kind() != '{' {
		return r.job.reject(at, "is not a JSON object")
	}
	object := gjson.ParseBytes(value)
	if r.keys == nil {
		keys := r.paths
		if err := keys.guess(memberNames(object), "path"); err != nil {
			return fmt.Errorf("%v: %w", at, err)
		}
		r.keys = &keys
	}
	labels, err := scalars(r.value(object, r.paths.label, r.keys.label))
	if err != nil {
		return r.job.reject(at, "label "+err.Error())
	}
	if given := r.value(object, r.paths.split, r.keys.split); given.Exists() {
		if split, err = parseSplit(given.String()); err != nil {
			return r.job.reject(at, err.Error())
		}
	}
	text := r.value(object, r.paths.text, r.keys.text)
	if text.Exists() && text.Type != gjson.String {
		return r.job.reject(at, "text is not a string")
	}
	one := row{
		place: at,
		id:    r.value(object, r.paths.id, r.keys.id).String(),
		split: split,
		turns: singleTurn(text.String(), labels...),
	}
	if r.keys.id == "" {
		one.id = r.job.made.id("json", cmp.Or(r.job.split, split), one.turns)
	}
	return r.job.add(one)
}

// value returns the value at a given path, or of the member with this key.
func (r *jsonReader) value(object gjson.Result, path, key string) (found gjson.Result) {
	if path != "" {
		return foreign.ValueAt(object, path)
	}
	object.ForEach(func(name, value gjson.Result) bool {
		if name.String() == key && key != "" {
			found = value
		}
		return !found.Exists()
	})
	return found
}

func memberNames(object gjson.Result) (names []string) {
	object.ForEach(func(name, _ gjson.Result) bool {
		names = append(names, name.String())
		return true
	})
	return names
}

// scalars returns the texts of a value or of the elements of a list; nil: there is no value.
func scalars(value gjson.Result) (texts []string, err error) {
	list := []gjson.Result{value}
	if value.IsArray() {
		list = value.Array()
	}
	for _, one := range list {
		switch {
		case one.Type == gjson.Null:
			continue
		case one.Type == gjson.JSON:
			return nil, errors.New("is not a text, a number or a list of those")
		}
		texts = append(texts, one.String())
	}
	return distinct(texts), nil
}
