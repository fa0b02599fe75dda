package journal

import "encoding/hex"

// TrialID is the key of a trial ([eval.Trial.Key]) in binary form. It takes little memory, because
// a run may have a million trials.
type TrialID [12]byte

// ParseTrialID converts the key of a trial to a [TrialID]. It returns false if the key does not
// have the form that runs write.
func ParseTrialID(key string) (id TrialID, ok bool) {
	if len(key) != hex.EncodedLen(len(id)) {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(key))
	return id, err == nil
}
