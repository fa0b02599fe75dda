package llm

import (
	"encoding/json"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

// Bounds on what is worth a repair.
const (
	maxRepair  = 16 << 10
	maxRepairs = 4
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
		if region != "" && len(region) <= maxRepair && strings.Contains(region, key) {
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
		stack []byte
		quote byte
		last  byte // the last byte that is no white space
		comma int  // the last one between members
	)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == '\\':
			i++
			continue
		case quote != 0:
			if c == quote && endsString(text[i+1:]) {
				quote = 0
			}
		case c == '"' || c == '\'':
			if strings.IndexByte("{[,:(", last) >= 0 {
				quote = c
			}
		case c == '/':
			if n := commentLength(text[i:]); n > 0 {
				i += n - 1
				continue
			}
		case c == '{' || c == '[':
			if len(stack) == maxDepth {
				return "", i, false
			}
			stack = append(stack, c+2) // in ASCII the closing one
		case c == '}' || c == ']':
			if stack[len(stack)-1] != c {
				return "", i, false
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return text[:i+1], i + 1, false
			}
		case c == ',' && len(stack) == 1:
			comma = i
		}
		if c > ' ' {
			last = c
		}
	}
	if comma == 0 {
		return "", len(text), true
	}
	return text[:comma] + "}", len(text), true
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
