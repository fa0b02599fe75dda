package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"evalctl/agent/secret"
)

// Usual names of the JSON member that contains the label, if no path is configured. An earlier name
// takes precedence. Agents also use textNames for the text of their reply.
var (
	labelNames = []string{"label", "intent", "class", "category", "prediction"}
	textNames  = []string{"output", "answer"}
	usualNames = slices.Concat(labelNames, textNames)
)

// nameInObject is a further name of the label inside an object with a usual name, as in
// {"intent":{"name":"refund"}}.
const nameInObject = "name"

// labelPlace is where an answer contains its label.
type labelPlace struct {
	value     gjson.Result // zero: the answer has no label
	parent    gjson.Result // object that contains the value
	rank      int          // index in usualNames of the name; 0 for a configured path
	ambiguous bool         // another object contains a label under the same name
	mayBeText bool         // the member has one of textNames
}

// findLabel returns where the document contains its label. Without a configured path, it is the
// member with the first usual name: of the document, or else of an object in the document. An
// object that has a usual name itself takes precedence. textNames count only if there is no member
// with one of labelNames.
func (d Document) findLabel(path string) labelPlace {
	if path != "" {
		return labelPlace{value: lookup(d.json, path), parent: d.json}
	}
	for _, names := range [][]string{labelNames, textNames} {
		if at := usualMember(d.json, names); at.value.Exists() {
			return at
		}
		for rank, name := range usualNames {
			if at := usualMember(child(d.json, name), append(slices.Clone(names), nameInObject)); at.value.Exists() {
				at.rank = rank
				return at
			}
		}
		if at := inOneObject(d.json, names); at.value.Exists() {
			return at
		}
	}
	return labelPlace{}
}

// inOneObject returns the member with the first of the names in the objects of a document.
func inOneObject(doc gjson.Result, names []string) (best labelPlace) {
	if !doc.IsObject() {
		return best
	}
	doc.ForEach(func(_, object gjson.Result) bool {
		at := usualMember(object, names)
		switch {
		case !at.value.Exists():
		case !best.value.Exists() || at.rank < best.rank:
			best = at
		case at.rank == best.rank:
			best.ambiguous = true
		}
		return true
	})
	return best
}

// usualMember returns the member of an object with the first of the names whose value can be a
// label: any value except an object and a list.
func usualMember(object gjson.Result, names []string) labelPlace {
	if !object.IsObject() {
		return labelPlace{}
	}
	for _, name := range names {
		if value := child(object, name); value.Exists() && !value.IsObject() && !value.IsArray() {
			return labelPlace{
				value:     value,
				parent:    object,
				rank:      slices.Index(usualNames, name),
				mayBeText: slices.Contains(textNames, name),
			}
		}
	}
	return labelPlace{}
}

// Limits on the part of an answer that an error message shows.
const (
	maxRedacted = 4000 // bytes in which secrets are searched
	maxExcerpt  = 200  // bytes that are shown
)

// excerpt returns the beginning of the document as one line, without secrets.
func (d Document) excerpt(secrets *secret.Set) string {
	var line bytes.Buffer
	if err := json.Compact(&line, []byte(d.json.Raw)); err != nil {
		return "" // cannot happen: the document is valid JSON
	}
	text := printable(secrets.Redact(secret.Mask(clip(line.String(), maxRedacted))))
	if len(text) > maxExcerpt {
		text = clip(text, maxExcerpt) + "…"
	}
	return text
}

// missingLabelError returns the text of the error for a document without a label at its path. It
// shows the document and how to name the path.
func (d Document) missingLabelError(path string, labels ValidLabels, secrets *secret.Set) string {
	what := fmt.Sprintf("has nothing at %s, where its label should be", path)
	if path == "" {
		what = "has no label under a usual name (" + strings.Join(usualNames, ", ") + ")"
	}
	advice := "Name the path of the label, as in --label-path /result/0/label"
	if at := d.pathOfLabel(labels); at != "" {
		advice = "Its label may be at " + at + ": --label-path " + at
	}
	return fmt.Sprintf("%s: %s. %s", what, d.excerpt(secrets), advice)
}

// Limits on the search for a label in an answer.
const (
	maxSearched      = 1000 // values
	maxSearchedDepth = 8
)

// plainPath matches paths that a shell does not change.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9_.-]{1,60})+$`)

// pathOfLabel returns the path of the first text in the document that is a valid label; "": there
// is none.
func (d Document) pathOfLabel(labels ValidLabels) string {
	searched := 0
	var search func(of gjson.Result, path string, depth int) string
	search = func(of gjson.Result, path string, depth int) (found string) {
		if searched++; searched > maxSearched {
			return ""
		}
		if of.Type == gjson.String {
			if _, ok := labels.set.Find(of.Str); ok && plainPath.MatchString(path) {
				return path
			}
			return ""
		}
		if depth == maxSearchedDepth || !of.IsObject() && !of.IsArray() {
			return ""
		}
		index := 0
		of.ForEach(func(key, value gjson.Result) bool {
			name := key.String()
			if of.IsArray() {
				name = strconv.Itoa(index)
			}
			index++
			found = search(value, path+"/"+name, depth+1)
			return found == "" && searched <= maxSearched
		})
		return found
	}
	return search(d.json, "", 0)
}
