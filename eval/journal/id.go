package journal

import "encoding/hex"

// TrialID is the compact form of a trial's key, because a run may have a million.
type TrialID [12]byte

// ParseID parses a key as written by a run.
func ParseID(key string) (id TrialID, ok bool) {
	if len(key) != hex.EncodedLen(len(id)) {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(key))
	return id, err == nil
}
