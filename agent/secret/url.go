package secret

import (
	"cmp"
	"regexp"
	"strings"
)

// RedactURL returns an address that can be shown, stored and compared: without its userinfo, and
// without the query values whose names suggest a secret. In further addresses after it, as in a
// list, only the userinfo is hidden. References to variables such as $KEY are kept.
func RedactURL(address string) string {
	return userinfo.ReplaceAllStringFunc(withoutSecrets(address), func(found string) string {
		if isReference(passwordOf(found[len("//") : len(found)-len("@")])) {
			return found
		}
		return "//" + redactedMarker + "@"
	})
}

// passwordOf returns the password of a userinfo, or the user if there is no password.
func passwordOf(user string) string {
	name, password, _ := strings.Cut(user, ":")
	return cmp.Or(password, name)
}

// withoutSecrets redacts the first address.
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
		if name, value, _ := strings.Cut(pair, "="); value != "" && looksSecret(name) && !isReference(value) {
			pairs[i] = name + "=" + redactedMarker
		}
	}
	before, behind, _ := strings.Cut(address, "?")
	return before + "?" + strings.Join(pairs, "&") + strings.TrimPrefix(behind, query)
}

var userinfo = regexp.MustCompile(`//[^/?#\s]*@`)

// IsRedactedURL reports whether RedactURL has removed something.
func IsRedactedURL(address string) bool { return strings.Contains(address, redactedMarker) }

// credentials returns the parts of an address that may contain secrets, also for an address that
// net/url rejects.
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

func looksSecret(name string) bool { return secretName.MatchString(name) }
