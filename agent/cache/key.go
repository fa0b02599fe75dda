package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Key is a hash of the parts' JSON, in their order: equal parts have equal
// keys. It panics where a part has no JSON (a channel, a NaN): a key that
// leaves something out would give wrong answers.
func Key(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Errorf("cache key: %w", err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
