package secret

import (
	"cmp"
	"regexp"
	"strings"
)

// RedactURL is an address fit to be shown, kept and compared: without its userinfo
// and without the values in its query that look like keys. Further addresses
// behind it, as in a list, are without their userinfo. References to variables
// such as $KEY are left.
func RedactURL(address string) string {
	return userinfo.ReplaceAllStringFunc(withoutSecrets(address), func(found string) string {
		if isReference(passwordOf(found[len("//") : len(found)-len("@")])) {
			return found
		}
		return "//" + RedactedMarker + "@"
	})
}

// passwordOf is the password of a userinfo, or its lone user.
func passwordOf(user string) string {
	name, password, _ := strings.Cut(user, ":")
	return cmp.Or(password, name)
}

// withoutSecrets is the first address.
func withoutSecrets(address string) string {
	user, query := credentials(address)
	if user != "" && !isReference(passwordOf(user)) {
		address = strings.Replace(address, "//"+user+"@", "//"+RedactedMarker+"@", 1)
	}
	if query == "" {
		return address
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, value, _ := strings.Cut(pair, "="); value != "" && looksSecret(name) && !isReference(value) {
			pairs[i] = name + "=" + RedactedMarker
		}
	}
	before, behind, _ := strings.Cut(address, "?")
	return before + "?" + strings.Join(pairs, "&") + strings.TrimPrefix(behind, query)
}

var userinfo = regexp.MustCompile(`//[^/?#\s]*@`)

// IsRedactedURL tells an address that RedactURL has taken something from.
func IsRedactedURL(address string) bool { return strings.Contains(address, RedactedMarker) }

// credentials are the parts of an address that may hold secrets, also of one
// that net/url would refuse.
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
