package secret

import (
	"cmp"
	"regexp"
	"strings"
)

// RedactURL returns an address that may be shown and stored. It redacts:
//
//   - the user and password
//   - query values, except numbers, ordinary words, values of less than 8 bytes, and values of
//     harmless names such as api-version and model
//   - query values of any form if their names suggest a secret; in a list of addresses, only those
//     of the first
//   - parts of the path, and fragments, that have the shape of a key
//
// References to variables such as $KEY are unchanged.
func RedactURL(address string) string {
	address = userinfo.ReplaceAllStringFunc(withoutSecrets(address), func(found string) string {
		if isReference(passwordOf(found[len("//") : len(found)-len("@")])) {
			return found
		}
		return "//" + redactedMarker + "@"
	})
	var out strings.Builder
	at := 0
	for _, part := range secretParts(address) {
		out.WriteString(address[at:part.begin])
		out.WriteString(redactedMarker)
		at = part.end
	}
	out.WriteString(address[at:])
	return out.String()
}

// addressPattern matches an http address in a text.
var addressPattern = regexp.MustCompile("(?i)\\b(?:https?|wss?|tls|nats|rediss?)://[^\\s\"'<>`\\\\]+")

// nextAddress matches the separator before the next address in a list of addresses.
var nextAddress = regexp.MustCompile(`(?i),[a-z][a-z0-9+.-]*://`)

// secretParts returns the ranges of the parts of the addresses in a text that may be secrets: parts
// of their paths, query values and fragments.
func secretParts(text string) (list []span) {
	for _, found := range addressPattern.FindAllStringIndex(text, -1) {
		begin, end := found[0], found[1]
		for begin < end {
			next := end
			if separator := nextAddress.FindStringIndex(text[begin:end]); separator != nil {
				next = begin + separator[0]
			}
			for _, part := range partsOf(text[begin:next]) {
				list = append(list, span{begin + part.begin, begin + part.end})
			}
			begin = next + len(",")
		}
	}
	return list
}

// partsOf returns the ranges of the parts of one address that may be secrets.
func partsOf(address string) (list []span) {
	at := strings.Index(address, "://") + len("://")
	host := strings.IndexAny(address[at:], "/?#")
	if host < 0 {
		return nil
	}
	isQuery := false
	for begin := at + host; begin < len(address); {
		separator := address[begin]
		end := len(address)
		ends := map[byte]string{'/': "/?#", '?': "&#", '&': "&#"}[separator]
		if n := strings.IndexAny(address[begin+1:], ends); separator != '#' && n >= 0 {
			end = begin + 1 + n
		}
		isQuery = separator == '?' || separator == '&'
		part := span{begin + 1, end}
		name, value := "", address[part.begin:end]
		if before, after, ok := strings.Cut(value, "="); isQuery && ok {
			name, value = before, after
			part.begin = end - len(after)
		}
		trimmed := strings.TrimRight(value, ".,;:!)")
		part.end -= len(value) - len(trimmed)
		secret := looksSecret(unescaped(withoutVariables(trimmed)))
		switch {
		case isQuery && name != "":
			secret = secret || !harmlessParameter.MatchString(name) && !isHarmlessValue(trimmed)
		case separator == '#':
			secret = secret || strings.Contains(trimmed, "=") && !isHarmlessValue(trimmed)
		}
		if secret && isLiteral(trimmed) && !strings.Contains(trimmed, redactedMarker) {
			list = append(list, part)
		}
		begin = end
	}
	return list
}

// harmlessParameter matches the names of query parameters whose values are not secret, unless they
// have the shape of a key.
var harmlessParameter = regexp.MustCompile(`(?i)^(?:api[-_]?version|version|v|model|deployment|engine|lang|language|` +
	`locale|region|format|mode|stream|q|query|url|path|file|name|tag|tags|label|labels|date|from|to|limit)$`)

var number = regexp.MustCompile(`^[-+]?[0-9][0-9.,eE+-]{0,15}$`)

// isHarmlessValue reports whether a query value is too short for a secret, a number or a word.
func isHarmlessValue(value string) bool {
	return len(value) < MinLength || number.MatchString(value) || isWord(value)
}

// passwordOf returns the password of "user:password", or the user if there is no password.
func passwordOf(user string) string {
	name, password, _ := strings.Cut(user, ":")
	return cmp.Or(password, name)
}

func withoutSecrets(address string) string {
	user, query := credentials(address)
	if user != "" && !isReference(passwordOf(user)) {
		address = strings.Replace(address, "//"+user+"@", "//"+redactedMarker+"@", 1)
	}
	if query == "" {
		return address
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, value, _ := strings.Cut(pair, "="); value != "" && isSecretParameter(name) && !isReference(value) {
			pairs[i] = name + "=" + redactedMarker
		}
	}
	before, behind, _ := strings.Cut(address, "?")
	return before + "?" + strings.Join(pairs, "&") + strings.TrimPrefix(behind, query)
}

var userinfo = regexp.MustCompile(`//[^/?#\s]*@`)

// IsRedactedURL reports whether an address contains [redacted]. Such an address cannot be called.
func IsRedactedURL(address string) bool { return strings.Contains(address, redactedMarker) }

// credentials returns the user information and the query of an address, the parts that may contain
// secrets. It also accepts addresses that net/url rejects.
func credentials(address string) (user, query string) {
	_, rest, ok := strings.Cut(address, "//")
	if !ok {
		return "", ""
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		user = rest[:end]
	} else {
		user = rest
	}
	user = user[:max(0, strings.LastIndexByte(user, '@'))]
	rest, _, _ = strings.Cut(rest, "#")
	_, query, _ = strings.Cut(rest, "?")
	return user, query
}

var secretName = regexp.MustCompile(
	`(?i)key|token|secret|sig|auth|pass|pwd|cred|^(?:code|sas|session|session_?id|sid|hmac|hash|jwt)$`)

func isSecretParameter(name string) bool { return secretName.MatchString(name) }
