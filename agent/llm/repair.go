package llm

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/kaptinlin/jsonrepair"

	"evalctl/agent/label"
)

// Bounds on what is worth a repair. The repairer's time grows with the square
// of some texts and, with stray quotes, with their cube.
const (
	maxRepair  = 4 << 10
	maxRepairs = 2
	maxStray   = 32
)

// repair is Extract's second try: the last object that has key, with its
// quotes and comments mended. The repairer itself would also complete what is
// cut and read values into gaps, so it is shown complete members only and
// what it returns must occur in the text.
func repair(text, key string) json.RawMessage {
	var regions []string
	again := maxRepairs // times that the text behind a lone brace is looked at again
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '{')
		if j < 0 {
			break
		}
		i += j
		region, n, isCut := objectLike(text[i:])
		if region != "" && len(region) <= maxRepair && mentions(region, key) {
			regions = append(regions, region)
		}
		if isCut && again > 0 {
			n, again = 1, again-1
		}
		i += max(n, 1)
	}
	for n := 0; n < maxRepairs && n < len(regions); n++ {
		region := regions[len(regions)-1-n]
		if raw := mend(region); raw != nil && keyed(raw, key) && grounded(raw, region) {
			return raw
		}
	}
	return nil
}

// mentions reports whether a region may have a member with this name.
func mentions(region, key string) bool {
	return strings.Contains(label.Fold(region), label.Fold(key))
}

// mend returns nil where the repairer gives up, or panics: it is fed with
// whatever a model says.
func mend(region string) (raw json.RawMessage) {
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

func keyed(raw json.RawMessage, key string) bool {
	p := parser{text: string(raw), key: key}
	if p.next() != '{' {
		return false
	}
	p.object(1)
	return p.outcome == whole && (p.hasKey || key == "")
}

// objectLike finds the end of the loosely written object that text begins
// with. One that is cut is ended behind its last complete member. The region
// is empty where there is no object; n is where to look for more.
func objectLike(text string) (region string, n int, isCut bool) {
	var (
		stack  []byte
		quotes quotes
		comma  int // the last one between members
	)
	for i := 0; i < len(text); i++ {
		c := text[i]
		skip := quotes.pass(text[i:])
		if quotes.stray > maxStray {
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
			stack = append(stack, c+2) // in ASCII the closing one
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

// endsInside tells a text that ends inside of an object.
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

// quotes knows what is inside of strings and comments.
type quotes struct {
	open  byte // the quote that began the string
	last  byte // the last byte outside that is no white space
	stray int  // quotes that neither open nor close, and typographic ones
}

// pass returns the length of what text begins with where that is of a string,
// a comment or white space, else 0.
func (q *quotes) pass(text string) int {
	c := text[0]
	switch {
	case q.open != 0:
		return q.inside(text)
	case c == '"' || c == '\'':
		if strings.IndexByte("{[,:(", q.last) >= 0 {
			q.open = c
		} else {
			q.stray++
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
		q.stray++
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
		q.stray++
	}
	return 1
}

// typographic tells whether text begins with one of the quotes that the
// repairer takes for one.
func typographic(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("\u2018\u2019\u201c\u201d\u00b4\u0060", r)
}

// commentLength is 0 where no comment begins; one without an end reaches to
// the text's.
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

// endsString tells a closing quote from one inside the string, by what
// follows.
func endsString(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest == "" || strings.IndexByte(",:}]/", rest[0]) >= 0
}
