package secret

import (
	"cmp"
	"regexp"
	"strings"
)

// RedactURL returns an address that may be shown and stored. It redacts the user and password, and
// the query values whose names suggest a secret. In a list of addresses, it redacts only the query
// of the first. References to variables such as $KEY are unchanged.
func RedactURL(address string) string {
	return userinfo.ReplaceAllStringFunc(withoutSecrets(address), func(found string) string {
		if isReference(passwordOf(found[len("//") : len(found)-len("@")])) {
			return found
		}
		return "//" + redactedMarker + "@"
	})
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

var secretName = regexp.MustCompile(`(?i)key|token|secret|sig|auth|pass|pwd|cred`)

func isSecretParameter(name string) bool { return secretName.MatchString(name) }
