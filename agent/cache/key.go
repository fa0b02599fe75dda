package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Key returns a cache key for parts: the SHA-256 hash of their JSON, in hex. It panics if a part
// cannot be encoded as JSON (a channel, a NaN). A key without that part would return wrong values.
func Key(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Errorf("cache key: %w", err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
