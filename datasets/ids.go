package datasets

import (
	"hash/maphash"
	"slices"
)

// ids are the hashes of ids that were met: ids can be long, and many. They stand in
// order in as many lists as their first twelve bits tell apart, so that a million take
// hardly more than their eight bytes each.
type ids struct {
	seed  maphash.Seed
	lists [1 << 12][]uint64
}

func newIDs() *ids { return &ids{seed: maphash.MakeSeed()} }

// add tells whether the id was met before.
func (s *ids) add(id string) (twice bool) {
	hash := maphash.String(s.seed, id)
	list := &s.lists[hash>>52]
	at, twice := slices.BinarySearch(*list, hash)
	if !twice {
		*list = slices.Insert(*list, at, hash)
	}
	return twice
}
