package llm

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/kaptinlin/jsonrepair"

	"evalctl/agent/label"
)

// Limits on repairs: bytes of a text, repaired texts, and stray quotes in a text. For some texts
// jsonrepair takes quadratic time, and cubic time with stray quotes.
const (
	maxRepair  = 4 << 10
	maxRepairs = 2
	maxStray   = 32
)

// repair returns the last object that has key, with quotes and comments repaired; nil if there is
// none. Extract calls it if the text contains no valid object. The library jsonrepair would also
// complete cut values and invent missing ones. Therefore it receives only complete members, and its
// result must occur in the text.
func repair(text, key string) json.RawMessage {
	var regions []string
	again := maxRepairs // how often the scan may restart inside an unclosed brace
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '{')
		if j < 0 {
			break
		}
		i += j
		region, n, isCut := objectLike(text[i:])
		if region != "" && len(region) <= maxRepair && mayHaveKey(region, key) {
			regions = append(regions, region)
		}
		if isCut && again > 0 {
			n, again = 1, again-1
		}
		i += max(n, 1)
	}
	for n := 0; n < maxRepairs && n < len(regions); n++ {
		region := regions[len(regions)-1-n]
		if raw := repairJSON(region); raw != nil && objectHasKey(raw, key) && occursIn(raw, region) {
			return raw
		}
	}
	return nil
}

// mayHaveKey reports whether the text region may contain a member with the name key.
func mayHaveKey(region, key string) bool {
	return strings.Contains(label.Fold(region), label.Fold(key))
}

// repairJSON calls jsonrepair. It returns nil if the library fails or panics on the model's output.
func repairJSON(region string) (raw json.RawMessage) {
	defer func() {
		if recover() != nil {
			raw = nil
		}
	}()
	out, err := jsonrepair.Repair(region)
	if err != nil || !json.Valid([]byte(out)) {
		return nil
	}
	return json.RawMessage(out)
}

func objectHasKey(raw json.RawMessage, key string) bool {
	p := parser{text: string(raw), key: key}
	if p.next() != '{' {
		return false
	}
	p.object(1)
	return p.outcome == whole && (p.hasKey || key == "")
}

// objectLike finds the object at the start of text, even if it is not valid JSON. An object that is
// cut off ends after its last complete member. region is "" if there is no object; n is the offset
// at which the search continues.
func objectLike(text string) (region string, n int, isCut bool) {
	var (
		stack  []byte
		quotes quotes
		comma  int // offset of the last comma between members of the outermost object
	)
	for i := 0; i < len(text); i++ {
		c := text[i]
		skip := quotes.skip(text[i:])
		if quotes.unmatched > maxStray {
			return "", i + 1, false
		}
		if skip > 0 {
			i += skip - 1
			continue
		}
		switch c {
		case '{', '[':
			if len(stack) == maxDepth {
				return "", i, false
			}
			stack = append(stack, c+2) // the matching closing bracket, two code points further in ASCII
		case '}', ']':
			if stack[len(stack)-1] != c {
				return "", i, false
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return text[:i+1], i + 1, false
			}
		case ',':
			if len(stack) == 1 {
				comma = i
			}
		}
	}
	if comma == 0 {
		return "", len(text), true
	}
	return text[:comma] + "}", len(text), true
}

// endsInside reports whether a text ends inside an unfinished JSON object.
func endsInside(text string) bool {
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '{')
		if j < 0 {
			return false
		}
		i += j
		_, n, isCut := objectLike(text[i:])
		if isCut {
			return true
		}
		i += max(n, 1)
	}
	return false
}

// quotes is a scanner state that recognizes strings and comments in loosely written JSON.
type quotes struct {
	open      byte // opening quote of the current string; 0 outside of strings
	last      byte // last non-space byte outside of strings
	unmatched int  // quotes that neither open nor close a string, including typographic quotes
}

// skip returns how many bytes at the start of text belong to a string, a comment or white space.
func (q *quotes) skip(text string) int {
	c := text[0]
	switch {
	case q.open != 0:
		return q.inside(text)
	case c == '"' || c == '\'':
		if strings.IndexByte("{[,:(", q.last) >= 0 {
			q.open = c
		} else {
			q.unmatched++
		}
		q.last = c
		return 1
	case c == '/':
		if n := commentLength(text); n > 0 {
			return n
		}
	case c <= ' ':
		return 1
	case c == '`' || c >= 0x80 && typographic(text):
		q.unmatched++
	}
	q.last = c
	return 0
}

func (q *quotes) inside(text string) int {
	switch {
	case text[0] == '\\':
		return min(2, len(text))
	case text[0] != q.open:
	case endsString(text[1:]):
		q.open, q.last = 0, q.open
	default:
		q.unmatched++
	}
	return 1
}

// typographic reports whether text begins with a typographic quote, which jsonrepair treats as a
// normal quote.
func typographic(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("\u2018\u2019\u201c\u201d\u00b4\u0060", r)
}

// commentLength returns the length of the comment at the start of text, or 0. A comment that is not
// closed extends to the end of the text.
func commentLength(text string) int {
	end := ""
	switch {
	case strings.HasPrefix(text, "//"):
		end = "\n"
	case strings.HasPrefix(text, "/*"):
		end = "*/"
	default:
		return 0
	}
	if n := strings.Index(text, end); n >= 0 {
		return n + len(end)
	}
	return len(text)
}

// endsString reports whether a quote closes its string, judging by the text after the quote.
func endsString(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest == "" || strings.IndexByte(",:}]/", rest[0]) >= 0
}
