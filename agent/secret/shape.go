package secret

import (
	"regexp"
	"strings"
)

// keyPattern matches keys of well-known services by their prefixes, such as sk-, ghp_ and AKIA.
var keyPattern = regexp.MustCompile(`(?:^|[^A-Za-z0-9_-])(` +
	`sk-[A-Za-z0-9_-]{12,}|gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}|` +
	`xox[a-z]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{16,}|` +
	`npm_[A-Za-z0-9]{16,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_.-]{10,})`)

// assignmentPattern matches an assignment such as NAME=value, also in a flag, a query or a form.
var assignmentPattern = regexp.MustCompile("(?:^|[\\s\"'`;|&?(])-{0,2}[A-Za-z_][A-Za-z0-9_.-]*=([^\\s\"'`;|&()<>\\\\]+)")

var (
	alphanumeric = regexp.MustCompile(`[A-Za-z0-9]+`)
	digits       = regexp.MustCompile(`[0-9]`)
	letters      = regexp.MustCompile(`[A-Za-z]`)
	mixedCase    = regexp.MustCompile(`[a-z].*[A-Z]|[A-Z].*[a-z]`)
	timestamp    = regexp.MustCompile(`^[0-9]{8}T[0-9]{4,6}Z?$`)
	filePath     = regexp.MustCompile(`^(?:~|\.{0,2}/)`)
	fileName     = regexp.MustCompile(`\.[a-z][a-z0-9]{1,4}$`)
)

// looksSecret reports whether a value has the shape of a key or a password. It contains a known
// prefix, or a run of at least 12 letters and digits with several digits, or with one digit and
// mixed case. Model names, versions, dates and words have shorter runs. A file name is no secret.
func looksSecret(value string) bool {
	switch {
	case len(keysIn(value)) > 0:
		return true
	case fileName.MatchString(value):
		return false
	}
	for _, run := range alphanumeric.FindAllString(value, -1) {
		n := len(digits.FindAllString(run, 2))
		if len(run) >= minPieceLen && letters.MatchString(run) && !timestamp.MatchString(run) &&
			(n == 2 || n == 1 && mixedCase.MatchString(run)) {
			return true
		}
	}
	return false
}

// keysIn returns the ranges of the keys in a text that have a well-known prefix.
func keysIn(text string) (list []span) {
	for _, found := range keyPattern.FindAllStringSubmatchIndex(text, -1) {
		if digits.MatchString(text[found[2]:found[3]]) { // not sk-learn-pipelines
			list = append(list, span{found[2], found[3]})
		}
	}
	return list
}

// valuesByShape returns the ranges of the values that have the shape of a secret: keys with a
// well-known prefix, and the values of assignments. It ignores file paths and addresses.
func valuesByShape(text string) []span {
	list := keysIn(text)
	for _, found := range assignmentPattern.FindAllStringSubmatchIndex(text, -1) {
		value := text[found[2]:found[3]]
		if isLiteral(value) && looksSecret(withoutVariables(value)) && !filePath.MatchString(value) &&
			!strings.Contains(value, "://") && !strings.Contains(value, redactedMarker) {
			list = append(list, span{found[2], found[3]})
		}
	}
	return list
}
