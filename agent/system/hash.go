package system

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Fingerprint is sixteen hexadecimal digits that change with what is shown to an agent, as
// JSON: a part of what Opened calls the version.
func Fingerprint(shown any) (string, error) {
	b, err := json.Marshal(shown)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}
