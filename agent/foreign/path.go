package foreign

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// CheckPath returns an error if path is not a JSON Pointer (RFC 6901), which begins with a slash,
// or a gjson path.
func CheckPath(path string) error {
	switch {
	case path == "" || strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%.60q is not a path: use a JSON Pointer as in /choices/0/label, or one of gjson as in choices.0.label", path)
	case len(path) > 500:
		return errors.New("has more than 500 characters")
	}
	return nil
}

// lookup returns the value at a path in valid JSON.
func lookup(doc gjson.Result, path string) gjson.Result {
	pointer, ok := strings.CutPrefix(path, "/")
	if !ok {
		return doc.Get(path)
	}
	for step := range strings.SplitSeq(pointer, "/") {
		doc = child(doc, unescape(step))
	}
	return doc
}

// unescape decodes one element of a JSON Pointer.
func unescape(step string) string { return strings.NewReplacer("~1", "/", "~0", "~").Replace(step) }

// isAmbiguous reports whether the path to found is ambiguous, because an object on it has two
// members with the same name.
func isAmbiguous(doc, found gjson.Result) bool {
	for doc.Index != found.Index {
		var next gjson.Result
		named, wanted := map[string]int{}, ""
		doc.ForEach(func(key, value gjson.Result) bool {
			named[key.String()]++
			if value.Index <= found.Index && found.Index < value.Index+len(value.Raw) {
				next, wanted = value, key.String()
			}
			return true
		})
		if !next.Exists() { // the path computes a value that is not in the document
			return false
		}
		if doc.IsObject() && named[wanted] > 1 {
			return true
		}
		doc = next
	}
	return false
}

// child returns a member of an object or an element of a list; zero: it does not exist.
func child(of gjson.Result, name string) (found gjson.Result) {
	index := -1
	if of.IsArray() {
		n, err := strconv.Atoi(name)
		if err != nil || n < 0 || strconv.Itoa(n) != name {
			return found
		}
		index = n
	} else if !of.IsObject() {
		return found
	}
	at := 0
	of.ForEach(func(key, value gjson.Result) bool {
		if index == at || index < 0 && key.String() == name {
			found = value
			return false
		}
		at++
		return true
	})
	return found
}

// ValueAt returns the value at a path in valid JSON. CheckPath accepts the path. The zero value
// means that the document has no such value.
func ValueAt(doc gjson.Result, path string) gjson.Result { return lookup(doc, path) }
