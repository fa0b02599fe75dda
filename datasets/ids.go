package datasets

import (
	"hash/maphash"
	"slices"
)

// ids is a set of ID hashes, because IDs can be long and many. The sorted hashes are in separate
// lists by their first twelve bits. A million of them take little more than eight bytes each.
type ids struct {
	seed    maphash.Seed
	buckets [1 << 12][]uint64
}

func newIDs() *ids { return &ids{seed: maphash.MakeSeed()} }

// add adds an ID and reports whether it was present.
func (s *ids) add(id string) (found bool) {
	hash := maphash.String(s.seed, id)
	list := &s.buckets[hash>>52]
	at, found := slices.BinarySearch(*list, hash)
	if !found {
		*list = slices.Insert(*list, at, hash)
	}
	return found
}
