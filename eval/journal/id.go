package journal

import "encoding/hex"

// TrialID is a trial's key in the least room: a run may have a million.
type TrialID [12]byte

// ParseID reads a key as a run writes it.
func ParseID(key string) (id TrialID, ok bool) {
	if len(key) != hex.EncodedLen(len(id)) {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(key))
	return id, err == nil
}
