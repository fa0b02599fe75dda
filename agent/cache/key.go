package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Key returns a hash of the JSON of parts in order. Equal parts have equal keys. It panics if a
// part has no JSON form (a channel, a NaN), because an incomplete key would give wrong answers.
func Key(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Errorf("cache key: %w", err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
