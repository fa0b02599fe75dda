package datasets

import (
	"hash/maphash"
	"slices"
)

// ids is a set of hashes of case IDs. It finds duplicate IDs in little memory. The hashes are in
// sorted lists, one for each value of their first twelve bits. A million IDs take a little more
// than 8 MB.
type ids struct {
	seed    maphash.Seed
	buckets [1 << 12][]uint64
}

func newIDs() *ids { return &ids{seed: maphash.MakeSeed()} }

// add adds an ID and reports whether the set already contained it.
func (s *ids) add(id string) (found bool) {
	hash := maphash.String(s.seed, id)
	list := &s.buckets[hash>>52]
	at, found := slices.BinarySearch(*list, hash)
	if !found {
		*list = slices.Insert(*list, at, hash)
	}
	return found
}
