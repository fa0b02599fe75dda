package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
)

// flatSettings contains single settings by path, such as model.name. Nested objects and lists are
// split into their elements. A list of plain values is one setting.
type flatSettings map[string]string

func (l flatSettings) add(path string, value json.RawMessage) {
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) == nil && object != nil {
		for name, below := range object {
			l.add(path+"."+name, below)
		}
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil && isNested(list) {
		for i, below := range list {
			l.add(fmt.Sprintf("%s[%d]", path, i+1), below)
		}
		return
	}
	l[path] = plain(value)
}

func isNested(list []json.RawMessage) bool {
	return len(list) > 0 && (list[0][0] == '{' || list[0][0] == '[')
}

// plain returns the value of a setting as one line without quotes.
func plain(value json.RawMessage) string {
	var word string
	if json.Unmarshal(value, &word) == nil {
		return word
	}
	var line bytes.Buffer
	if json.Compact(&line, value) != nil {
		return string(value)
	}
	return line.String()
}

const (
	maxShown      = 80 // maximum length of a setting in characters
	contextLength = 20 // number of characters before the first difference
)

func cut(text []rune, from int) string {
	shown, ellipsis := text[from:], ""
	if from > 0 {
		ellipsis = "…"
	}
	if len(shown) > maxShown {
		return ellipsis + string(shown[:maxShown-1]) + "…"
	}
	return cmp.Or(ellipsis+string(shown), "none")
}
