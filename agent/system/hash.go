package system

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Fingerprint is a hash of the JSON form of v in sixteen hexadecimal digits. It is part of
// OpenVariant.Version.
func Fingerprint(v any) (string, error) {
	b, err := json.Marshal(v)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}
