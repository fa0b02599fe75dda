package llm

import (
	"encoding/json"
	"strings"

	"evalctl/agent/label"
)

// outcome is the result of parsing a value: complete, cut off or invalid.
type outcome int

const (
	whole outcome = iota
	cut           // the text ended inside the value
	bad           // the value is not JSON
)

// parser parses one JSON object in an answer. It follows RFC 8259, except that it accepts trailing
// commas and a missing end.
type parser struct {
	text    string
	key     string
	pos     int
	outcome outcome
	hasKey  bool  // the top-level object has the member key with a complete value
	commas  []int // offsets of trailing commas, which build drops
}

// object parses the object at pos and returns the end of its usable part. That is the end of the
// object, or of its last complete member if the object is cut off.
func (p *parser) object(depth int) (end int) {
	p.pos++ // skip the opening brace
	end = p.pos
	for comma := -1; ; {
		switch c := p.next(); {
		case c == 0:
			return end
		case c == '}':
			p.addTrailingComma(comma)
			p.pos++
			return p.pos
		case c != '"':
			p.outcome = bad
			return end
		}
		name := p.pos
		if !p.member(depth) {
			return end
		}
		end = p.pos
		if depth == 1 && p.key != "" && p.isKey(name) {
			p.hasKey = true
		}
		switch c := p.next(); c {
		case 0:
			return end
		case ',':
			comma = p.pos
			p.pos++
		case '}':
			comma = -1
		default:
			p.outcome = bad
			return end
		}
	}
}

// isKey reports whether the member name at offset i is the key.
func (p *parser) isKey(i int) bool {
	name, _, _ := strings.Cut(p.text[i+1:i+1+min(maxName, len(p.text)-i-1)], `"`)
	return sameName(name, p.key)
}

// maxName limits the length of a member name that is compared with the key, in bytes.
const maxName = 512

// sameName reports whether two member names are equal except for letter case, width and spaces.
func sameName(name, key string) bool {
	return name == key || label.Fold(name) == label.Fold(key)
}

func (p *parser) member(depth int) bool {
	if !p.string() {
		return false
	}
	switch p.next() {
	case ':':
		p.pos++
		return p.value(depth)
	case 0:
	default:
		p.outcome = bad
	}
	return false
}

func (p *parser) value(depth int) bool {
	c := p.next()
	switch {
	case c == 0:
		return false
	case c == '"':
		return p.string()
	case c == '{' && depth < maxDepth:
		p.object(depth + 1)
		return p.outcome == whole
	case c == '[' && depth < maxDepth:
		return p.array(depth + 1)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(p.text[p.pos:], word) {
			p.pos += len(word)
			return true
		}
		if strings.HasPrefix(word, p.text[p.pos:]) {
			p.pos, p.outcome = len(p.text), cut
			return false
		}
	}
	p.outcome = bad
	return false
}

func (p *parser) array(depth int) bool {
	p.pos++ // skip the opening bracket
	for comma := -1; ; {
		switch p.next() {
		case 0:
			return false
		case ']':
			p.addTrailingComma(comma)
			p.pos++
			return true
		}
		if !p.value(depth) {
			return false
		}
		switch p.next() {
		case ',':
			comma = p.pos
			p.pos++
		case ']':
			comma = -1
		case 0:
			return false
		default:
			p.outcome = bad
			return false
		}
	}
}

// next skips white space and returns the next byte; 0 at the end, which may be a code fence.
func (p *parser) next() byte {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; c {
		case ' ', '\t', '\r', '\n':
			p.pos++
		case '`':
			if strings.HasPrefix(p.text[p.pos:], "```") {
				p.outcome = cut
				return 0
			}
			return c
		case 0:
			p.outcome = bad
			return 0
		default:
			return c
		}
	}
	p.outcome = cut
	return 0
}

func (p *parser) string() bool {
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return true
		case c == '\\':
			if !p.escape() {
				return false
			}
		case c < ' ':
			p.outcome = bad
			return false
		}
	}
	p.outcome = cut
	return false
}

// escape parses the escape sequence at pos and leaves pos on its last byte.
func (p *parser) escape() bool {
	rest := p.text[p.pos+1:]
	switch {
	case rest == "":
		p.pos, p.outcome = len(p.text), cut
		return false
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		p.pos++
		return true
	case rest[0] != 'u':
		p.outcome = bad
		return false
	}
	for i := 1; i <= 4; i++ {
		if i == len(rest) {
			p.pos, p.outcome = len(p.text), cut
			return false
		}
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(rest[i])) {
			p.outcome = bad
			return false
		}
	}
	p.pos += 5
	return true
}

// number parses a number. At the end of the text it is cut off, because digits may be missing.
func (p *parser) number() bool {
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte("+-.0123456789eE", p.text[p.pos]) >= 0 {
		p.pos++
	}
	switch {
	case p.pos == len(p.text):
		p.outcome = cut
	case !json.Valid([]byte(p.text[start:p.pos])):
		p.outcome = bad
	default:
		return true
	}
	return false
}

func (p *parser) addTrailingComma(comma int) {
	if comma >= 0 {
		p.commas = append(p.commas, comma)
	}
}

// build returns the text from start to end as valid JSON: closed, and without trailing commas.
func (p *parser) build(start, end int) json.RawMessage {
	out := make([]byte, 0, end-start+1)
	for _, i := range p.commas {
		if i < end {
			out = append(out, p.text[start:i]...)
			start = i + 1
		}
	}
	out = append(out, p.text[start:end]...)
	if p.outcome == cut {
		out = append(out, '}')
	}
	return out
}
