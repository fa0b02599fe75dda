package cassette

import (
	"regexp"
	"strings"
	"unicode"
)

// marker is the text that replaces a secret.
const marker = "[redacted]"

// Patterns of secrets in requests and answers:
//
// - inQuery: URL parameters with a secret name
// - userinfo: user name and password in a URL
// - secretMember: JSON members with a secret name, also inside JSON strings
// - bearer: the token after "Bearer"
// - providerKey: words with the prefix of a provider's API key
var (
	inQuery = regexp.MustCompile(
		`(?i)((?:[?&]|\\u0026)[^=&#\s"\\]*(?:key|token|secret|sig|auth|pass|pwd|cred)[^=&#\s"\\]*=)[^&#\s"\\]+`)
	userinfo     = regexp.MustCompile(`(?i)(\bhttps?://)[^/?#\s"'@<>\\]+@`)
	secretMember = regexp.MustCompile(
		`(?i)(\\*"(?:x-)?(?:api[-_]?key|access[-_]?key(?:[-_]?id)?|secret[-_]?key|access[-_]?token|refresh[-_]?token|client[-_]?secret|password|authorization)\\*"\s*:\s*\\*")([^"\\]{4,})`)
	bearer      = regexp.MustCompile(`(?i)(\bbearer\s+)[A-Za-z0-9._~+/-]{8,}=*`)
	providerKey = regexp.MustCompile(
		`\b(?:(?:sk|pk|rk|tvly|gsk|xai|hf|ragflow|ghp|gho|glpat|AKIA|AIza|eyJ)[-_A-Za-z0-9]{16,}(?:\.[-_A-Za-z0-9]+)*)`)
)

// Redact replaces secrets in a text by "[redacted]". It first applies clean, which removes
// configured secrets and may be nil. Then it replaces matches of patterns for common API keys and
// passwords.
func Redact(text string, clean func(string) string) string {
	if clean != nil {
		text = clean(text)
	}
	for _, p := range []*regexp.Regexp{inQuery, secretMember, bearer} {
		text = p.ReplaceAllString(text, "${1}"+marker)
	}
	text = userinfo.ReplaceAllString(text, "${1}"+marker+"@")
	return providerKey.ReplaceAllStringFunc(text, func(found string) string {
		if strings.ContainsFunc(found, unicode.IsDigit) {
			return marker
		}
		return found
	})
}

// redactChunks returns the chunks without secrets, including a secret that is split over two
// chunks.
func redactChunks(chunks []Chunk, clean func(string) string) []Chunk {
	before := string(Response{Chunks: chunks}.Body())
	after := RedactResponse(before, clean)
	if after == before {
		return chunks
	}
	pieces := make([]string, len(chunks))
	for i, c := range chunks {
		pieces[i] = string(c.bytes())
	}
	var kept []Chunk
	for i, piece := range splitChanged(pieces, after) {
		if piece != "" {
			kept = append(kept, chunkOf(chunks[i].OffsetMicros, []byte(piece)))
		}
	}
	return kept
}
