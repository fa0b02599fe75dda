package system

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Fingerprint returns a hash of the JSON form of v as 16 hexadecimal digits. Systems use it for
// LoadedVariant.Version, which must change when v changes.
func Fingerprint(v any) (string, error) {
	b, err := json.Marshal(v)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}
